//! The statement of a question: composed, from a template, or written by a model.

use serde::{Deserialize, Serialize};

use super::{Outcome, ProblemView};
use crate::compose::lower;
use crate::engine::Engine;
use crate::intent::QueryTree;
use crate::writing::WrittenStatement;
use wherefore_sql::print;

/// A statement to run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Statement {
    /// Composed from a query tree.
    Composed(Box<QueryTree>),
    /// From a template.
    Template(TemplateStatement),
    /// Written by a model.
    Model(Box<ModelStatement>),
}

/// The statement of a template.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct TemplateStatement {
    /// Name of the template.
    pub(super) name: String,
    pub(super) sql: String,
    /// Key of the first table in FROM.
    pub(super) table: Option<String>,
}

/// The statement of a model.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct ModelStatement {
    pub(super) written: WrittenStatement,
    /// How the question ends if the statement fails and cannot be repaired.
    pub(super) refusal: Box<Refusal>,
}

/// How a question ends if no model writes its statement.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Refusal {
    pub(super) reason: Unwritten,
    pub(super) problem: ProblemView,
}

/// Why no statement was written.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unwritten {
    /// The question could not be turned into a statement.
    GenerationFailed,
    /// The data cannot answer the question.
    OutOfScope,
}

impl Unwritten {
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::GenerationFailed => Outcome::GenerationFailed,
            Self::OutOfScope => Outcome::OutOfScope,
        }
    }
}

impl Statement {
    /// The query tree of a composed statement.
    pub(super) fn tree(&self) -> Option<&QueryTree> {
        match self {
            Self::Composed(tree) => Some(tree),
            Self::Template(_) | Self::Model(_) => None,
        }
    }

    /// Like [`Self::tree`], by value.
    pub(super) fn into_tree(self) -> Option<Box<QueryTree>> {
        match self {
            Self::Composed(tree) => Some(tree),
            Self::Template(_) | Self::Model(_) => None,
        }
    }

    /// Key of the first table in FROM.
    pub(super) fn table(&self) -> Option<&str> {
        match self {
            Self::Composed(tree) => Some(&tree.from),
            Self::Template(template) => template.table.as_deref(),
            Self::Model(model) => model.written.table.as_deref(),
        }
    }
}

/// SQL of a query tree in the catalog's dialect; the error says why it cannot be printed.
pub(super) fn printed(
    engine: &Engine,
    tree: &QueryTree,
    limit: Option<u32>,
    offset: u32,
) -> Result<String, String> {
    let query = lower(engine.catalog(), tree, limit, offset);
    print(&query, engine.catalog().dialect).map_err(|error| error.to_string())
}
