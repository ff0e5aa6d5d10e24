//! Parameters and column values of the store, the same for both backends.

use rusqlite::types::{ToSqlOutput, Value as SqliteValue, ValueRef};
use tokio_postgres::types::{ToSql, Type};

use super::StoreError;

/// A value; `None` is NULL.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Value {
    Bytes(Option<Vec<u8>>),
    Integer(Option<i64>),
    Text(Option<String>),
}

/// A statement with parameters `$1`, `$2` … and their values.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) sql: &'static str,
    pub(super) values: Vec<Value>,
}

impl Statement {
    pub(super) fn new<const N: usize>(sql: &'static str, values: [Value; N]) -> Self {
        Self { sql, values: Vec::from(values) }
    }
}

macro_rules! from {
    ($type:ty, $variant:ident) => {
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::$variant(Some(value))
            }
        }

        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Self {
                Self::$variant(value)
            }
        }
    };
}

from!(Vec<u8>, Bytes);
from!(i64, Integer);
from!(String, Text);

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(Some(value.to_owned()))
    }
}

impl From<&[u8]> for Value {
    fn from(value: &[u8]) -> Self {
        Self::Bytes(Some(value.to_owned()))
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Bytes(Some(bytes)) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            Self::Integer(Some(number)) => ToSqlOutput::Owned(SqliteValue::Integer(*number)),
            Self::Text(Some(text)) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Bytes(None) | Self::Integer(None) | Self::Text(None) => {
                ToSqlOutput::Owned(SqliteValue::Null)
            }
        })
    }
}

impl Value {
    /// The value for PostgreSQL, with its type.
    pub(super) fn typed(&self) -> (&(dyn ToSql + Sync), Type) {
        match self {
            Self::Bytes(bytes) => (bytes, Type::BYTEA),
            Self::Integer(number) => (number, Type::INT8),
            Self::Text(text) => (text, Type::TEXT),
        }
    }
}

/// Columns of a row, in order.
#[derive(Clone, Debug)]
pub(super) struct Row(pub(super) Vec<Value>);

impl Row {
    pub(super) fn integer(&mut self, column: usize) -> Result<i64, StoreError> {
        self.maybe_integer(column)?.ok_or_else(|| unexpected(column))
    }

    pub(super) fn maybe_integer(&mut self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.0.get(column) {
            Some(Value::Integer(number)) => Ok(*number),
            Some(Value::Bytes(None) | Value::Text(None)) => Ok(None),
            _ => Err(unexpected(column)),
        }
    }

    pub(super) fn text(&mut self, column: usize) -> Result<String, StoreError> {
        self.maybe_text(column)?.ok_or_else(|| unexpected(column))
    }

    pub(super) fn maybe_text(&mut self, column: usize) -> Result<Option<String>, StoreError> {
        match self.0.get_mut(column) {
            Some(Value::Text(text)) => Ok(text.take()),
            Some(Value::Bytes(None) | Value::Integer(None)) => Ok(None),
            _ => Err(unexpected(column)),
        }
    }
}

fn unexpected(column: usize) -> StoreError {
    StoreError::Failed(format!("unexpected type in column {column}"))
}
