//! The state machine of writing: takes replies of models and EXPLAIN, and returns further calls, until it has a
//! statement, questions or a failure.

mod extracting;
mod fitting;
mod progress;
mod replies;
mod stages;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::judge::Judged;
use super::reply::Asked;
use super::similar::{Clues, Similarity};
use super::task::{Prompt, PromptSource};
use super::{Brief, SingleTask, TraceEntry, WritingSettings, WritingStep, Written};
use crate::catalog::Catalog;

/// Version of the serialised state.
const VERSION: u32 = 2;

/// The writing of one statement, as plain data that can be stored between calls and resumed in another process.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Writing {
    version: u32,
    brief: Brief,
    settings: WritingSettings,
    nonce: String,
    phase: Phase,
    pending: BTreeMap<u32, Purpose>,
    /// Id of the next call.
    next: u32,
    told: Told,
    drafts: Vec<Judged>,
    replies: Replies,
    repairs: Repairs,
    /// How often prompts were made smaller.
    #[serde(default)]
    shrinks: u8,
    trace: Vec<TraceEntry>,
    #[serde(default)]
    progress: Vec<WritingStep>,
}

/// The purpose of the pending calls, with the data that only they need.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    /// A model takes the values of a template's parameters out of the question.
    Extracting,
    /// A model guesses which tables and columns the question needs.
    Sketching,
    /// A model judges each candidate table separately.
    JudgingTables {
        /// Keys of the candidate tables, best first.
        candidates: Vec<String>,
        /// Tables judged relevant so far.
        relevant: Vec<Relevant>,
    },
    /// A model chooses among the relevant tables.
    ChoosingTables { relevant: Vec<Relevant> },
    /// A model lists the parts that the statement needs.
    Needing,
    /// Models write drafts.
    Drafting {
        /// Whether this is the second attempt, after no reply was usable.
        again: bool,
    },
    /// The data source explains the drafts.
    Explaining,
    /// A model repairs a draft.
    Repairing {
        /// Index of the draft.
        draft: usize,
        /// Number of drafts before the repair.
        before: usize,
    },
    /// Nothing is pending.
    Done(Box<Written>),
}

/// What prompts contain about the data.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct Told {
    /// Table and column names from the sketch.
    wanted: Vec<String>,
    /// Tables that are similar to the question, with their cosine, most similar first.
    #[serde(default)]
    similar: Vec<(String, f64)>,
    /// Keys of the chosen tables; `None` if prompts contain as many tables as fit.
    tables: Option<Vec<String>>,
    /// Parts that the statement needs, as a model listed them.
    needs: Option<Value>,
}

/// Replies other than drafts.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct Replies {
    /// Questions of models.
    asked: Vec<Asked>,
    /// Number of drafts, with those that repeat another one.
    #[serde(default)]
    drafts: usize,
    /// Number of replies with questions.
    asking: u32,
    /// Reasons why the data cannot answer the question.
    out_of_scope: Vec<String>,
    /// Schema data for prompts, as narrowed down so far.
    unreadable: u32,
    failures: Vec<CallFailure>,
}

/// Repairs so far.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct Repairs {
    count: u8,
    /// Errors that led to the last repair; if they recur, writing ends.
    last_faults: Vec<String>,
    /// Whether the drafts are from before a clarification; such drafts are not repaired because of warnings.
    held: bool,
}

impl Told {
    /// What is known of the tables that the question needs.
    fn clues(&self) -> Clues<'_> {
        Clues { wanted: &self.wanted, similar: &self.similar }
    }
}

/// A table that was judged relevant.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Relevant {
    table: String,
    columns: Vec<String>,
    /// Confidence of the model, 0 to 1.
    sureness: f64,
}

/// The state of writing could not be serialised; holds the error message.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("the state of writing cannot be written as text: {0}")]
pub struct WritingError(String);

/// A request to the host.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Let a model complete a prompt.
    Complete(Box<Prompt>),
    /// Check a statement with the guard, and let the data source explain it.
    Explain(String),
}

/// The result of a call.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallResult {
    /// Reply text of the model.
    Completed(String),
    /// The data source can plan the statement.
    Explained,
    /// The call failed.
    Failed(CallFailure),
}

