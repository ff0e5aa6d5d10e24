//! The dialect tables of `sql/data`: names of functions, types and date parts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::print::Target;
use crate::read::ReadDialect;
use crate::words::entries;

/// The number of arguments that a table row applies to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Arity {
    /// A name without parentheses.
    Bare,
    /// Exactly this many arguments.
    Exactly(usize),
    /// At least this many arguments.
    AtLeast(usize),
}

/// The translation of a function.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Meaning {
    /// Another name with the same arguments.
    Name(&'static str),
    /// Not translatable, with the reason.
    Refused(&'static str),
    /// A template: an expression with placeholders for the arguments.
    Template(&'static str),
}

/// The rows of one name, in file order.
pub(super) type Lines = Vec<(Arity, Meaning)>;
type Table = BTreeMap<(&'static str, &'static str), Lines>;

static FOREIGN: LazyLock<Table> =
    LazyLock::new(|| functions(include_str!("../../data/functions_foreign.tsv")));
static TARGETS: LazyLock<Table> =
    LazyLock::new(|| functions(include_str!("../../data/functions_targets.tsv")));
static DRAFTS: LazyLock<Table> =
    LazyLock::new(|| functions(include_str!("../../data/functions_drafts.tsv")));
static KNOWN: LazyLock<BTreeMap<&str, BTreeSet<&str>>> =
    LazyLock::new(|| names(include_str!("../../data/functions_known.txt")));
static OTHERS: LazyLock<BTreeMap<&str, BTreeSet<&str>>> =
    LazyLock::new(|| names(include_str!("../../data/functions_other_targets.txt")));
static PARTS: LazyLock<BTreeMap<(&str, &str), &str>> =
    LazyLock::new(|| triples(include_str!("../../data/date_parts.tsv")));
static TYPES: LazyLock<BTreeMap<(&str, &str), &str>> =
    LazyLock::new(|| triples(include_str!("../../data/types_foreign.tsv")));

/// Name of a source dialect in the tables.
pub(super) fn dialect_name(dialect: ReadDialect) -> &'static str {
    match dialect {
        ReadDialect::Bigquery => "bigquery",
        ReadDialect::Duckdb => "duckdb",
        ReadDialect::Mssql => "mssql",
        ReadDialect::Mysql => "mysql",
        ReadDialect::Postgres => "postgres",
        ReadDialect::Sqlite => "sqlite",
        ReadDialect::Oracle => "oracle",
        ReadDialect::Redshift => "redshift",
        ReadDialect::Snowflake => "snowflake",
    }
}

/// Name of a target in the tables.
pub(super) fn target_name(target: Target) -> &'static str {
    match target {
        Target::Postgres => "postgres",
        Target::Sqlite => "sqlite",
        Target::Tsql => "tsql",
        Target::Bigquery => "bigquery",
        Target::Mysql => "mysql",
        Target::Snowflake => "snowflake",
        Target::Trino => "trino",
        Target::Duckdb => "duckdb",
        Target::Spark | Target::Databricks => "spark",
    }
}

/// Translation of a source dialect's function into the tree's vocabulary; `None` if the table has no row for it.
pub(super) fn foreign(
    name: &str,
    arguments: Option<usize>,
    dialect: ReadDialect,
) -> Option<Meaning> {
    fitting(FOREIGN.get(&(dialect_name(dialect), name)), arguments)
}

/// Meaning of another database's function in a statement that is meant for a data source; `None` if no row differs from
/// that of the other database.
pub(super) fn drafted(name: &str, arguments: usize, own: crate::Dialect) -> Option<Meaning> {
    fitting(DRAFTS.get(&(target_name(own.into()), name)), Some(arguments))
}

/// Translation of a function of the tree for a target; `None` if the table has no row for it.
pub(super) fn targeted(name: &str, arguments: usize, target: Target) -> Option<Meaning> {
    fitting(TARGETS.get(&(target_name(target), name)), Some(arguments))
}

/// Whether the name is a function of this dialect whose meaning elsewhere is unknown.
pub(super) fn is_special(name: &str, dialect: ReadDialect) -> bool {
    let listed = |key: &str| KNOWN.get(key).is_some_and(|names| names.contains(name));
    let dialect_key = dialect_name(dialect);
    dialect != ReadDialect::Postgres
        && (listed(dialect_key) || FOREIGN.contains_key(&(dialect_key, name)))
}

/// Whether a target has a function of the tree under the same name.
pub(super) fn has_function(name: &str, target: Target) -> bool {
    use crate::Dialect;
    use crate::guard::is_listed;
    match target {
        Target::Postgres => {
            is_listed(name, Dialect::Postgres)
                || KNOWN.get("postgres").is_some_and(|names| names.contains(name))
        }
        Target::Sqlite => is_listed(name, Dialect::Sqlite),
        Target::Tsql
        | Target::Bigquery
        | Target::Mysql
        | Target::Snowflake
        | Target::Databricks
        | Target::Trino
        | Target::Duckdb
        | Target::Spark => {
            OTHERS.get(target_name(target)).is_some_and(|names| names.contains(name))
        }
    }
}

