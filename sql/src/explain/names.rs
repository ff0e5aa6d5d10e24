//! Names of sources and columns in an explanation.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::place::Places;
use super::step::{Step, StepKind};
use crate::Dialect;
use crate::bind::{Bound, ColumnPlace, Kind, Meaning, Origin, Source};
use crate::tree::{Expr, Identifier, Select, SelectItem, SqlSpan};
use wherefore_catalog::Catalog;
use wherefore_english::{name_words, plural, possessive, singular};

/// Describes a statement in words.
pub(super) struct Teller<'a> {
    pub(super) places: Places<'a>,
    pub(super) bound: &'a Bound<'a>,
    pub(super) catalog: &'a Catalog,
    pub(super) dialect: Dialect,
    /// Index of each SELECT by its address; used for lookup only, never iterated.
    blocks: BTreeMap<usize, usize>,
    /// Names of the sources of each SELECT.
    called: Vec<Vec<Called>>,
    /// Steps of the subqueries inside the step that is being described.
    aside: RefCell<Vec<Step>>,
    /// Number of expressions that may still be described; the rest is quoted as SQL.
    left: Cell<usize>,
    /// The source that the current phrase is about, by indices; its columns are named without it.
    focus: Cell<Option<(usize, usize)>>,
}

/// The name of a source.
#[derive(Clone, Debug, Default)]
pub(super) struct Called {
    /// Noun for one row.
    pub(super) row: String,
    /// Noun for several rows.
    pub(super) rows: String,
    /// Whether the source is a stored table, whose rows have a noun.
    pub(super) is_table: bool,
    /// Name of a derived list, in quotes.
    title: String,
}

