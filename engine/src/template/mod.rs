//! Query templates: a known kind of question, answered by the statement that its pack gives.
//!
//! A template answers only where every word of the question is one of its own or the value of a parameter: nothing
//! that was asked is dropped. Values become literals of the tree, and the guard checks the statement with them.

mod answer;
mod ask;
mod index;
mod matching;
mod parameter;
mod question;
mod statement;
mod words;

pub(crate) use answer::TemplateAnswer;
pub(crate) use index::TemplateIndex;
pub(crate) use matching::Fit;
pub(crate) use question::TemplateQuestion;
pub use statement::TemplateStatement;
