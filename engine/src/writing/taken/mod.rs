//! The interpretation that a statement expresses: catalog elements by role, so that two statements can be compared by
//! meaning rather than by text.

mod condition;
mod figure;
mod source;
mod thing;

pub(super) use thing::{Role, Thing};

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::{Catalog, ColumnRef};
use wherefore_sql::bind::{Bound, Origin};
use wherefore_sql::read_with_tokens;
use wherefore_sql::tree::{Expr, SelectItem};
use wherefore_sql::walk::walk;

/// The interpretation that a statement expresses.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Taken {
    /// Catalog elements by role.
    things: BTreeMap<Role, BTreeSet<Thing>>,
    /// Keys of tables that are outer-joined, so that rows without a match are kept.
    pub(super) outer: BTreeSet<String>,
    /// Keys of tables that are inner-joined, so that rows without a match are dropped.
    pub(super) inner: BTreeSet<String>,
}

impl Taken {
    /// The interpretation of a statement in the data source's dialect; empty if it cannot be parsed.
    pub(super) fn of(catalog: &Catalog, sql: &str) -> Self {
        let mut taken = Self::default();
        let Ok(read) = read_with_tokens(sql, catalog.dialect.into()) else { return taken };
        let bound = Bound::of(&read.query, catalog, catalog.dialect);
        taken.sources(&bound);
        taken.figures(&bound);
        taken.conditions(&bound);
        taken.groups(&bound);
        taken.shown(&bound);
        taken
    }

    /// Elements with a role.
    pub(super) fn things(&self, role: Role) -> impl Iterator<Item = &Thing> {
        self.things.get(&role).into_iter().flatten()
    }

    /// Whether an element has a role.
    pub(super) fn takes(&self, role: Role, thing: &Thing) -> bool {
        self.things.get(&role).is_some_and(|things| things.contains(thing))
    }

    fn add(&mut self, role: Role, thing: Thing) {
        self.things.entry(role).or_default().insert(thing);
    }

    /// Collects the grouping columns; a key is left out if a name column of the same rows is also grouped by.
    fn groups(&mut self, bound: &Bound<'_>) {
        let mut columns: BTreeSet<ColumnRef> = BTreeSet::new();
        for block in 0..bound.blocks.len() {
            for expr in bound.grouped_by(block) {
                columns.extend(only_column(bound, expr));
            }
        }
        for column in &columns {
            let rows = rows_of(bound.catalog, column);
            let is_named = columns.iter().any(|it| {
                rows.as_deref() == Some(it.table.as_str()) && rows_of(bound.catalog, it).is_none()
            });
            if !is_named {
                self.add(Role::Group, Thing::column(column).of_rows(rows));
            }
        }
    }

    /// Collects the output columns, without keys.
    fn shown(&mut self, bound: &Bound<'_>) {
        let Some(block) = bound.blocks.first() else { return };
        for output in block.outputs.iter() {
            let stored = output.origin.map(reference);
            let column = stored.or_else(|| only_column(bound, output.expr?));
            if let Some(column) = column.filter(|it| rows_of(bound.catalog, it).is_none()) {
                self.add(Role::Shown, Thing::column(&column));
            }
        }
    }
}

/// Reference to a stored column.
fn reference(origin: Origin<'_>) -> ColumnRef {
    ColumnRef::new(origin.table.key(), &origin.column.name)
}

/// The only stored column that an expression depends on; `None` if there are several, or if it contains an aggregate.
fn only_column(bound: &Bound<'_>, expr: &Expr) -> Option<ColumnRef> {
    let columns = columns_in(bound, expr);
    let mut computes = false;
    walk(expr, &mut |part| {
        computes |= matches!(part, Expr::Function(call) if figure::is_figure(bound, call));
    });
    match columns.as_slice() {
        [only] if !computes => Some(only.clone()),
        _ => None,
    }
}

/// Stored columns in an expression, without duplicates, in order of occurrence.
fn columns_in(bound: &Bound<'_>, expr: &Expr) -> Vec<ColumnRef> {
    let mut found: Vec<ColumnRef> = Vec::new();
    walk(expr, &mut |part| {
        let column = bound.origin_of(part).map(reference);
        found.extend(column.filter(|it| !found.contains(it)));
    });
    found
}

/// Key of the table whose rows a column identifies, as primary key or as foreign key.
fn rows_of(catalog: &Catalog, column: &ColumnRef) -> Option<String> {
    let table = catalog.table(&column.table)?;
    if table.primary_key == [column.column.as_str()] {
        return Some(column.table.clone());
    }
    let refers = catalog
        .foreign_keys
        .iter()
        .find(|key| key.from_table == column.table && key.from_columns == [column.column.as_str()]);
    refers.map(|key| key.to_table.clone())
}

/// Expressions of a statement that can contain conditions and aggregates.
fn expressions<'a>(bound: &Bound<'a>) -> Vec<&'a Expr> {
    let mut found = Vec::new();
    for block in &bound.blocks {
        found.extend(block.conditions.iter().map(|condition| condition.expr));
        found.extend(&block.select.having);
        for item in &block.select.items {
            if let SelectItem::Expr { expr, .. } = item {
                found.push(expr);
            }
        }
    }
    found
}
