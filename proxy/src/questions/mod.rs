//! Use cases of questions: asking, answering clarifications, storing outcomes, memory, writing by the language model,
//! runs, traces, flags and experiments.
//!
//! HTTP routes and MCP tools are thin layers over them.

mod answer_summary;
mod ask;
mod asking;
mod cancel;
mod effects;
mod events;
mod experiment;
mod flags;
mod idempotency;
mod latest;
mod mark;
mod memory;
mod outcome;
mod popular;
mod problems;
mod record;
mod reported;
mod resume;
mod rounds;
mod run;
mod runs;
mod service;
mod settle;
mod stage_times;
mod tasks;
mod trace;
mod writer;
mod written;

pub(crate) use ask::{QueryRequest, ask};
pub(crate) use cancel::cancel;
pub(crate) use events::{EventReader, RunEvent};
pub use experiment::{Experiment, ExperimentError};
pub(crate) use flags::AskedFlags;
pub(crate) use idempotency::once;
pub(crate) use latest::{keep_latest, refer_latest};
pub(crate) use mark::{Feedback, mark};
pub(crate) use memory::not_shared;
pub(crate) use outcome::RoundOutcome;
pub use popular::Popular;
pub(crate) use reported::{Recorded, Reported, record_reported};
pub(crate) use resume::{Change, Resumed, change, open_clarifications, resume};
pub(crate) use rounds::{answer_of, round_once};
pub use runs::Runs;
pub use service::Questions;
pub(crate) use tasks::{Task, perform as perform_task};
pub(crate) use written::write_under;
