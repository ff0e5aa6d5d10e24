//! A part of a condition in words.

use super::noun::join_and;
use crate::sql::tree::SqlSpan;

impl Said {
    pub(super) fn plain(clause: impl Into<String>) -> Self {
        Self { attach: None, clause: clause.into() }
    }

    /// As it stands after the rows that it is about.
    pub(super) fn after_rows(&self) -> String {
        match &self.attach {
            Some(attach) => attach.clone(),
            None => format!("where {}", self.clause),
        }
    }
}

/// A condition in words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// To stand after the rows, such as `created in the last 30 days`, where it can be said so.
    pub(super) attach: Option<String>,
    /// To stand after `where`.
    pub(super) clause: String,
}

/// A part of a condition that holds together with others.
pub(super) struct Part {
    pub(super) said: Said,
    pub(super) span: SqlSpan,
    /// The only source that it is about.
    pub(super) source: Option<usize>,
}

/// Conditions as they stand after the rows that they are about.
pub(super) fn tail(parts: &[Said]) -> String {
    let attached: Vec<String> = parts.iter().filter_map(|part| part.attach.clone()).collect();
    let clauses: Vec<String> =
        parts.iter().filter(|part| part.attach.is_none()).map(|part| part.clause.clone()).collect();
    let mut words = join_and(&attached);
    if !clauses.is_empty() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str("where ");
        words.push_str(&clauses.join(" and "));
    }
    words
}
