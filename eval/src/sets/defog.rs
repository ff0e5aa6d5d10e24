//! defog: questions with the SQL of every accepted answer, and questions that the database cannot answer.

use serde::Deserialize;

use crate::item::{Item, Place};

/// Date on which the relative dates of the golds depend.
const TODAY: &str = "2025-01-15";

/// A question in either file.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    id: String,
    db_id: String,
    category: String,
    question: String,
    #[serde(default)]
    gold_queries_any_of: Vec<String>,
}

/// Items of the file; the type is the category of the question.
pub(super) fn items(records: Vec<Record>) -> Vec<Item> {
    records
        .into_iter()
        .map(|record| Item {
            id: record.id,
            kind: record.category,
            division: record.db_id.clone(),
            question: record.question,
            place: Place::Database { id: record.db_id, edit: None },
            golds: record.gold_queries_any_of,
            one_of: true,
            today: Some(TODAY.to_owned()),
            ambiguous: None,
        })
        .collect()
}
