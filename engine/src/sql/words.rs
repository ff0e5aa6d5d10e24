//! Word lists kept as data files: one entry a line, `#` starts a comment line.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::Dialect;

static RESERVED_POSTGRES: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| entries(include_str!("../../data/sql/reserved_postgres.txt")).collect());
static RESERVED_SQLITE: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| entries(include_str!("../../data/sql/reserved_sqlite.txt")).collect());

/// Entries of a data file, without comments and empty lines.
pub(crate) fn entries(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether a name of lower-case letters must be quoted because the dialect has another use for it.
pub(crate) fn is_reserved(name: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Postgres => RESERVED_POSTGRES.contains(name),
        Dialect::Sqlite => RESERVED_SQLITE.contains(name),
    }
}
