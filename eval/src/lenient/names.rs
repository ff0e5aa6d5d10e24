//! Names in place of keys.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_engine::catalog::{Catalog, ColumnRef, Table};
use wherefore_sql::tree::{Body, Expr, Query, SelectItem, Source as From};

use super::{Cell, Rows, Side, Source};

/// What replaces the cells of each column: names by the text of their key.
pub(super) struct Renamed {
    columns: Vec<Option<BTreeMap<String, Cell>>>,
}

impl Renamed {
    /// Rows with names for keys; a key without a name stays.
    pub(super) fn apply(&self, rows: &Rows) -> Rows {
        let renamed = |row: &Vec<Cell>| {
            let cells = row.iter().enumerate().map(|(index, cell)| {
                let names = self.columns.get(index).and_then(Option::as_ref);
                names.and_then(|names| names.get(&text(cell))).unwrap_or(cell).clone()
            });
            cells.collect()
        };
        Rows { width: rows.width, rows: rows.rows.iter().map(renamed).collect() }
    }
}

/// The names that a statement shows where the gold shows keys; `None` when it shows none.
pub(super) fn renamed(source: &Source, ours: &Side<'_>, gold: &Side<'_>) -> Option<Renamed> {
    let catalog = source.engine.catalog();
    let shown = columns(catalog, &ours.query);
    let keys = columns(catalog, &gold.query);
    if keys.len() != gold.rows.width || shown.len() != ours.rows.width {
        return None;
    }
    let names = |key: &Option<ColumnRef>| {
        let key = key.as_ref().filter(|key| is_key(catalog, key))?;
        if shown.iter().flatten().any(|own| own == key) {
            return None;
        }
        shown.iter().flatten().find_map(|name| one_to_one(source, catalog, key, name))
    };
    let columns: Vec<_> = keys.iter().map(names).collect();
    columns.iter().any(Option::is_some).then_some(Renamed { columns })
}

/// Whether a column is part of a declared key.
fn is_key(catalog: &Catalog, column: &ColumnRef) -> bool {
    let table = catalog.tables.iter().find(|table| table.name == column.table);
    table.is_some_and(|table| table.primary_key.contains(&column.column))
        || catalog.foreign_keys.iter().any(|foreign| {
            foreign.from_table == column.table && foreign.from_columns.contains(&column.column)
        })
}

/// Stored columns that a statement outputs, one for each output; `None` for what is computed.
fn columns(catalog: &Catalog, query: &Query) -> Vec<Option<ColumnRef>> {
    let Body::Select(select) = &query.body else { return Vec::new() };
    let sources: Vec<(&str, &Table)> = select
        .from
        .iter()
        .flat_map(|from| {
            std::iter::once(&from.source).chain(from.joins.iter().map(|join| &join.source))
        })
        .filter_map(|source| match source {
            From::Table { name, alias, .. } => {
                let stored = catalog
                    .tables
                    .iter()
                    .find(|table| table.name.eq_ignore_ascii_case(&name.name))?;
                Some((alias.as_ref().unwrap_or(name).name.as_str(), stored))
            }
            _ => None,
        })
        .collect();
    let column = |expr: &Expr| {
        let Expr::Column { qualifier, name } = expr else { return None };
        sources.iter().find_map(|(alias, table)| {
            let meant = qualifier.as_ref().is_none_or(|own| own.name.eq_ignore_ascii_case(alias));
            let column = table
                .columns
                .iter()
                .find(|column| meant && column.name.eq_ignore_ascii_case(&name.name))?;
            Some(ColumnRef { table: table.name.clone(), column: column.name.clone() })
        })
    };
    select
        .items
        .iter()
        .map(|item| match item {
            SelectItem::Expr { expr, .. } => column(expr),
            _ => None,
        })
        .collect()
}

/// Names by key, when the rows of the table of names relate each key to one name and each name to one key.
fn one_to_one(
    source: &Source,
    catalog: &Catalog,
    key: &ColumnRef,
    name: &ColumnRef,
) -> Option<BTreeMap<String, Cell>> {
    let referred = catalog.foreign_keys.iter().find_map(|foreign| {
        let at = foreign.from_columns.iter().position(|column| *column == key.column)?;
        (foreign.from_table == key.table && foreign.to_table == name.table)
            .then(|| foreign.to_columns.get(at).cloned())?
    });
    let column = if key.table == name.table {
        key.column.clone()
    } else if let Some(column) = referred {
        column
    } else {
        let table = catalog.tables.iter().find(|table| table.name == name.table)?;
        let same = |name: &&str| name.eq_ignore_ascii_case(&key.column);
        table.columns.iter().map(|column| column.name.as_str()).find(same)?.to_owned()
    };
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let sql = format!(
        "SELECT DISTINCT {}, {} FROM {}",
        quoted(&column),
        quoted(&name.column),
        quoted(&name.table)
    );
    let pairs = source.rows(&sql)?;
    let mut names = BTreeMap::new();
    let mut known = BTreeSet::new();
    for pair in &pairs.rows {
        let [key, name] = pair.as_slice() else { return None };
        if matches!(name, Cell::Null) || matches!(key, Cell::Null) {
            continue;
        }
        let twice = names.insert(text(key), name.clone()).is_some();
        if twice || !known.insert(text(name)) {
            return None;
        }
    }
    (!names.is_empty()).then_some(names)
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Text(text) => text.clone(),
    }
}
