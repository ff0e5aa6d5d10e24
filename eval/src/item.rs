//! A question of a data set with its gold interpretations.

use wherefore_engine::catalog::Catalog;

use super::edit::Edit;

/// A question with its gold interpretations.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Id, unique in the data set.
    pub(crate) id: String,
    /// Type of question, as named in the data set.
    pub(crate) kind: String,
    /// The question.
    pub(crate) question: String,
    /// Data source of the question.
    pub(crate) place: Place,
    /// SQL of every interpretation; empty when the data set gives none.
    pub(crate) golds: Vec<String>,
    /// Whether the data set labels the question ambiguous; `None` when its type does not say.
    pub(crate) ambiguous: Option<bool>,
}

/// Data source of a question.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A database and an optional edit of its schema.
    Database {
        /// File name without extension.
        id: String,
        /// Schema edit that makes the question ambiguous.
        edit: Option<Edit>,
    },
    /// A schema without rows.
    Schema(Box<Catalog>),
}