/// Why a call failed.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct CallFailure {
    /// Stable error code.
    pub code: String,
    /// Error message, one sentence.
    pub message: String,
    /// The message of the model's server, for the trace; empty if there is none.
    #[serde(default)]
    pub said: String,
    /// If the prompt was too long: the context size, in tokens of three bytes, with which it should fit.
    #[serde(default)]
    pub context_tokens: Option<u32>,
}

/// The purpose of a call.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Purpose {
    Choose,
    Draft,
    Explain(usize),
    Extract,
    JudgeTable(String),
    Needs,
    Repair,
    Sketch,
}

impl Writing {
    /// Starts writing for a brief; returns the first calls. `nonce` is an unguessable text.
    pub fn begin(
        catalog: &Catalog,
        settings: WritingSettings,
        brief: Brief,
        nonce: String,
    ) -> (Self, Vec<(u32, Call)>) {
        Self::begin_among(catalog, settings, brief, nonce, Similarity::default())
    }

    /// Like [`Self::begin`], with the tables that are similar to the question.
    pub fn begin_among(
        catalog: &Catalog,
        settings: WritingSettings,
        mut brief: Brief,
        nonce: String,
        similarity: Similarity,
    ) -> (Self, Vec<(u32, Call)>) {
        // Prompts do not contain drafts from before a clarification.
        let held = std::mem::take(&mut brief.held);
        let mut writing = Self {
            version: VERSION,
            brief,
            settings,
            nonce,
            phase: Phase::Sketching,
            pending: BTreeMap::new(),
            next: 1,
            told: Told { similar: similarity.tables, ..Told::default() },
            drafts: Vec::new(),
            replies: Replies::default(),
            repairs: Repairs::default(),
            shrinks: 0,
            trace: Vec::new(),
            progress: Vec::new(),
        };
        if !similarity.note.is_empty() {
            writing.note("embedding", similarity.note);
        }
        let calls = if let Some(calls) = writing.extract(catalog) {
            calls
        } else if let Some(failed) = writing.brief.failed.clone() {
            let draft =
                Judged { sql: failed.sql, faults: vec![failed.message], ..Judged::default() };
            writing.drafts.push(draft);
            writing.repair(catalog)
        } else if let Some(calls) = writing.reuse(catalog, &held) {
            calls
        } else if writing.settings.flags.sketch {
            let prompt = writing.source(catalog).sketch();
            vec![writing.call(Purpose::Sketch, Call::Complete(Box::new(prompt)))]
        } else {
            writing.plan(catalog)
        };
        (writing, calls)
    }

    /// Serialises the state, for [`Self::restore`].
    pub fn snapshot(&self) -> Result<String, WritingError> {
        serde_json::to_string(self).map_err(|error| WritingError(error.to_string()))
    }

    /// Restores the state; `None` if the text has another version, or writing has ended.
    pub fn restore(snapshot: &str) -> Option<Self> {
        let writing: Self = serde_json::from_str(snapshot).ok()?;
        let goes_on = writing.version == VERSION
            && writing.finished().is_none()
            && !writing.pending.is_empty()
            && writing.pending.values().all(|purpose| writing.knows(purpose));
        goes_on.then_some(writing)
    }

    /// Whether a pending call matches the state.
    fn knows(&self, purpose: &Purpose) -> bool {
        match purpose {
            Purpose::Explain(at) => *at < self.drafts.len(),
            Purpose::Repair => {
                matches!(&self.phase, Phase::Repairing { draft, .. } if *draft < self.drafts.len())
            }
            Purpose::Choose => matches!(self.phase, Phase::ChoosingTables { .. }),
            Purpose::Extract => matches!(self.phase, Phase::Extracting),
            Purpose::JudgeTable(_) => matches!(self.phase, Phase::JudgingTables { .. }),
            Purpose::Draft | Purpose::Needs | Purpose::Sketch => true,
        }
    }

