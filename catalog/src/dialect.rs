//! SQL dialects of the data sources that queries run on.

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

impl Dialect {
    /// Whether an identifier as written in a statement refers to an object with this stored name.
    ///
    /// SQLite ignores the case of ASCII letters. PostgreSQL folds unquoted identifiers to lower case and compares
    /// exactly.
    pub fn refers_to(self, written: &str, quoted: bool, stored: &str) -> bool {
        match self {
            Self::Sqlite => written.eq_ignore_ascii_case(stored),
            Self::Postgres if quoted => written == stored,
            Self::Postgres => {
                written.len() == stored.len()
                    && written.bytes().zip(stored.bytes()).all(|(w, s)| w.to_ascii_lowercase() == s)
            }
        }
    }

    /// The name under which the server stores an identifier written like this.
    pub fn fold(self, written: &str, quoted: bool) -> String {
        match self {
            Self::Postgres if !quoted => written.to_ascii_lowercase(),
            Self::Postgres | Self::Sqlite => written.to_owned(),
        }
    }
}

impl std::fmt::Display for Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Postgres => "PostgreSQL",
            Self::Sqlite => "SQLite",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Dialect::{Postgres, Sqlite};

    #[test]
    fn unquoted_names_are_folded_as_the_server_does() {
        for (dialect, written, quoted, stored, expected) in [
            (Sqlite, "ORDERS", true, "Orders", true),
            (Postgres, "Orders", false, "orders", true),
            (Postgres, "orders", false, "Orders", false),
            (Postgres, "Orders", true, "Orders", true),
            (Postgres, "Orders", true, "orders", false),
        ] {
            assert_eq!(dialect.refers_to(written, quoted, stored), expected, "{dialect} {written}");
        }
        assert_eq!(Postgres.fold("Orders", false), "orders");
        assert_eq!(Postgres.fold("Orders", true), "Orders");
        assert_eq!(Sqlite.fold("Orders", false), "Orders");
    }
}
