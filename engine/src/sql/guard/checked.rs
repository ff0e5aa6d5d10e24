//! What came through the guard.

use crate::catalog::{ColumnRef, DataType};
use crate::sql::Dialect;
use crate::sql::tree::Query;

/// A statement that came through the guard; nothing else can make one.
///
/// ```compile_fail
/// use wherefore_engine::sql::{CheckedSql, Dialect};
/// let forged = CheckedSql { sql: "DROP TABLE users".to_owned(), dialect: Dialect::Sqlite };
/// ```
///
/// ```compile_fail
/// use wherefore_engine::sql::CheckedSql;
/// let forged: CheckedSql = serde_json::from_str("{}").unwrap();
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedSql {
    sql: String,
    dialect: Dialect,
    output_columns: Vec<OutputColumn>,
    query: Query,
}

/// A column of a result.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OutputColumn {
    /// Name in the result; empty where the server makes one up.
    pub name: String,
    /// Stored column whose values it shows unchanged.
    pub source: Option<ColumnRef>,
    /// Type family, where it is the stored column's.
    pub data_type: Option<DataType>,
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

    /// Text to run: one statement, printed from the tree that was checked.
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

    /// Tree that was checked, with stored names.
    pub fn query(&self) -> &Query {
        &self.query
    }
}
