//! Which functions a dialect may call.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::sql::Dialect;
#[cfg(feature = "sql")]
use crate::sql::tree::FunctionCall;
use crate::sql::words::entries;

/// What a listed function is; a name can be several things.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "a name can be any combination of kinds")]
pub(super) struct FunctionEntry {
    pub(super) scalar: bool,
    pub(super) aggregate: bool,
    pub(super) window: bool,
    /// Whether the aggregate wants its rows in an order.
    #[cfg(feature = "sql")]
    pub(super) ordered: bool,
    /// Columns that it has in FROM; one of an empty name stands for the function's own.
    pub(super) table: Option<Vec<&'static str>>,
    /// Place of the argument that sets the size of the result, from 0.
    pub(super) sized: Option<usize>,
    /// Whether the first argument is a format.
    pub(super) pattern: bool,
}

type Functions = BTreeMap<&'static str, FunctionEntry>;

static POSTGRES: LazyLock<Functions> =
    LazyLock::new(|| read_list(include_str!("../../../data/sql/functions_postgres.txt")));
static SQLITE: LazyLock<Functions> =
    LazyLock::new(|| read_list(include_str!("../../../data/sql/functions_sqlite.txt")));

/// Entry of a function name in lower case.
pub(super) fn function(name: &str, dialect: Dialect) -> Option<&'static FunctionEntry> {
    list(dialect).get(name)
}

/// Every listed name, for did-you-mean.
pub(crate) fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    list(dialect).keys().copied()
}

/// Whether a query may call a function.
#[cfg(feature = "sql")]
pub(crate) fn is_listed(name: &str, dialect: Dialect) -> bool {
    function(name, dialect).is_some()
}

/// Whether a call is one of an aggregate; a name that is also a scalar is told by its arguments.
#[cfg(feature = "sql")]
pub(crate) fn is_aggregate(call: &FunctionCall, dialect: Dialect) -> bool {
    let listed = function(&call.name, dialect);
    listed.is_some_and(|it| it.aggregate && !(it.scalar && call.arguments.len() > 1))
        || !call.within_group.is_empty()
}

/// Whether a function may stand before OVER.
#[cfg(feature = "sql")]
pub(crate) fn may_have_over(name: &str, dialect: Dialect) -> bool {
    function(name, dialect).is_none_or(|it| it.aggregate || it.window)
}

/// Whether a function is one of windows only.
#[cfg(feature = "sql")]
pub(crate) fn needs_over(name: &str, dialect: Dialect) -> bool {
    function(name, dialect).is_some_and(|it| it.window && !it.aggregate && !it.scalar)
}

/// Whether a function is over rows in an order, which WITHIN GROUP or OVER gives.
#[cfg(feature = "sql")]
pub(crate) fn needs_order(name: &str, dialect: Dialect) -> bool {
    function(name, dialect).is_some_and(|it| it.ordered)
}

/// Columns that a function has in FROM; one of an empty name stands for the function's own.
#[cfg(feature = "sql")]
pub(crate) fn table_function(name: &str, dialect: Dialect) -> Option<&'static [&'static str]> {
    function(name, dialect)?.table.as_deref()
}

/// Whether COLLATE may name a collation.
pub(super) fn is_collation(name: &str, dialect: Dialect) -> bool {
    let wanted = match dialect {
        Dialect::Postgres => format!("postgres {name}"),
        Dialect::Sqlite => format!("sqlite {}", name.to_ascii_lowercase()),
    };
    entries(include_str!("../../../data/sql/collations.txt")).any(|line| line == wanted)
}

/// Whether a server adds a column of this name to every table.
pub(crate) fn is_hidden_column(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    entries(include_str!("../../../data/sql/hidden_columns.txt")).any(|line| line == lower)
}

fn list(dialect: Dialect) -> &'static Functions {
    match dialect {
        Dialect::Postgres => &POSTGRES,
        Dialect::Sqlite => &SQLITE,
    }
}

fn read_list(file: &'static str) -> Functions {
    let mut functions = Functions::new();
    for line in entries(file) {
        let mut words = line.split_whitespace();
        let kind = words.next().unwrap_or_default();
        for word in words {
            let (name, detail) = word.split_once(':').unwrap_or((word, ""));
            let entry = functions.entry(name).or_default();
            match kind {
                "aggregate" => entry.aggregate = true,
                "ordered" => {
                    entry.aggregate = true;
                    #[cfg(feature = "sql")]
                    {
                        entry.ordered = true;
                    }
                }
                "pattern" => (entry.scalar, entry.pattern) = (true, true),
                "scalar" => entry.scalar = true,
                "sized" => {
                    entry.scalar = true;
                    entry.sized = detail.parse().ok().map(|place: usize| place.saturating_sub(1));
                }
                "table" => entry.table = Some(detail.split(',').collect()),
                "window" => entry.window = true,
                _ => {}
            }
        }
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::{Dialect, entries, function};

    #[test]
    fn every_line_of_the_lists_has_a_kind_that_is_read() {
        for file in [
            include_str!("../../../data/sql/functions_postgres.txt"),
            include_str!("../../../data/sql/functions_sqlite.txt"),
        ] {
            for line in entries(file) {
                let kind = line.split_whitespace().next().unwrap();
                let kinds =
                    ["aggregate", "ordered", "pattern", "scalar", "sized", "table", "window"];
                assert!(kinds.contains(&kind), "{line}");
            }
        }
    }

    #[test]
    fn a_name_can_be_of_two_kinds() {
        let max = function("max", Dialect::Sqlite).unwrap();
        assert!(max.scalar && max.aggregate);
        assert_eq!(function("repeat", Dialect::Postgres).unwrap().sized, Some(1));
        assert_eq!(function("pg_sleep", Dialect::Postgres), None);
    }
}
