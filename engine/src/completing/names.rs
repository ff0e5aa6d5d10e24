//! Names of the catalog as a person writes them, by the slot that they can fill.

use wherefore_english::{name_words, plural, singular};

use super::pattern::Pattern;
use super::rank::small;
use crate::catalog::{Catalog, Column, Coverage, DataType, Table};
use crate::data::{Completions, Role, Slot};
use crate::dictionary::Dictionary;
use crate::linking::{ColumnId, Lexicon, SchemaIndex, TableId, holds_persons};
use crate::text::fold;

/// Most values of a column whose values are offered before one is typed.
const FEW_VALUES: usize = 30;
/// Most words of a value that is offered.
const VALUE_WORDS: usize = 6;
/// Weight of a synonym, which is offered once it is typed.
const SYNONYM: i32 = -10;
/// Weight of what is offered only once it is typed, such as one of many values.
pub(super) const RARE: i32 = -12;
/// Values of a column that are offered as a condition on it.
const FILTERS: usize = 60;
/// Cost of a condition on a column that people seldom restrict by.
const UNUSUAL: i32 = 3;
/// Cost of a table that no foreign key leads to or from, among others.
const UNLINKED: i32 = 8;
/// Roles of columns that people often restrict by.
const USUAL_ROLES: [Role; 7] = [
    Role::Category,
    Role::City,
    Role::Country,
    Role::Severity,
    Role::Sex,
    Role::Stage,
    Role::Status,
];
/// Roles of columns that name places.
const PLACE_ROLES: [Role; 3] = [Role::City, Role::Country, Role::Location];

/// What a name says of where something is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Whereabouts {
    /// It names a place.
    Place,
    /// It names a person, in whom nothing is.
    Person,
    /// It may do either.
    Unknown,
}

/// A name, and what it stands for.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// Slot that it can fill.
    pub(super) slot: Slot,
    /// The words.
    pub(super) words: String,
    /// The words with their table: "customer country"; empty if they are the same.
    pub(super) owned: String,
    /// The table.
    pub(super) table: Option<TableId>,
    /// The column.
    pub(super) column: Option<ColumnId>,
    /// Rank among the names of the slot, the likelier the larger.
    pub(super) weight: i32,
    /// Whether it names a place or a person.
    pub(super) whereabouts: Whereabouts,
    /// Folded words of both forms.
    pub(super) folded: [Vec<String>; 2],
}

/// All names of a catalog, and the patterns that they are put into.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// The names, by table.
    pub(super) all: Vec<Name>,
    /// The patterns.
    pub(super) patterns: Vec<Pattern>,
    /// Numbers to compare with.
    pub(super) numbers: Vec<String>,
}

impl Names {
    /// The names of a catalog.
    pub(crate) fn new(
        catalog: &Catalog,
        schema: &SchemaIndex,
        lexicon: &Lexicon,
        dictionary: &Dictionary,
        lists: &Completions,
    ) -> Self {
        let mut names =
            Self { all: Vec::new(), patterns: Pattern::all(lists), numbers: lists.numbers.clone() };
        for (position, table) in catalog.tables.iter().enumerate().take(usize::from(u16::MAX)) {
            let id = TableId(position as u16);
            let is_apart = catalog.tables.len() > 1 && schema.edges(id).is_empty();
            names.add_table(schema, id, table, if is_apart { UNLINKED } else { 0 });
        }
        names.tell_places(schema, lexicon);
        for metric in &catalog.metrics {
            let table = schema.table(&metric.table);
            names.add(Slot::Metric, &metric.name.to_lowercase(), "", table, None, 6);
            for synonym in &metric.synonyms {
                names.add(Slot::Metric, &synonym.to_lowercase(), "", table, None, SYNONYM);
            }
        }
        for (at, figure) in lists.figures.iter().enumerate() {
            let concept = dictionary.concepts.iter().find(|concept| concept.forms.contains(figure));
            let recorded = concept.and_then(|it| schema.recording(catalog, it).into_iter().next());
            let is_metric =
                names.all.iter().any(|name| name.slot == Slot::Metric && name.words == *figure);
            if let Some(recorded) = recorded.filter(|_| !is_metric) {
                let weight = if at == 0 { 2 } else { SYNONYM };
                names.add(Slot::Metric, figure, "", Some(recorded.table), None, weight);
            }
        }
        let unbound = [
            (Slot::Grain, &lists.grains),
            (Slot::Time, &lists.times),
            (Slot::Compared, &lists.comparisons),
        ];
        for (slot, list) in unbound {
            for (at, words) in list.iter().enumerate() {
                names.add(slot, words, "", None, None, -2 * small(at));
            }
        }
        names
    }

    fn add_table(&mut self, schema: &SchemaIndex, id: TableId, table: &Table, cost: i32) {
        let one = singular(&name_words(&table.name));
        let links = small(schema.edges(id).len().min(8));
        let is_bridge = schema.profile(id).is_bridge;
        let weight = links - cost - if is_bridge { 12 } else { 0 };
        self.add(Slot::Rows, &plural(&one), "", Some(id), None, weight);
        self.add(Slot::Row, &one, "", Some(id), None, weight.min(4));
        for synonym in &table.synonyms {
            let one = singular(&name_words(synonym));
            self.add(Slot::Rows, &plural(&one), "", Some(id), None, SYNONYM);
            self.add(Slot::Row, &one, "", Some(id), None, SYNONYM);
        }
        for (position, column) in table.columns.iter().enumerate().take(usize::from(u16::MAX)) {
            let id = ColumnId { table: id, column: position as u16 };
            let is_key = table.primary_key.contains(&column.name)
                || schema
                    .edges(id.table)
                    .iter()
                    .any(|edge| edge.forward && edge.from_columns.contains(&id.column));
            if !column.sensitive && !is_key {
                self.add_column(schema, id, column, &one);
            }
        }
    }

