//! A question of a data set with its gold interpretations.

use wherefore_engine::catalog::Catalog;

use super::edit::Edit;
use super::options::Options;

/// A question with its gold interpretations.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Id, unique in the data set.
    pub(crate) id: String,
    /// Type of question, as named in the data set.
    pub(crate) kind: String,
    /// Database, family of databases or domain by which a data set is divided into parts.
    pub(crate) division: String,
    /// The question.
    pub(crate) question: String,
    /// Data source of the question.
    pub(crate) place: Place,
    /// SQL of every interpretation; empty when the data set gives none.
    pub(crate) golds: Vec<String>,
    /// Whether each of several golds answers the same interpretation.
    pub(crate) one_of: bool,
    /// The asker's date, where the question has one of its own.
    pub(crate) today: Option<String>,
    /// Whether the data set labels the question ambiguous; `None` when its type does not say.
    pub(crate) ambiguous: Option<bool>,
}

impl Item {
    /// The asker's date: of the question, otherwise of the whole evaluation.
    pub(crate) fn today<'a>(&'a self, options: &'a Options) -> &'a str {
        self.today.as_deref().unwrap_or(&options.today)
    }

    /// Database of the question; empty for a schema without rows.
    pub(crate) fn database(&self) -> &str {
        match &self.place {
            Place::Database { id, .. } => id,
            Place::Schema(_) => "",
        }
    }
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