    /// Processes the result of a call and returns the next calls; an unknown id is ignored.
    pub fn step(&mut self, catalog: &Catalog, id: u32, result: CallResult) -> Vec<(u32, Call)> {
        let Some(purpose) = self.pending.remove(&id) else { return Vec::new() };
        match (purpose, result) {
            (Purpose::Explain(at), result) => self.explained(at, result),
            (purpose, CallResult::Completed(text)) => self.completed(catalog, purpose, &text),
            (_, CallResult::Failed(failure)) => self.failed(failure),
            (_, CallResult::Explained) => {}
        }
        if self.pending.is_empty() { self.go_on(catalog) } else { Vec::new() }
    }

    /// Keeps the failure of a call; the trace holds the server's own message.
    fn failed(&mut self, failure: CallFailure) {
        let detail = match failure.said.as_str() {
            "" => failure.message.clone(),
            said => format!("{}; the server says: {said}", failure.message),
        };
        let told = TraceEntry { stage: "calling the model".to_owned(), detail };
        if self.trace.last() != Some(&told) {
            self.trace.push(told);
        }
        self.replies.failures.push(failure);
    }

    /// The result, once writing has ended.
    pub fn finished(&self) -> Option<&Written> {
        match &self.phase {
            Phase::Done(written) => Some(written),
            _ => None,
        }
    }

    /// Pending calls with their ids, to repeat them after a restore.
    pub fn pending(&self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let source = self.source(catalog);
        let call = |purpose: &Purpose| match purpose {
            Purpose::Choose => {
                Some(Call::Complete(Box::new(source.choose_tables(&kept(self.relevant())))))
            }
            Purpose::Draft => Some(Call::Complete(Box::new(self.write_prompt(catalog)))),
            Purpose::Explain(at) => {
                self.drafts.get(*at).map(|draft| Call::Explain(draft.sql.clone()))
            }
            Purpose::Extract => {
                let template = self.brief.template.clone()?;
                let task = SingleTask::ExtractParameters { template };
                source.prompt(&task).map(|prompt| Call::Complete(Box::new(prompt)))
            }
            Purpose::JudgeTable(table) => {
                source.judge_table(table).map(|prompt| Call::Complete(Box::new(prompt)))
            }
            Purpose::Needs => {
                let tables = self.told.tables.clone().unwrap_or_default();
                Some(Call::Complete(Box::new(source.needs(&tables))))
            }
            Purpose::Repair => {
                self.repair_prompt(catalog).map(|prompt| Call::Complete(Box::new(prompt)))
            }
            Purpose::Sketch => Some(Call::Complete(Box::new(source.sketch()))),
        };
        self.pending.iter().filter_map(|(id, purpose)| Some((*id, call(purpose)?))).collect()
    }

    /// Tables judged relevant so far, while tables are judged or chosen.
    fn relevant(&self) -> &[Relevant] {
        match &self.phase {
            Phase::JudgingTables { relevant, .. } | Phase::ChoosingTables { relevant } => relevant,
            _ => &[],
        }
    }

    fn source<'a>(&'a self, catalog: &'a Catalog) -> PromptSource<'a> {
        PromptSource { catalog, brief: &self.brief, settings: &self.settings, nonce: &self.nonce }
    }

    fn call(&mut self, purpose: Purpose, call: Call) -> (u32, Call) {
        let id = self.next;
        self.next += 1;
        self.pending.insert(id, purpose);
        (id, call)
    }

    fn note(&mut self, stage: &str, detail: String) {
        self.trace.push(TraceEntry { stage: stage.to_owned(), detail });
    }

    fn fail(&mut self, code: impl std::fmt::Display, message: String) {
        let failure = Some((code.to_string(), message));
        self.finish(Written { failure, ..Written::default() });
    }

    fn finish(&mut self, written: Written) {
        self.pending.clear();
        let trace = std::mem::take(&mut self.trace);
        let progress = std::mem::take(&mut self.progress);
        self.phase = Phase::Done(Box::new(Written { trace, progress, ..written }));
    }
}

/// Keys of the tables, each with its relevant columns.
fn kept(relevant: &[Relevant]) -> Vec<(String, Vec<String>)> {
    relevant.iter().map(|kept| (kept.table.clone(), kept.columns.clone())).collect()
}
