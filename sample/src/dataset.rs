//! Generated rows by table.

use std::collections::BTreeMap;

use crate::value::Value;

/// Rows of all tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dataset {
    tables: BTreeMap<&'static str, Rows>,
}

/// Rows of one table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Column names, in the order of the values.
    pub columns: &'static [&'static str],
    /// The rows.
    pub rows: Vec<Vec<Value>>,
}

impl Dataset {
    /// Rows of a table; `None` if it has none.
    pub fn rows(&self, table: &str) -> Option<&Rows> {
        self.tables.get(table)
    }

    /// Names of the tables with rows, in ascending order.
    pub fn table_names(&self) -> impl Iterator<Item = &'static str> {
        self.tables.keys().copied()
    }

    /// Total number of rows.
    pub fn len(&self) -> usize {
        self.tables.values().map(|table| table.rows.len()).sum()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn push(
        &mut self,
        table: &'static str,
        columns: &'static [&'static str],
        row: Vec<Value>,
    ) {
        let entry = self.tables.entry(table).or_default();
        if entry.columns.is_empty() {
            entry.columns = columns;
        }
        debug_assert_eq!(entry.columns, columns, "columns of {table} differ between its rows");
        entry.rows.push(row);
    }
}

/// Adds a row with named columns to a table of a [`Dataset`].
macro_rules! row {
    ($dataset:expr, $table:ident, { $($column:ident: $value:expr),* $(,)? }) => {
        $dataset.push(
            stringify!($table),
            &[$(stringify!($column)),*],
            vec![$($crate::value::Value::from($value)),*],
        )
    };
}

pub(crate) use row;
