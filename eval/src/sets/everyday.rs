//! Everyday questions of this repository, each with the SQL of every accepted answer.

use serde::Deserialize;

use crate::item::{Item, Place};

/// A question in the file.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    id: String,
    db_id: String,
    kind: String,
    question: String,
    golds: Vec<String>,
    #[serde(default)]
    today: Option<String>,
}

/// Items of the file; the type is the kind of question.
pub(super) fn items(records: Vec<Record>) -> Vec<Item> {
    records
        .into_iter()
        .map(|record| Item {
            id: record.id,
            kind: record.kind,
            division: record.db_id.clone(),
            question: record.question,
            place: Place::Database { id: record.db_id, edit: None },
            golds: record.golds,
            one_of: true,
            today: record.today,
            ambiguous: Some(false),
        })
        .collect()
}
