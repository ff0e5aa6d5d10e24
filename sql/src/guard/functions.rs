//! Allow-lists of functions, by dialect.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::Dialect;
use crate::tree::FunctionCall;
use crate::words::entries;

use super::size::Form;

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
    /// Whether the result can hold a wildcard of LIKE that no argument has.
    pub(super) wildcard: bool,
    /// How the result is written, if the function determines it.
    pub(super) form: Option<Form>,
}

/// How the size of a result depends on the sizes of the arguments. Arguments are given by their index.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Growth {
    /// Contains any number of rows.
    Collected,
    /// Contains the first argument once for every further one.
    Copied,
    /// Is cut at the length given by this argument.
    Cut(usize),
    /// Contains every argument, which some conversions quote.
    Format,
    /// Contains the first argument with the parts of a JSON value on lines of their own.
    Indented,
    /// Contains every argument once.
    Joined,
    /// Is at most as long as the longest argument.
    #[default]
    Longest,
    /// Contains the first argument, or each of its characters, together with this and the following arguments.
    Multiplied(usize),
    /// Is a number that can have many digits.
    Number,
    /// Contains the parts of the first argument that the JSON path in the second one selects.
    Path,
    /// Contains the first argument as often as this one says.
    Repeated(usize),
    /// Contains the first argument between all others.
    Separated,
    /// Is short.
    Short,
    /// Follows the format in this argument.
    Template(usize),
    /// Contains every argument; each character of them takes the place of at most this many.
    Wrapped(u64),
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
                "ordered" => (entry.aggregate, entry.ordered) = (true, true),
                "pattern" => {
                    (entry.scalar, entry.pattern, entry.growth) = (true, true, Growth::Format);
                }
                "scalar" => entry.scalar = true,
                "sized" => (entry.scalar, entry.sized) = (true, index(detail)),
                "table" => entry.table = Some(detail.split(',').collect()),
                "window" => entry.window = true,
                "needle" => entry.needle = index(detail),
                "wildcard" => entry.wildcard = true,
                "as-json" => entry.form = Some(Form::Json),
                "as-list" => entry.form = Some(Form::List),
                "as-text" => entry.form = Some(Form::Plain),
                kind => entry.growth = growth(kind, detail).unwrap_or_default(),
            }
        }
    }
    functions
}

/// The growth that a line of a list states; `None` if it is malformed.
fn growth(kind: &str, detail: &str) -> Option<Growth> {
    Some(match kind {
        "collected" => Growth::Collected,
        "copied" => Growth::Copied,
        "cut" => Growth::Cut(index(detail)?),
        "indented" => Growth::Indented,
        "joined" => Growth::Joined,
        "multiplied" => Growth::Multiplied(index(detail)?),
        "number" => Growth::Number,
        "path" => Growth::Path,
        "repeated" => Growth::Repeated(index(detail)?),
        "separated" => Growth::Separated,
        "short" => Growth::Short,
        "template" => Growth::Template(index(detail)?),
        "wrapped" => Growth::Wrapped(detail.parse().ok()?),
        _ => return None,
    })
}

/// Index of an argument that a list counts from 1.
fn index(detail: &str) -> Option<usize> {
    detail.parse::<usize>().ok()?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{Dialect, entries, function, growth, list};

    #[test]
    fn every_line_of_the_lists_has_a_kind_that_is_read() {
        for file in [
            include_str!("../../data/functions_postgres.txt"),
            include_str!("../../data/functions_sqlite.txt"),
        ] {
            for line in entries(file) {
                let kind = line.split_whitespace().next().unwrap();
                let of_call = [
                    "aggregate",
                    "as-json",
                    "as-list",
                    "as-text",
                    "needle",
                    "ordered",
                    "pattern",
                    "scalar",
                    "sized",
                    "table",
                    "wildcard",
                    "window",
                ];
                let mut details = line.split_whitespace().skip(1).map(|word| word.split_once(':'));
                let is_size =
                    details.all(|it| growth(kind, it.map_or("", |(_, detail)| detail)).is_some());
                assert!(of_call.contains(&kind) || is_size, "{line}");
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
