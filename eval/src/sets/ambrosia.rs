//! AMBROSIA: ambiguous and clear questions, with the SQL of every interpretation.

use serde::Deserialize;

use crate::item::{Item, Place};

/// A question in the file.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    id: String,
    db_id: String,
    domain: String,
    question: String,
    is_ambiguous: bool,
    ambig_type: String,
    gold_queries: Vec<String>,
}

/// Items of the file; the type is the type of ambiguity.
pub(super) fn items(records: Vec<Record>) -> Vec<Item> {
    records
        .into_iter()
        .map(|record| Item {
            id: record.id,
            kind: record.ambig_type,
            division: record.domain,
            question: record.question,
            place: Place::Database { id: record.db_id, edit: None },
            golds: record.gold_queries,
            one_of: false,
            today: None,
            ambiguous: Some(record.is_ambiguous),
        })
        .collect()
}
