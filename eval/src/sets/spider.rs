//! Spider: clear questions, each with its SQL.

use serde::Deserialize;

use crate::item::{Item, Place};

/// A question in the file.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    id: String,
    db_id: String,
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
            division: record.db_id.clone(),
            question: record.question,
            place: Place::Database { id: record.db_id, edit: None },
            golds: vec![record.query],
            one_of: false,
            today: None,
            ambiguous: Some(false),
        })
        .collect()
}
