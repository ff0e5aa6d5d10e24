//! Operators, ways of grouping, and types that are cast to.

use serde::{Deserialize, Serialize};

/// Binary operators that are held.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOperator {
    /// `||`
    Concat,
    /// `/`
    Divide,
    /// `=`
    Equal,
    /// GLOB (SQLite)
    Glob,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// IS DISTINCT FROM
    IsDistinctFrom,
    /// IS NOT DISTINCT FROM
    IsNotDistinctFrom,
    /// `->`
    JsonGet,
    /// `->>`
    JsonGetText,
    /// `#>` (PostgreSQL)
    JsonPath,
    /// `#>>` (PostgreSQL)
    JsonPathText,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `-`
    Minus,
    /// `%`
    Modulo,
    /// `*`
    Multiply,
    /// `<>`
    NotEqual,
    /// `!~` (PostgreSQL)
    NotRegex,
    /// `!~*` (PostgreSQL)
    NotRegexInsensitive,
    /// `+`
    Plus,
    /// `~` (PostgreSQL)
    Regex,
    /// `~*` (PostgreSQL)
    RegexInsensitive,
}

/// Kinds of grouping beyond a plain list.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupingKind {
    /// CUBE
    Cube,
    /// GROUPING SETS
    GroupingSets,
    /// ROLLUP
    Rollup,
}

/// A cast's target type.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct CastType {
    /// Name, lower case, from the guard's list.
    pub name: String,
    /// Length, precision and scale.
    pub arguments: Vec<u32>,
}
