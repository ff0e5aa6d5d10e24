//! Printing of identifiers, which are quoted only if necessary.

use crate::Dialect;
use crate::tree::Identifier;
use crate::words::{is_reserved, is_reserved_in_duckdb, is_reserved_in_mysql};

use super::{Printer, TRANSPILES, Target, Text};

impl Printer {
    /// An identifier, quoted if its characters, its case or a keyword require it.
    pub(crate) fn name(self, identifier: &Identifier) -> Text {
        let mut stored = match self.dialect {
            Dialect::Postgres if !identifier.quoted && self.target == Target::Postgres => {
                identifier.name.to_ascii_lowercase()
            }
            Dialect::Postgres | Dialect::Sqlite => identifier.name.clone(),
        };
        if stored.is_empty() {
            return self.refuse("an empty name");
        }
        if stored.chars().any(char::is_control) {
            return self.refuse("a name with a control character");
        }
        let is_exact = TRANSPILES && self.target == Target::Snowflake && identifier.quoted;
        Ok(if is_exact || self.needs_quotes(&stored) {
            match self.target {
                _ if !TRANSPILES => {}
                Target::Tsql => return Ok(format!("[{}]", stored.replace(']', "]]"))),
                Target::Bigquery if stored.contains(['`', '\\']) => {
                    return self.refuse("a name with a backtick");
                }
                Target::Bigquery => return Ok(format!("`{stored}`")),
                Target::Mysql => return Ok(format!("`{}`", stored.replace('`', "``"))),
                Target::Spark | Target::Databricks => return self.spark_name(&stored),
                // What an unquoted name is stored as.
                Target::Snowflake if !identifier.quoted => stored.make_ascii_uppercase(),
                Target::Postgres
                | Target::Sqlite
                | Target::Snowflake
                | Target::Trino
                | Target::Duckdb => {}
            }
            format!("\"{}\"", stored.replace('"', "\"\""))
        } else {
            stored
        })
    }

    /// Identifiers separated by commas.
    pub(super) fn names(self, identifiers: &[Identifier]) -> Text {
        let names: Vec<String> =
            identifiers.iter().map(|name| self.name(name)).collect::<Result<_, _>>()?;
        Ok(names.join(", "))
    }

    /// A string literal; only quotes are changed, by doubling them.
    pub(super) fn string(self, text: &str) -> Text {
        if text.contains('\0') {
            return self.refuse("a string with a zero byte");
        }
        if TRANSPILES && matches!(self.target, Target::Bigquery | Target::Snowflake) {
            return Ok(Self::escaped_string(text));
        }
        if TRANSPILES && self.target == Target::Mysql {
            return Ok(Self::mysql_string(text));
        }
        if TRANSPILES && self.is_spark() {
            return Ok(Self::spark_string(text));
        }
        Ok(if text.contains('\'') {
            ["'", &*text.replace('\'', "''"), "'"].concat()
        } else {
            ["'", text, "'"].concat()
        })
    }

    fn needs_quotes(self, name: &str) -> bool {
        if TRANSPILES && (self.is_spark() || self.target == Target::Trino) {
            return true;
        }
        // Only PostgreSQL folds unquoted names to lower case.
        let folds = self.target == Target::Postgres;
        let letter =
            |c: char| c.is_ascii_lowercase() || c == '_' || !folds && c.is_ascii_uppercase();
        let mut characters = name.chars();
        let simple = characters.next().is_some_and(letter)
            && characters.all(|c| letter(c) || c.is_ascii_digit());
        let name = name.to_ascii_lowercase();
        !simple
            || if TRANSPILES && self.target == Target::Mysql {
                is_reserved_in_mysql(&name)
            } else {
                TRANSPILES && self.is_duckdb() && is_reserved_in_duckdb(&name)
                    || TRANSPILES
                        && self.target == Target::Snowflake
                        && super::warehouse::is_reserved_in_snowflake(&name)
                    || is_reserved(&name, self.dialect)
            }
    }
}

/// A stored name as a dialect writes it; unchanged if the dialect cannot write it.
pub(crate) fn print_name(name: &str, dialect: Dialect) -> String {
    Printer { dialect, target: dialect.into() }
        .name(&Identifier::stored(name))
        .unwrap_or_else(|_| name.to_owned())
}
