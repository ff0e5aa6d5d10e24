//! SQL dialects that are written.

use serde::{Deserialize, Serialize};

/// Dialect of a data source.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// PostgreSQL 13 or later.
    Postgres,
    /// SQLite 3.46 or later.
    #[default]
    Sqlite,
}

impl std::fmt::Display for Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Postgres => "PostgreSQL",
            Self::Sqlite => "SQLite",
        })
    }
}
