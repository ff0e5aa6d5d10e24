//! Statements that the guard has accepted.

use super::size::Size;
use crate::Dialect;
use crate::tree::Query;
use wherefore_catalog::{ColumnRef, DataType};

/// A statement that the guard has accepted; only the guard can create one.
///
/// ```compile_fail,E0624
/// use wherefore_sql::{CheckedSql, Dialect};
/// let query = wherefore_sql::tree::Query::default();
/// let forged = CheckedSql::new("DROP TABLE users".to_owned(), Dialect::Sqlite, vec![], query);
/// ```
///
/// ```compile_fail,E0277
/// use wherefore_sql::CheckedSql;
/// let forged: CheckedSql = serde_json::from_str("{}").unwrap();
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedSql {
    sql: String,
    dialect: Dialect,
    output_columns: Vec<OutputColumn>,
    query: Query,
}

/// A column of the result.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OutputColumn {
    /// Name in the result; empty if the server generates one.
    pub name: String,
    /// The stored column whose values the result column passes through unchanged.
    pub source: Option<ColumnRef>,
    /// Type family, if the column passes a stored column through.
    pub data_type: Option<DataType>,
    /// Size of its values, for the guard's own limits.
    pub(super) size: Size,
}

impl CheckedSql {
    pub(super) fn new(
        sql: String,
        dialect: Dialect,
        output_columns: Vec<OutputColumn>,
        query: Query,
    ) -> Self {
        Self { sql, dialect, output_columns, query }
    }

    /// The SQL to run: one statement, printed from the checked tree.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Dialect of the text.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Columns of the result, in order.
    pub fn output_columns(&self) -> &[OutputColumn] {
        &self.output_columns
    }

    /// The checked tree, with names as stored.
    pub fn query(&self) -> &Query {
        &self.query
    }
}
