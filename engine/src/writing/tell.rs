//! Describes a statement in one sentence.

use crate::catalog::Catalog;
use wherefore_sql::explain::{explain, sentence};

/// Maximum length of the sentence, in characters.
const SENTENCE: usize = 600;

/// The description to confirm; the words of the model, marked as such, if a part of the statement cannot be described.
pub(super) fn told(catalog: &Catalog, sql: &str, by_model: &str) -> String {
    let read = explain(sql, catalog).map(|steps| sentence(&steps));
    let read = read.ok().filter(|it| !it.contains('`') && it.chars().count() <= SENTENCE);
    match (read, by_model) {
        (Some(read), _) => read,
        (None, "") => "A model wrote this statement and did not say what it does.".to_owned(),
        (None, said) => format!("The model says: {said}"),
    }
}
