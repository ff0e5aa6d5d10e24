//! Types that a CAST may name, and their spelling in each dialect.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::Dialect;
use super::words::entries;

/// Spellings of a type that CAST may name.
pub(crate) struct TypeEntry {
    postgres: &'static str,
    sqlite: &'static str,
    /// Maximum number of arguments (length, precision, scale).
    pub(crate) max_arguments: usize,
}

/// How a dialect spells a cast.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum CastSpelling {
    /// `name(operand)`.
    Function(&'static str),
    /// `CAST(operand AS name)`.
    Type(&'static str),
}

static TYPES: LazyLock<BTreeMap<&str, TypeEntry>> =
    LazyLock::new(|| read_table(include_str!("../data/types.tsv")));

/// The entry of a type name in lower case.
pub(crate) fn type_entry(name: &str) -> Option<&'static TypeEntry> {
    TYPES.get(name)
}

impl TypeEntry {
    /// How a dialect spells a cast to this type; `None` if it cannot.
    pub(crate) fn spelling(&self, dialect: Dialect) -> Option<CastSpelling> {
        let text = match dialect {
            Dialect::Postgres => self.postgres,
            Dialect::Sqlite => self.sqlite,
        };
        match text.strip_suffix("()") {
            Some(function) => Some(CastSpelling::Function(function)),
            None if text == "-" => None,
            None => Some(CastSpelling::Type(text)),
        }
    }
}

fn read_table(file: &'static str) -> BTreeMap<&'static str, TypeEntry> {
    let mut table = BTreeMap::new();
    for line in entries(file) {
        let mut fields = line.split('\t');
        let (Some(names), Some(postgres), Some(sqlite), Some(Ok(max_arguments))) =
            (fields.next(), fields.next(), fields.next(), fields.next().map(str::parse))
        else {
            continue;
        };
        for name in names.split(',') {
            table.insert(name, TypeEntry { postgres, sqlite, max_arguments });
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{entries, read_table, type_entry};

    #[test]
    fn every_line_of_the_type_table_is_read() {
        let file = include_str!("../data/types.tsv");
        let names: usize =
            entries(file).map(|line| line.split('\t').next().unwrap().split(',').count()).sum();
        assert_eq!(read_table(file).len(), names);
        assert!(type_entry("regclass").is_none());
    }
}