impl<'a> Teller<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [SqlSpan], bound: &'a Bound<'a>) -> Self {
        let addresses = bound.blocks.iter().map(|block| address(block.select));
        let mut teller = Self {
            places: Places::new(text, tokens),
            bound,
            catalog: bound.catalog,
            dialect: bound.dialect,
            blocks: addresses.enumerate().map(|(at, address)| (address, at)).collect(),
            called: Vec::with_capacity(bound.blocks.len()),
            aside: RefCell::default(),
            left: Cell::new(tokens.len() * 8 + 100),
            focus: Cell::new(None),
        };
        for block in 0..bound.blocks.len() {
            let names = teller.names_of(block);
            teller.called.push(names);
        }
        teller
    }

    /// Index of a SELECT among the bound blocks.
    pub(super) fn block_of(&self, select: &Select) -> Option<usize> {
        self.blocks.get(&address(select)).copied()
    }

    /// Takes one expression from the budget; false if it is used up.
    pub(super) fn may_say(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Builds a step; the steps of subqueries met while describing it become its inner steps.
    pub(super) fn step(
        &self,
        kind: StepKind,
        span: SqlSpan,
        words: impl FnOnce() -> (String, String),
    ) -> Step {
        let outer = self.aside.take();
        let (text, clause) = words();
        let inner = self.aside.replace(outer);
        Step { kind, text, clause, span, inner }
    }

    /// Adds an inner step to the step that is being described.
    pub(super) fn put_inside(&self, step: Step) {
        self.aside.borrow_mut().push(step);
    }

    /// Describes something about one source, whose columns are then named without it.
    pub(super) fn of_source<T>(
        &self,
        block: usize,
        source: Option<usize>,
        say: impl FnOnce() -> T,
    ) -> T {
        let outer = self.focus.replace(source.map(|source| (block, source)));
        let said = say();
        self.focus.set(outer);
        said
    }

    /// Name of a source.
    pub(super) fn called(&self, block: usize, source: usize) -> Called {
        let found = self.called.get(block).and_then(|names| names.get(source));
        found.cloned().unwrap_or_else(Called::rows)
    }

    /// Noun for the rows of a SELECT: that of its only source, or `rows`.
    pub(super) fn subject(&self, block: usize) -> Called {
        match self.called.get(block).map(Vec::as_slice) {
            Some([only]) => only.clone(),
            _ => Called::rows(),
        }
    }

    /// Sources of a SELECT.
    pub(super) fn sources(&self, block: usize) -> &'a [Source<'a>] {
        self.bound.blocks.get(block).map_or(&[], |block| &block.sources)
    }

    fn names_of(&self, block: usize) -> Vec<Called> {
        let sources = self.sources(block);
        (0..sources.len()).map(|at| self.name_of(block, at)).collect()
    }

    fn name_of(&self, block: usize, at: usize) -> Called {
        let sources = self.sources(block);
        let source = &sources[at];
        let Some(table) = source.table else { return self.name_of_list(block, at) };
        let words = name_words(&table.name);
        let (row, rows) = (singular(&words), plural(&words));
        let is_same = |other: &Source<'_>| other.table.is_some_and(|it| std::ptr::eq(it, table));
        let is_again = sources[..at].iter().any(is_same);
        if is_again {
            let role = self.role(block, at).filter(|role| *role != row);
            return match (role, source.name) {
                (Some(role), _) => Called::table(role.clone(), plural(&role)),
                (None, Some(name)) => {
                    let alias = name_words(&name.name);
                    Called::table(format!("{row} “{alias}”"), format!("{rows} “{alias}”"))
                }
                (None, None) => Called::table(row, rows),
            };
        }
        Called::table(row, rows)
    }

    /// The name of a CTE or derived table; if the same one is used twice, its alias.
    fn name_of_list(&self, block: usize, at: usize) -> Called {
        let sources = self.sources(block);
        let source = &sources[at];
        let Some(alias) = source.name else { return Called::rows() };
        let own = self.places.text_of(source.span).trim_matches(['"', '`', '[', ']']);
        let is_again = sources.iter().enumerate().any(|(other, it)| {
            other != at
                && it.table.is_none()
                && self.places.text_of(it.span) == self.places.text_of(source.span)
        });
        let is_function = source.is_lateral && source.block.is_none();
        let name = if own.is_empty() || is_again || is_function { &alias.name } else { own };
        Called::list(&name_words(name))
    }

    /// The role of a joined table: `manager` if an earlier source's `manager_id` equals its key.
    fn role(&self, block: usize, at: usize) -> Option<String> {
        let equalities = &self.bound.blocks.get(block)?.equalities;
        equalities.iter().find_map(|equal| {
            let pairs = [(equal.left, equal.right), (equal.right, equal.left)];
            let (from, to) = pairs.into_iter().find(|(from, to)| {
                to.block == block && to.source == at && from.block == block && from.source < at
            })?;
            if !self.is_key(to) {
                return None;
            }
            let words = name_words(&self.bound.origin(from)?.column.name);
            words.strip_suffix(" id").map(str::to_owned)
        })
    }

    /// Whether a column is a key of its table by itself.
    pub(super) fn is_key(&self, place: ColumnPlace) -> bool {
        self.own_origin(place).is_some_and(is_key)
    }

    /// The stored column, if the source is a stored table.
    pub(super) fn own_origin(&self, place: ColumnPlace) -> Option<Origin<'a>> {
        self.bound.source(place.block, place.source)?.table?;
        self.bound.origin(place)
    }

    /// A column reference as a phrase, from the point of view of a SELECT.
    pub(super) fn column(&self, expr: &Expr, block: usize) -> String {
        let Expr::Column { qualifier, name } = expr else { return self.written(expr) };
        match self.bound.use_of(name).map(|it| &it.meaning) {
            Some(Meaning::Column(place)) => self.column_at(*place, block),
            Some(Meaning::Alias(_)) => name_words(&name.name),
            _ => self.unresolved(qualifier.as_ref(), name),
        }
    }

    fn unresolved(&self, qualifier: Option<&Identifier>, name: &Identifier) -> String {
        match qualifier {
            Some(qualifier) => format!("`{}.{}`", qualifier.name, name.name),
            None => format!("`{}`", name.name),
        }
    }

    /// A column as a phrase, from the point of view of a SELECT.
    pub(super) fn column_at(&self, place: ColumnPlace, block: usize) -> String {
        let words = self.bare_column(place);
        let called = self.called(place.block, place.source);
        if place.block != block {
            return format!("the {} {words}", possessive(&called.row));
        }
        let sources = self.sources(block);
        if sources.len() < 2 || self.focus.get() == Some((place.block, place.source)) {
            return words;
        }
        let is_shared = sources.iter().enumerate().any(|(at, source)| {
            at != place.source && source.columns.names().any(|name| name_words(name) == words)
        });
        if !is_shared && !is_general(&words) {
            words
        } else if called.is_table {
            format!("{} {words}", called.row)
        } else {
            format!("{words} of {}", called.title)
        }
    }

    /// The column's own words, without its unit, which is stated with values instead.
    pub(super) fn bare_column(&self, place: ColumnPlace) -> String {
        let words = self.column_words(place);
        let kind = self
            .bound
            .source(place.block, place.source)
            .and_then(|source| source.columns.get(place.column))
            .and_then(|column| column.kind);
        let noun = match kind {
            Some(Kind::Date) => "date",
            Some(Kind::Timestamp) => "time",
            _ => return words,
        };
        match done(&words) {
            Some(stem) => format!("{stem} {noun}"),
            None => words,
        }
    }

    /// The words of the column's stored name, without its unit.
    pub(super) fn column_words(&self, place: ColumnPlace) -> String {
        let name = self
            .bound
            .source(place.block, place.source)
            .and_then(|source| source.columns.name(place.column));
        let words = name_words(name.unwrap_or("column"));
        let unit = self.bound.origin(place).and_then(|origin| origin.column.unit.as_deref());
        match (unit, words.rsplit_once(' ')) {
            (Some(unit), Some((before, last))) if plain_unit(unit) == last => before.to_owned(),
            _ => words,
        }
    }

    /// Unit of measure of an expression's values.
    pub(super) fn unit(&self, expr: &Expr) -> Option<&'a str> {
        self.bound.origin_of(expr)?.column.unit.as_deref()
    }

    /// Type of an expression.
    pub(super) fn kind(&self, expr: &Expr) -> Option<Kind> {
        self.bound.kind(expr)
    }

    /// The SQL of an expression, in backticks.
    pub(super) fn written(&self, expr: &Expr) -> String {
        let text = self.places.text_of(self.places.of(expr));
        if text.is_empty() { "`…`".to_owned() } else { format!("`{text}`") }
    }

    /// The output column that an ORDER BY or GROUP BY item refers to by ordinal or alias.
    pub(super) fn item_of(
        &self,
        expr: &Expr,
        select: &'a Select,
    ) -> Option<(&'a Expr, Option<&'a Identifier>)> {
        use crate::tree::Literal;
        let place = match expr {
            Expr::Literal(Literal::Number(text), _) => {
                text.parse::<usize>().ok()?.checked_sub(1)?
            }
            Expr::Column { name, .. } => match self.bound.use_of(name)?.meaning {
                Meaning::Alias(item) => item,
                _ => return None,
            },
            _ => return None,
        };
        match select.items.get(place)? {
            SelectItem::Expr { expr, alias } => Some((expr, alias.as_ref())),
            _ => None,
        }
    }
}

