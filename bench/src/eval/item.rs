//! A question of a set, with what is known about it.

use wherefore_engine::catalog::Catalog;

use super::edit::Edit;

/// A question with its gold interpretations.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Id within its set.
    pub(crate) id: String,
    /// Type, as the set names it.
    pub(crate) kind: String,
    /// The question as typed.
    pub(crate) question: String,
    /// What it is asked about.
    pub(crate) place: Place,
    /// SQL of every interpretation; empty where the set gives none.
    pub(crate) golds: Vec<String>,
    /// Whether the set calls it ambiguous; absent where that is no question of the type.
    pub(crate) ambiguous: Option<bool>,
}

/// What a question is asked about.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A database by its id, with an edit of its schema.
    Database {
        /// Name of the file, without its ending.
        id: String,
        /// Edit that makes the question ambiguous.
        edit: Option<Edit>,
    },
    /// A schema without rows.
    Schema(Box<Catalog>),
}
