//! Word lists in data files: one entry per line; a line that starts with `#` is a comment.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::Dialect;

static RESERVED_POSTGRES: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| entries(include_str!("../data/reserved_postgres.txt")).collect());
static RESERVED_SQLITE: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| entries(include_str!("../data/reserved_sqlite.txt")).collect());

static RESERVED_MYSQL: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| entries(include_str!("../data/reserved_mysql.txt")).collect());

/// Words that DuckDB reserves and PostgreSQL does not.
const RESERVED_DUCKDB: [&str; 20] = [
    "anti",
    "asof",
    "at",
    "by",
    "columns",
    "describe",
    "generated",
    "glob",
    "grouping_id",
    "lambda",
    "map",
    "pivot",
    "pivot_longer",
    "pivot_wider",
    "positional",
    "qualify",
    "semi",
    "show",
    "summarize",
    "unpivot",
];

/// Entries of a data file, without comments and empty lines.
pub(crate) fn entries(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether a lower-case name is a keyword of the dialect and must be quoted.
pub(crate) fn is_reserved(name: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Postgres => RESERVED_POSTGRES.contains(name),
        Dialect::Sqlite => RESERVED_SQLITE.contains(name),
    }
}

/// Whether a lower-case name must be quoted in DuckDB although it need not be in PostgreSQL.
pub(crate) fn is_reserved_in_duckdb(name: &str) -> bool {
    RESERVED_DUCKDB.contains(&name) || name == "unpack"
}

/// Whether a lower-case name must be quoted in MySQL or MariaDB, where `_utf8` begins a string.
pub(crate) fn is_reserved_in_mysql(name: &str) -> bool {
    name.starts_with('_') || RESERVED_MYSQL.contains(name)
}
