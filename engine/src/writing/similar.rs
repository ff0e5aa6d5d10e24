//! Tables that an embedding model finds similar to a question.

use serde::{Deserialize, Serialize};
use wherefore_english::name_words;

use crate::catalog::{Catalog, Table};

/// Maximum length of the text of a table, in characters.
const TEXT: usize = 2_000;

/// Tables by their similarity to a question, and how they were found.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Similarity {
    /// Keys of tables, each with the cosine of its text and the question, most similar first.
    pub tables: Vec<(String, f64)>,
    /// How they were found, or why there are none, for the trace; empty if they were not looked for.
    pub note: String,
}

/// What else is known of the tables that a question needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clues<'a> {
    /// Table and column names, such as those of a sketch.
    pub(super) wanted: &'a [String],
    /// Tables that are similar to the question, with their cosine, most similar first.
    pub(super) similar: &'a [(String, f64)],
}

/// Each table with its key and a text for an embedding: names, descriptions and synonyms, but no stored values.
pub fn table_texts(catalog: &Catalog) -> Vec<(String, String)> {
    catalog.tables.iter().map(|table| (table.key(), text(table))).collect()
}

fn text(table: &Table) -> String {
    let mut parts = vec![name_words(&table.name), table.description.clone()];
    parts.extend(table.synonyms.iter().cloned());
    for column in &table.columns {
        parts.push(name_words(&column.name));
        parts.push(column.description.clone());
    }
    parts.retain(|part| !part.is_empty());
    parts.join(". ").chars().take(TEXT).collect()
}
