//! What a statement computes, in one sentence that is read off it.

use crate::catalog::Catalog;
use crate::sql::explain::{explain, sentence};

/// Longest sentence that is read, in characters.
const SENTENCE: usize = 600;

/// The sentence to be confirmed; the model's own words, as such, where a part of the statement has no words.
pub(super) fn told(catalog: &Catalog, sql: &str, by_model: &str) -> String {
    let read = explain(sql, catalog).map(|steps| sentence(&steps));
    let read = read.ok().filter(|it| !it.contains('`') && it.chars().count() <= SENTENCE);
    match (read, by_model) {
        (Some(read), _) => read,
        (None, "") => "A model wrote this statement and did not say what it does.".to_owned(),
        (None, said) => format!("The model says: {said}"),
    }
}
