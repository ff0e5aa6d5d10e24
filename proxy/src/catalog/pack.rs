//! Packs: TOML files that describe a data source beyond its schema: descriptions, synonyms, metrics, templates.

mod format;
mod merge;
mod template;
mod term;

pub use merge::merge;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use thiserror::Error;
use wherefore_engine::catalog::Catalog;

use format::Refusal;

/// Why a pack was rejected.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum PackError {
    /// What the pack says cannot be used.
    #[error("{}:{line}: {reason}", path.display())]
    Invalid {
        /// Path of the pack.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The reason, with the name in question.
        reason: String,
    },
    /// There is no such file.
    #[error("pack {}: there is no such file", .0.display())]
    Missing(PathBuf),
    /// The file cannot be read.
    #[error("pack {}: {reason}", path.display())]
    Unreadable {
        /// Path of the pack.
        path: PathBuf,
        /// The reason, from the operating system.
        reason: String,
    },
}

/// Reads a pack and merges it into the catalog.
///
/// Names that the catalog does not have, and duplicate names, are errors.
pub fn apply(path: &Path, catalog: &mut Catalog) -> Result<(), PackError> {
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => PackError::Missing(path.to_owned()),
        _ => PackError::Unreadable { path: path.to_owned(), reason: error.to_string() },
    })?;
    apply_text(&text, catalog).map_err(|(place, reason)| PackError::Invalid {
        path: path.to_owned(),
        line: line_of(&text, place.start),
        reason,
    })
}

fn apply_text(text: &str, catalog: &mut Catalog) -> Result<(), Refusal> {
    let pack: format::Pack = toml::from_str(text)
        .map_err(|error| (error.span().unwrap_or_default(), error.message().to_owned()))?;
    merge(pack, catalog)
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use wherefore_engine::catalog::{Catalog, Column, DataType, Table};

    use super::{apply_text, line_of};

    fn catalog() -> Catalog {
        let column = |name: &str| Column { name: name.into(), ..Column::default() };
        let table = |name: &str, columns: &[&str]| Table {
            name: name.into(),
            columns: columns.iter().map(|name| column(name)).collect(),
            ..Table::default()
        };
        Catalog {
            tables: vec![
                table("orders", &["id", "total", "ordered_on"]),
                table("items", &["quantity", "unit_price"]),
            ],
            ..Catalog::default()
        }
    }

    fn refusal(pack: &str) -> (usize, String) {
        let (place, reason) = apply_text(pack, &mut catalog()).unwrap_err();
        (line_of(pack, place.start), reason)
    }

    #[test]
    fn what_a_pack_says_is_in_the_catalog() {
        let mut catalog = catalog();
        apply_text(
            r#"
            name = "Shop"
            [[areas]]
            name = "sales"
            title = "Sales"
            [[tables]]
            name = "orders"
            area = "sales"
            synonyms = ["purchase"]
            date_column = "ordered_on"
            [[tables.columns]]
            name = "total"
            unit = "EUR"
            roles = ["amount"]
            sensitive = true
            [[metrics]]
            name = "revenue"
            aggregate = "sum"
            table = "items"
            expression = "quantity * unit_price"
            date_column = "orders.ordered_on"
            "#,
            &mut catalog,
        )
        .unwrap();
        assert_eq!(catalog.name, "Shop");
        assert_eq!(catalog.tables[0].area.as_deref(), Some("sales"));
        assert_eq!(catalog.tables[0].columns[1].unit.as_deref(), Some("EUR"));
        assert!(catalog.tables[0].columns[1].sensitive);
        assert_eq!(catalog.metrics[0].expression, "quantity * unit_price");
    }

    // Promise: asking.company-terms
    #[test]
    fn vague_terms_are_in_the_catalog_with_the_keys_of_their_tables() {
        let mut catalog = catalog();
        catalog.tables[0].schema = Some("sales".into());
        catalog.tables[0].columns[1].data_type = DataType::Number;
        let pack = "[[terms]]\nforms = [\"jumbo\"]\ncolumns = [\"orders.total\"]\n\
            options = [{ label = \"over 500\", above = 500, default = true }]\n";
        apply_text(pack, &mut catalog).unwrap();
        assert_eq!(catalog.terms[0].columns, ["sales.orders.total"]);
        assert_eq!(catalog.terms[0].options[0].above, Some(500.0));
    }

    // Promise: asking.company-terms
    #[test]
    fn faulty_vague_terms_are_refused_with_their_line() {
        for (rest, line, name) in [
            (
                "forms = []\nroles = [\"amount\"]\noptions = [{ label = \"x\", above = 1, default = true }]",
                1,
                "form",
            ),
            (
                "forms = [\"big\"]\nroles = [\"amont\"]\noptions = [{ label = \"x\", above = 1, default = true }]",
                1,
                "amont",
            ),
            (
                "forms = [\"big\"]\ncolumns = [\n\"orders.total\",\n\"orders.totl\"]\noptions = [{ label = \"x\", missing = true, default = true }]",
                5,
                "totl",
            ),
            (
                "forms = [\"big\"]\ncolumns = [\"orders.total\"]\noptions = [\n{ label = \"x\", missing = true, default = true },\n{ label = \"y\" }]",
                6,
                "exactly one condition",
            ),
            (
                "forms = [\"big\"]\ncolumns = [\"orders.total\"]\noptions = [\n{ label = \"x\", missing = true, column = \"oders.id\", default = true }]",
                5,
                "oders",
            ),
            (
                "forms = [\"big\"]\ncolumns = [\"orders.total\"]\noptions = [\n{ label = \"x\", missing = true }]",
                1,
                "default",
            ),
            (
                "forms = [\"big\"]\ncolumns = [\"orders.total\"]\noptions = [\n{ label = \"x\", within_days = 3, default = true }]",
                5,
                "a date",
            ),
            (
                "forms = [\"big\"]\ncolumns = [\"orders.total\"]\noptions = [\n{ label = \"x\", over = 3, default = true }]",
                5,
                "over",
            ),
        ] {
            let (found, reason) = refusal(&format!("[[terms]]\n{rest}\n"));
            assert_eq!(found, line, "{reason}");
            assert!(reason.contains(name), "{reason}");
        }
    }

    #[test]
    fn names_that_are_not_there_are_refused_with_their_line() {
        for (pack, line, name) in [
            ("name = \"x\"\n[[tables]]\nname = \"oders\"\n", 3, "oders"),
            ("[[tables]]\nname = \"orders\"\n[[tables.columns]]\nname = \"totl\"\n", 4, "totl"),
            ("[[tables]]\nname = \"orders\"\nlabel_columns = [\n\"id\",\n\"nam\"]\n", 5, "nam"),
            ("[[tables]]\nname = \"orders\"\narea = \"sales\"\n", 3, "sales"),
            (
                "[[metrics]]\nname = \"m\"\naggregate = \"sum\"\ntable = \"items\"\nexpression = \"quantity * price\"\n",
                5,
                "price",
            ),
            (
                "[[metrics]]\nname = \"m\"\naggregate = \"sum\"\ntable = \"items\"\ndate_column = \"orders.day\"\n",
                5,
                "day",
            ),
            ("[[tables]]\nname = \"orders\"\ntitle = \"x\"\n", 3, "title"),
            ("[[tables]]\nname = \"orders\"\n[[tables]]\nname = \"orders\"\n", 4, "orders"),
        ] {
            let (found, reason) = refusal(pack);
            assert_eq!(found, line, "{reason}");
            assert!(reason.contains(name), "{reason}");
        }
    }
}
