//! Writing: statements by a language model. Drafts are checked and scored before they leave this module.

mod brief;
mod extracted;
mod required;
mod written;

#[cfg(feature = "sql")]
mod admit;
#[cfg(feature = "sql")]
mod areas;
#[cfg(feature = "sql")]
mod ask;
#[cfg(feature = "sql")]
mod asked;
#[cfg(feature = "sql")]
mod choice;
#[cfg(feature = "sql")]
mod difference;
#[cfg(feature = "sql")]
mod facts;
#[cfg(feature = "sql")]
mod held;
#[cfg(feature = "sql")]
mod judge;
#[cfg(feature = "sql")]
mod machine;
#[cfg(feature = "sql")]
mod missing;
#[cfg(feature = "sql")]
mod option;
#[cfg(feature = "sql")]
mod packet;
#[cfg(feature = "sql")]
mod rank;
#[cfg(feature = "sql")]
mod reply;
#[cfg(feature = "sql")]
mod score;
#[cfg(feature = "sql")]
mod settings;
#[cfg(feature = "sql")]
mod similar;
#[cfg(feature = "sql")]
mod single;
#[cfg(feature = "sql")]
mod skeleton;
#[cfg(feature = "sql")]
mod taken;
#[cfg(feature = "sql")]
mod task;
#[cfg(feature = "sql")]
mod tell;
#[cfg(feature = "sql")]
mod values;
#[cfg(feature = "sql")]
mod ways;

#[cfg(all(test, feature = "sql"))]
mod tests;

pub use brief::{Brief, DecidedWords, FailedStatement, Said, Shape, Tie};
pub use extracted::ExtractedParameter;
#[cfg(feature = "sql")]
pub use machine::{Call, CallFailure, CallResult, Writing, WritingError};
pub use required::Required;
#[cfg(feature = "sql")]
pub use settings::{WritingFlags, WritingSettings};
#[cfg(feature = "sql")]
pub use similar::{Similarity, table_texts};
#[cfg(feature = "sql")]
pub use single::{SingleAnswer, SingleTask};
#[cfg(feature = "sql")]
pub use task::{ModelRole, Prompt, PromptSource, TaskKind};
pub use written::{
    Mode, StatedAssumption, SubQuestion, TraceEntry, Writer, WritingStage, WritingStep, Written,
    WrittenOption, WrittenQuestion, WrittenStatement,
};