/// Whether any server is known to have a function of this name.
pub(super) fn is_known_anywhere(name: &str) -> bool {
    use crate::Dialect;
    use crate::guard::is_listed;
    is_listed(name, Dialect::Postgres)
        || is_listed(name, Dialect::Sqlite)
        || KNOWN.values().chain(OTHERS.values()).any(|names| names.contains(name))
        || FOREIGN.keys().chain(TARGETS.keys()).any(|(_, known)| *known == name)
}

/// The tree's date field for a unit or date part of a dialect.
pub(super) fn date_part(name: &str, dialect: &str) -> Option<&'static str> {
    PARTS.get(&(dialect, name)).or_else(|| PARTS.get(&("*", name))).copied()
}

/// The tree's type for a type of a dialect, as spelled in the table.
pub(super) fn type_of(name: &str, dialect: ReadDialect) -> Option<&'static str> {
    TYPES.get(&(dialect_name(dialect), name)).copied()
}

fn fitting(lines: Option<&Lines>, arguments: Option<usize>) -> Option<Meaning> {
    let (_, meaning) = lines?.iter().find(|(arity, _)| match (arity, arguments) {
        (Arity::Bare, None) => true,
        (Arity::Exactly(count), Some(arguments)) => *count == arguments,
        (Arity::AtLeast(count), Some(arguments)) => *count <= arguments,
        _ => false,
    })?;
    Some(*meaning)
}

fn functions(file: &'static str) -> Table {
    let mut table = Table::new();
    for line in entries(file) {
        let mut fields = line.split('\t');
        let (Some(dialects), Some(name), Some(arity), Some(meaning)) =
            (fields.next(), fields.next(), fields.next().and_then(arity), fields.next())
        else {
            continue;
        };
        for dialect in dialects.split(',') {
            table.entry((dialect, name)).or_default().push((arity, self::meaning(meaning)));
        }
    }
    table
}

fn arity(text: &str) -> Option<Arity> {
    match text.strip_suffix('+') {
        _ if text == "bare" => Some(Arity::Bare),
        Some(count) => count.parse().ok().map(Arity::AtLeast),
        None => text.parse().ok().map(Arity::Exactly),
    }
}

fn meaning(text: &'static str) -> Meaning {
    let is_name = text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    match text.strip_prefix("! ") {
        Some(reason) => Meaning::Refused(reason),
        None if is_name => Meaning::Name(text),
        None => Meaning::Template(text),
    }
}

fn names(file: &'static str) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut lists: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in entries(file) {
        let mut words = line.split_whitespace();
        lists.entry(words.next().unwrap_or_default()).or_default().extend(words);
    }
    lists
}

/// Reads rows of dialects, names and a value, keyed by dialect and name.
fn triples(file: &'static str) -> BTreeMap<(&'static str, &'static str), &'static str> {
    let mut table = BTreeMap::new();
    for line in entries(file) {
        let mut fields = line.split('\t');
        let (Some(dialects), Some(names), Some(what)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        for dialect in dialects.split(',') {
            for name in names.split(',') {
                table.entry((dialect, name)).or_insert(what);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::template::parsed;
    use super::{Arity, Meaning, Table, arity, entries, foreign};
    use crate::ReadDialect;

    const FILES: [&str; 3] = [
        include_str!("../../data/functions_drafts.tsv"),
        include_str!("../../data/functions_foreign.tsv"),
        include_str!("../../data/functions_targets.tsv"),
    ];

    #[test]
    fn every_line_has_its_fields() {
        for line in FILES.into_iter().flat_map(entries) {
            let fields: Vec<&str> = line.split('\t').collect();
            assert!(fields.len() == 4 && arity(fields[2]).is_some(), "{line}");
        }
    }

    #[test]
    fn every_template_is_an_expression() {
        for table in FILES.map(super::functions) {
            let table: Table = table;
            for (name, lines) in &table {
                for (_, meaning) in lines {
                    if let Meaning::Template(text) = meaning {
                        assert!(parsed(text).is_some(), "{name:?}: {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_triple_has_its_fields() {
        for file in [
            include_str!("../../data/date_parts.tsv"),
            include_str!("../../data/types_foreign.tsv"),
        ] {
            for line in entries(file) {
                assert_eq!(line.split('\t').count(), 3, "{line}");
            }
        }
    }

    #[test]
    fn the_first_line_that_fits_counts() {
        assert_eq!(foreign("ifnull", Some(2), ReadDialect::Mysql), Some(Meaning::Name("coalesce")));
        assert_eq!(foreign("ifnull", Some(3), ReadDialect::Mysql), None);
        assert!(foreign("sysdate", None, ReadDialect::Oracle).is_some());
        assert_eq!(arity("2+"), Some(Arity::AtLeast(2)));
    }
}