    fn add_column(&mut self, schema: &SchemaIndex, id: ColumnId, column: &Column, one: &str) {
        let words = name_words(&column.name);
        let owned = if words.starts_with(one) { String::new() } else { format!("{one} {words}") };
        let mut add = |slot, words: &str, owned: &str, weight| {
            self.add(slot, words, owned, Some(id.table), Some(id), weight);
        };
        if column.is_flag() {
            let flag = words.strip_prefix("is ").unwrap_or(&words);
            return add(Slot::Flag, flag, "", 0);
        }
        if matches!(column.data_type, DataType::Number | DataType::Integer) && !column.holds_years()
        {
            let is_measure = schema.profile(id.table).measures.contains(&id);
            let decimal = column.data_type == DataType::Number;
            let weight = 4 * i32::from(is_measure) + 2 * i32::from(decimal);
            add(Slot::Figure, &words, &owned, weight);
            let bound = |words: &str| format!("{words} above {}", middle(column));
            let owned = if owned.is_empty() { String::new() } else { bound(&owned) };
            add(Slot::Bound, &bound(&words), &owned, weight);
            for synonym in &column.synonyms {
                add(Slot::Figure, &name_words(synonym), "", SYNONYM);
            }
            return;
        }
        if !matches!(column.data_type, DataType::Text | DataType::Other) {
            return;
        }
        for synonym in &column.synonyms {
            add(Slot::Group, &name_words(synonym), "", SYNONYM);
        }
        let Some(list) = &column.values else {
            return add(Slot::Group, &words, &owned, -6);
        };
        let is_small = list.coverage == Coverage::Complete && list.values.len() <= FEW_VALUES;
        let is_label = schema.profile(id.table).label.contains(&id);
        let is_usual = USUAL_ROLES.iter().any(|role| schema.has_role(id, *role));
        let unusual = if is_usual { 0 } else { UNUSUAL };
        add(Slot::Group, &words, &owned, if is_small && !is_label { 4 } else { -6 });
        let values = list.values.iter().filter(|value| is_sayable(value));
        for (at, value) in values.enumerate() {
            let later = small(at.min(20));
            let label = if is_label { 8 } else { 0 };
            add(
                Slot::Value,
                value,
                "",
                if is_small { 4 - later.min(8) } else { RARE - later } - label,
            );
            if is_small && at < FILTERS && is_label {
                add(Slot::Filter, &format!("{one} is {value}"), "", 4 - 3 * later);
            } else if is_small && at < FILTERS {
                let filter = |words: &str| format!("{words} is {value}");
                let owned = if owned.is_empty() { String::new() } else { filter(&owned) };
                add(Slot::Filter, &filter(&words), &owned, 2 - unusual - 3 * later);
            }
        }
    }

    /// Tells the values that name places from those that name persons.
    fn tell_places(&mut self, schema: &SchemaIndex, lexicon: &Lexicon) {
        let is_person = |id: TableId| {
            let head = schema.profile(id).words.last().map(|head| singular(head));
            let acts = head.is_some_and(|head| lexicon.acting_alike(&head).next().is_some());
            acts || holds_persons(schema, id)
        };
        let persons: Vec<bool> = schema.ids().map(is_person).collect();
        for name in &mut self.all {
            let (Slot::Value, Some(id)) = (name.slot, name.column) else { continue };
            let is_label = schema.profile(id.table).label.contains(&id);
            if PLACE_ROLES.iter().any(|role| schema.has_role(id, *role)) {
                name.whereabouts = Whereabouts::Place;
            } else if is_label && persons.get(usize::from(id.table.0)) == Some(&true) {
                name.whereabouts = Whereabouts::Person;
            }
        }
    }

    fn add(
        &mut self,
        slot: Slot,
        words: &str,
        owned: &str,
        table: Option<TableId>,
        column: Option<ColumnId>,
        weight: i32,
    ) {
        let folded = [folded(words), folded(owned)];
        let (words, owned) = (words.to_owned(), owned.to_owned());
        let whereabouts = Whereabouts::Unknown;
        self.all.push(Name { slot, words, owned, table, column, weight, whereabouts, folded });
    }
}

/// Folded words of a text.
pub(super) fn folded(text: &str) -> Vec<String> {
    text.split_whitespace().map(fold).collect()
}

/// Whether a value can stand in a sentence without quotation marks.
fn is_sayable(value: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '&' | '\'' | '.' | '/');
    value.chars().all(is_plain)
        && value.chars().any(char::is_alphabetic)
        && value.split(' ').all(|word| !word.is_empty())
        && value.split(' ').count() <= VALUE_WORDS
}

/// A round number between the smallest and the largest value of a column; 100 if these are not known.
pub(super) fn middle(column: &Column) -> String {
    let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse::<f64>().ok());
    let (Some(least), Some(most)) = (number(&column.minimum), number(&column.maximum)) else {
        return "100".to_owned();
    };
    let middle = f64::midpoint(least, most);
    if !middle.is_finite() || middle.abs() >= 1e12 {
        return "100".to_owned();
    }
    if middle.abs() < 1.0 {
        return format!("{middle:.1}");
    }
    // One significant digit, by whole numbers, so that every platform rounds alike.
    let whole = middle.trunc() as i64;
    let mut unit = 1;
    while whole.abs() / unit >= 10 {
        unit *= 10;
    }
    (whole / unit * unit).to_string()
}
