//! `GeoQuery`: clear questions on one database, each with its SQL.

use serde::Deserialize;

use crate::item::{Item, Place};

/// The only database.
const DATABASE: &str = "geography";

/// A question in the file.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    id: String,
    question: String,
    query: String,
}

/// Items of the file.
pub(super) fn items(records: Vec<Record>) -> Vec<Item> {
    records
        .into_iter()
        .map(|record| Item {
            id: record.id,
            kind: "clear".to_owned(),
            division: DATABASE.to_owned(),
            question: record.question,
            place: Place::Database { id: DATABASE.to_owned(), edit: None },
            golds: vec![record.query],
            one_of: false,
            today: None,
            ambiguous: Some(false),
        })
        .collect()
}
