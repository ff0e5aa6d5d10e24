//! Operators, grouping kinds and cast types.

use serde::{Deserialize, Serialize};

/// Binary operators other than AND and OR.
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

/// Extensions of GROUP BY beyond a plain list.
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

/// Target type of a cast.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct CastType {
    /// Name in lower case, from the guard's allow-list.
    pub name: String,
    /// Length, or precision and scale.
    pub arguments: Vec<u32>,
}
