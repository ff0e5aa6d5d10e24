//! Words of the names in a catalog, split and stemmed once.

use super::identifier::words_of_identifier;
use crate::catalog::{Catalog, Table};
use crate::text::Stems;

/// Words of one name.
#[derive(Clone, Debug, Default)]
pub(super) struct Name {
    /// Folded words.
    pub(super) words: Vec<String>,
    /// Their stems.
    pub(super) stems: Vec<String>,
}

/// Words of the names of a table and its columns.
#[derive(Clone, Debug, Default)]
pub(super) struct TableNames {
    /// Name of the table.
    pub(super) own: Name,
    /// Names of the columns.
    pub(super) columns: Vec<Name>,
}

impl Name {
    fn new(name: &str, stems: &mut Stems) -> Self {
        let words = words_of_identifier(name);
        let stems = stems.all(&words);
        Self { words, stems }
    }
}

impl TableNames {
    /// The names of one table.
    pub(super) fn new(table: &Table, stems: &mut Stems) -> Self {
        Self {
            own: Name::new(&table.name, stems),
            columns: table.columns.iter().map(|column| Name::new(&column.name, stems)).collect(),
        }
    }

    /// The names of all tables, in catalog order.
    pub(super) fn all(catalog: &Catalog, stems: &mut Stems) -> Vec<Self> {
        catalog.tables.iter().map(|table| Self::new(table, stems)).collect()
    }
}
