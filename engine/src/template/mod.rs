//! Query templates: questions that are answered by a prepared statement of the catalog.
//!
//! A template matches only if every word of the question belongs to an example or is the value of a parameter, so that
//! no part of the question is ignored. Values become literals of the tree, which the guard checks.

mod answer;
mod ask;
mod check;
mod confidence;
mod extracted;
mod formed;
mod index;
mod matching;
mod parameter;
mod question;
mod statement;
mod words;

pub(crate) use answer::TemplateAnswer;
pub use check::{ParameterFault, ParameterField, check_parameter};
pub use confidence::{ParameterSource, ParameterValue};
pub(crate) use extracted::Extraction;
pub(crate) use index::TemplateIndex;
pub(crate) use matching::Fit;
pub(crate) use question::TemplateQuestion;
pub use statement::TemplateStatement;
