//! Conditions as phrases.

use crate::tree::SqlSpan;
use wherefore_english::and_list;

impl Said {
    pub(super) fn plain(clause: impl Into<String>) -> Self {
        Self { attach: None, clause: clause.into() }
    }

    /// The phrase to follow the noun for the rows.
    pub(super) fn after_rows(&self) -> String {
        match &self.attach {
            Some(attach) => attach.clone(),
            None => format!("where {}", self.clause),
        }
    }
}

/// A condition as a phrase.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// Form that follows a noun directly, such as `created in the last 30 days`, if there is one.
    pub(super) attach: Option<String>,
    /// Form that follows `where`.
    pub(super) clause: String,
}

/// A described conjunct.
pub(super) struct Part {
    pub(super) said: Said,
    pub(super) span: SqlSpan,
    /// Index of the only source that the conjunct refers to, if there is one.
    pub(super) source: Option<usize>,
}

/// Conditions as one phrase to follow the noun for the rows.
pub(super) fn tail(parts: &[Said]) -> String {
    let attached: Vec<String> = parts.iter().filter_map(|part| part.attach.clone()).collect();
    let clauses: Vec<String> =
        parts.iter().filter(|part| part.attach.is_none()).map(|part| part.clause.clone()).collect();
    let mut words = and_list(&attached);
    if !clauses.is_empty() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str("where ");
        words.push_str(&clauses.join(" and "));
    }
    words
}