impl Called {
    fn table(row: String, rows: String) -> Self {
        Self { row, rows, is_table: true, title: String::new() }
    }

    fn list(name: &str) -> Self {
        Self {
            row: format!("row of “{name}”"),
            rows: format!("rows of “{name}”"),
            is_table: false,
            title: format!("“{name}”"),
        }
    }

    fn rows() -> Self {
        Self {
            row: "row".to_owned(),
            rows: "rows".to_owned(),
            is_table: false,
            title: "the list".to_owned(),
        }
    }
}

/// Whether a stored column is unique or the whole primary key.
pub(super) fn is_key(origin: Origin<'_>) -> bool {
    origin.column.unique || origin.table.primary_key == [origin.column.name.as_str()]
}

/// The past participle in a name such as `created at`.
pub(super) fn done(words: &str) -> Option<&str> {
    let stem = words.strip_suffix(" at").or_else(|| words.strip_suffix(" on"))?;
    let is_done = stem.ends_with("ed")
        || ["bought", "born", "paid", "sent", "sold", "taken", "made", "begun", "given", "written"]
            .contains(&stem);
    is_done.then_some(stem)
}

/// Whether a column name is too generic to be used without its table.
fn is_general(words: &str) -> bool {
    ["name", "title", "id", "description", "code", "status", "type", "created time"]
        .contains(&words)
}

/// A unit in the form used in column names, such as `m2` for `m²`.
fn plain_unit(unit: &str) -> String {
    unit.chars()
        .map(|c| match c {
            '²' => '2',
            '³' => '3',
            other => other.to_ascii_lowercase(),
        })
        .collect()
}

fn address(select: &Select) -> usize {
    std::ptr::from_ref(select).addr()
}
