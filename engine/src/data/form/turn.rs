//! Turns of speech.

use serde::Deserialize;

/// `data/turns.toml`: turns of speech with the words that they are read as.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turns {
    /// Words that a question begins with behind a preface and a mark: "…, which customers …".
    pub(crate) requests: Vec<String>,
    /// Words that end a preface: "the auditor wants to know".
    pub(crate) wishes: Vec<String>,
    /// The turns, the more specific ones first.
    pub(crate) turns: Vec<Turn>,
}

/// One turn of speech, in any of several forms.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turn {
    /// Patterns of words: `a|b` is either word, `a?` may be absent, `{x}` stands for one to six words and `{x:2}` for at
    /// most two. `^` at the start and `$` at the end bind a pattern to the ends of the question.
    pub(crate) said: Vec<String>,
    /// The words that take their place, with the same `{x}`.
    pub(crate) read: String,
    /// Whether it is read so even where the words as they stand can be read.
    #[serde(default)]
    pub(crate) firm: bool,
    /// A word of the name of a column that the statement has to read for the turn to be taken: "discount" of "after
    /// discounts", which is left out where the amount is net of it anyway.
    #[serde(default)]
    pub(crate) needs: Option<String>,
}
