//! Allow-lists of functions, by dialect.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::Dialect;
use crate::tree::FunctionCall;
use crate::words::entries;

/// The kinds of an allowed function; a name can have several.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "a name can be any combination of kinds")]
pub(super) struct FunctionEntry {
    pub(super) scalar: bool,
    pub(super) aggregate: bool,
    pub(super) window: bool,
    /// Whether the aggregate requires an order of its rows.
    pub(super) ordered: bool,
    /// Output columns when used in FROM; an empty name stands for the alias or the function's own name.
    pub(super) table: Option<Vec<&'static str>>,
    /// Index of the argument that determines the size of the result.
    pub(super) sized: Option<usize>,
    /// Whether the first argument is a format string.
    pub(super) pattern: bool,
    /// Index of the argument that must be short, because the server cannot interrupt the call and its time is the
    /// product of both lengths.
    pub(super) needle: Option<usize>,
    pub(super) growth: Growth,
}

/// How the size of a result depends on the sizes of the arguments.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Growth {
    /// Contains any number of rows.
    Collected,
    /// Is cut at the length given by the argument at this index.
    Cut(usize),
    /// Contains every argument, which some conversions quote.
    Format,
    /// Contains every argument once.
    Joined,
    /// Is at most as long as the longest argument.
    #[default]
    Longest,
    /// Contains the first argument, or each of its characters, several times.
    Multiplied,
    /// Is short.
    Short,
    /// Contains every argument, and can quote its characters or separate them.
    Wrapped,
}

type Functions = BTreeMap<&'static str, FunctionEntry>;

static POSTGRES: LazyLock<Functions> =
    LazyLock::new(|| read_list(include_str!("../../data/functions_postgres.txt")));
static SQLITE: LazyLock<Functions> =
    LazyLock::new(|| read_list(include_str!("../../data/functions_sqlite.txt")));

/// The entry of a lower-case function name.
pub(super) fn function(name: &str, dialect: Dialect) -> Option<&'static FunctionEntry> {
    list(dialect).get(name)
}

/// All allowed names, for did-you-mean suggestions.
pub(crate) fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    list(dialect).keys().copied()
}

/// Whether a function is on the allow-list.
pub(crate) fn is_listed(name: &str, dialect: Dialect) -> bool {
    function(name, dialect).is_some()
}

/// Whether a call is an aggregate call; names such as `max` are scalar with several arguments.
pub(crate) fn is_aggregate(call: &FunctionCall, dialect: Dialect) -> bool {
    let listed = function(&call.name, dialect);
    listed.is_some_and(|it| it.aggregate && !(it.scalar && call.arguments.len() > 1))
        || !call.within_group.is_empty()
}

/// Whether a function accepts OVER; true for unknown functions.
pub(crate) fn may_have_over(name: &str, dialect: Dialect) -> bool {
    function(name, dialect).is_none_or(|it| it.aggregate || it.window)
}

/// Whether a function is a window function only.
pub(crate) fn needs_over(name: &str, dialect: Dialect) -> bool {
    function(name, dialect).is_some_and(|it| it.window && !it.aggregate && !it.scalar)
}

/// Whether a function requires an order of its rows, given by WITHIN GROUP or OVER.
pub(crate) fn needs_order(name: &str, dialect: Dialect) -> bool {
    function(name, dialect).is_some_and(|it| it.ordered)
}

/// Output columns of a function in FROM; an empty name stands for the alias or the function's own name.
pub(crate) fn table_function(name: &str, dialect: Dialect) -> Option<&'static [&'static str]> {
    function(name, dialect)?.table.as_deref()
}

/// Whether a collation is on the allow-list.
pub(super) fn is_collation(name: &str, dialect: Dialect) -> bool {
    let wanted = match dialect {
        Dialect::Postgres => format!("postgres {name}"),
        Dialect::Sqlite => format!("sqlite {}", name.to_ascii_lowercase()),
    };
    entries(include_str!("../../data/collations.txt")).any(|line| line == wanted)
}

/// Whether a server adds a system column of this name to every table.
pub(crate) fn is_hidden_column(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    entries(include_str!("../../data/hidden_columns.txt")).any(|line| line == lower)
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
                    {
                        entry.ordered = true;
                    }
                }
                "collected" => entry.growth = Growth::Collected,
                "cut" => entry.growth = index(detail).map_or(Growth::Longest, Growth::Cut),
                "joined" => entry.growth = Growth::Joined,
                "multiplied" => entry.growth = Growth::Multiplied,
                "needle" => entry.needle = index(detail),
                "pattern" => {
                    (entry.scalar, entry.pattern, entry.growth) = (true, true, Growth::Format);
                }
                "scalar" => entry.scalar = true,
                "short" => entry.growth = Growth::Short,
                "sized" => (entry.scalar, entry.sized) = (true, index(detail)),
                "table" => entry.table = Some(detail.split(',').collect()),
                "window" => entry.window = true,
                "wrapped" => entry.growth = Growth::Wrapped,
                _ => {}
            }
        }
    }
    functions
}

/// Index of an argument that a list counts from 1.
fn index(detail: &str) -> Option<usize> {
    detail.parse::<usize>().ok()?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{Dialect, entries, function, list};

    #[test]
    fn every_line_of_the_lists_has_a_kind_that_is_read() {
        for file in [
            include_str!("../../data/functions_postgres.txt"),
            include_str!("../../data/functions_sqlite.txt"),
        ] {
            for line in entries(file) {
                let kind = line.split_whitespace().next().unwrap();
                let of_call =
                    ["aggregate", "ordered", "pattern", "scalar", "sized", "table", "window"];
                let of_size =
                    ["collected", "cut", "joined", "multiplied", "needle", "short", "wrapped"];
                assert!(of_call.contains(&kind) || of_size.contains(&kind), "{line}");
            }
        }
    }

    #[test]
    fn a_line_about_sizes_names_only_functions_that_are_allowed() {
        for dialect in [Dialect::Postgres, Dialect::Sqlite] {
            for (name, entry) in list(dialect) {
                let allowed = entry.scalar || entry.aggregate || entry.window;
                assert!(allowed || entry.table.is_some(), "{name}");
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
