//! TriageSQL: questions of five classes on schemas that hold only names.

use std::collections::BTreeMap;

use serde::Deserialize;
use wherefore_engine::catalog::{Catalog, Column, Table};

use crate::item::{Item, Place};

/// A question in the file.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    /// Column names by table.
    tables: BTreeMap<String, Vec<String>>,
    #[serde(rename = "type")]
    kind: String,
    databaseid: String,
    question: String,
}

/// Items of the file; only the classes *answerable* and *ambiguous* carry an ambiguity label.
pub(super) fn items(records: Vec<Record>) -> Vec<Item> {
    records
        .into_iter()
        .enumerate()
        .map(|(number, record)| Item {
            id: format!("triage-{number}"),
            ambiguous: match record.kind.as_str() {
                "ambiguous" => Some(true),
                "answerable" => Some(false),
                _ => None,
            },
            kind: record.kind,
            division: record.databaseid,
            question: record.question,
            place: Place::Schema(Box::new(catalog(record.tables))),
            golds: Vec::new(),
            one_of: false,
            today: None,
        })
        .collect()
}

fn catalog(tables: BTreeMap<String, Vec<String>>) -> Catalog {
    let column = |name: String| Column { name, nullable: true, ..Column::default() };
    let tables = tables.into_iter().map(|(name, columns)| Table {
        name,
        columns: columns.into_iter().map(column).collect(),
        ..Table::default()
    });
    Catalog { name: "schema".to_owned(), tables: tables.collect(), ..Catalog::default() }
}
