//! The writing machine: what models and EXPLAIN answer in, calls out, until there is a statement, questions or neither.

mod stages;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ask::choose_table;
use super::judge::{Judged, judge};
use super::reply::{Asked, Draft, Reply, object, reply, text_of, texts};
use super::score::UNPLANNED;
use super::task::{Prompt, PromptSource};
use super::{Brief, TraceEntry, WritingSettings, Written};
use crate::catalog::Catalog;

/// Version of the stored form.
const VERSION: u32 = 1;

/// A statement on its way from a brief, as plain data that is stored between calls and resumed elsewhere.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Writing {
    version: u32,
    brief: Brief,
    settings: WritingSettings,
    nonce: String,
    stage: Stage,
    pending: BTreeMap<u32, Purpose>,
    next: u32,
    wanted: Vec<String>,
    candidates: Vec<String>,
    relevant: Vec<Relevant>,
    tables: Option<Vec<String>>,
    needs: Option<Value>,
    drafts: Vec<Judged>,
    asked: Vec<Asked>,
    asking: u32,
    out_of_scope: Vec<String>,
    unreadable: u32,
    failures: Vec<CallFailure>,
    retried: bool,
    repairs: u8,
    repaired: usize,
    last_faults: Vec<String>,
    #[serde(default)]
    doubted: Option<usize>,
    #[serde(default)]
    reuses: bool,
    trace: Vec<TraceEntry>,
    result: Option<Written>,
}

/// A table that was found to be needed.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Relevant {
    table: String,
    columns: Vec<String>,
    sureness: f64,
}

/// What the machine asks its host for.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Have a model complete a prompt.
    Complete(Box<Prompt>),
    /// Have the data source explain a statement, which the host checks again before.
    Explain(String),
}

/// What came of a call.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallResult {
    /// A model's text.
    Completed(String),
    /// The statement can be planned.
    Explained,
    /// It failed.
    Failed(CallFailure),
}

/// How a call failed.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct CallFailure {
    /// Stable code.
    pub code: String,
    /// One sentence.
    pub message: String,
}

/// What the calls that are pending are for, together.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    ChoosingTables,
    Drafting,
    Explaining,
    JudgingTables,
    Needing,
    Repairing,
    Sketching,
}

/// What a call is for.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Purpose {
    Choose,
    Draft,
    Explain(usize),
    JudgeTable(String),
    Needs,
    Repair,
    Sketch,
}

/// Whether a question is answered part by part.
pub(super) fn is_complex(brief: &Brief) -> bool {
    ["fan_out", "not_composable"].contains(&brief.refused.as_str())
}

impl Writing {
    /// A machine for a brief, with its first calls; `nonce` is a text that nobody can guess.
    pub fn begin(
        catalog: &Catalog,
        settings: WritingSettings,
        mut brief: Brief,
        nonce: String,
    ) -> (Self, Vec<(u32, Call)>) {
        // Held drafts are no part of what a model is told.
        let held = std::mem::take(&mut brief.held);
        let mut writing = Self {
            version: VERSION,
            brief,
            settings,
            nonce,
            stage: Stage::Sketching,
            pending: BTreeMap::new(),
            next: 1,
            wanted: Vec::new(),
            candidates: Vec::new(),
            relevant: Vec::new(),
            tables: None,
            needs: None,
            drafts: Vec::new(),
            asked: Vec::new(),
            asking: 0,
            out_of_scope: Vec::new(),
            unreadable: 0,
            failures: Vec::new(),
            retried: false,
            repairs: 0,
            repaired: 0,
            last_faults: Vec::new(),
            doubted: None,
            reuses: false,
            trace: Vec::new(),
            result: None,
        };
        let calls = if let Some(failed) = writing.brief.failed.clone() {
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

    /// The machine as text, to be kept between calls.
    pub fn snapshot(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A machine from [`Writing::snapshot`]; none where the text is no machine of this version that goes on.
    pub fn restore(snapshot: &str) -> Option<Self> {
        let writing: Self = serde_json::from_str(snapshot).ok()?;
        let goes_on = writing.version == VERSION
            && writing.result.is_none()
            && !writing.pending.is_empty()
            && writing.pending.values().all(|purpose| writing.knows(purpose));
        goes_on.then_some(writing)
    }

    /// Whether a call's purpose is one of this machine.
    fn knows(&self, purpose: &Purpose) -> bool {
        match purpose {
            Purpose::Explain(at) => *at < self.drafts.len(),
            Purpose::Repair => self.repaired < self.drafts.len(),
            _ => true,
        }
    }

    /// Takes what came of a call, and gives the calls that follow; an id that is not pending changes nothing.
    pub fn step(&mut self, catalog: &Catalog, id: u32, result: CallResult) -> Vec<(u32, Call)> {
        let Some(purpose) = self.pending.remove(&id) else { return Vec::new() };
        match (purpose, result) {
            (Purpose::Explain(at), result) => self.explained(at, result),
            (purpose, CallResult::Completed(text)) => self.completed(catalog, purpose, &text),
            (_, CallResult::Failed(failure)) => self.failures.push(failure),
            (_, CallResult::Explained) => {}
        }
        if !self.pending.is_empty() || self.result.is_some() {
            return Vec::new();
        }
        self.go_on(catalog)
    }

    /// What came of it, once it is done.
    pub fn finished(&self) -> Option<&Written> {
        self.result.as_ref()
    }

    /// Calls that wait for their result, by id, so that a restored machine can be driven on.
    pub fn pending(&self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let source = self.source(catalog);
        let call = |purpose: &Purpose| match purpose {
            Purpose::Choose => Some(Call::Complete(Box::new(source.choose_tables(&self.kept())))),
            Purpose::Draft => Some(Call::Complete(Box::new(self.write_prompt(catalog)))),
            Purpose::Explain(at) => {
                self.drafts.get(*at).map(|draft| Call::Explain(draft.sql.clone()))
            }
            Purpose::JudgeTable(table) => {
                source.judge_table(table).map(|prompt| Call::Complete(Box::new(prompt)))
            }
            Purpose::Needs => {
                let tables = self.tables.clone().unwrap_or_default();
                Some(Call::Complete(Box::new(source.needs(&tables))))
            }
            Purpose::Repair => {
                self.repair_prompt(catalog).map(|prompt| Call::Complete(Box::new(prompt)))
            }
            Purpose::Sketch => Some(Call::Complete(Box::new(source.sketch()))),
        };
        self.pending.iter().filter_map(|(id, purpose)| Some((*id, call(purpose)?))).collect()
    }

    fn completed(&mut self, catalog: &Catalog, purpose: Purpose, text: &str) {
        match purpose {
            Purpose::Sketch => {
                if let Some(sketch) = object(text, |object| object.get("tables").is_some()) {
                    self.wanted = [texts(&sketch, "tables"), texts(&sketch, "columns")].concat();
                }
            }
            Purpose::JudgeTable(table) => {
                let judged = object(text, |object| object.get("relevant").is_some());
                let relevant = judged.as_ref().is_none_or(|judged| {
                    judged["relevant"]
                        .as_bool()
                        .unwrap_or(text_of(judged, "relevant", 8) != "false")
                });
                if relevant {
                    let sure = judged.as_ref().and_then(|judged| judged["confidence"].as_f64());
                    let columns =
                        judged.map(|judged| texts(&judged, "columns")).unwrap_or_default();
                    let known = catalog.table(&table);
                    let columns = columns
                        .into_iter()
                        .filter(|name| known.is_some_and(|table| table.column(name).is_some()));
                    self.relevant.push(Relevant {
                        columns: columns.collect(),
                        sureness: sure.unwrap_or(0.5),
                        table,
                    });
                }
            }
            Purpose::Choose => self.chosen(catalog, text),
            Purpose::Needs => {
                self.needs = object(text, Value::is_object);
            }
            Purpose::Draft | Purpose::Repair => match reply(text) {
                Some(Reply::Draft(draft)) => self.draft(catalog, draft),
                Some(Reply::Questions(asked)) => {
                    self.asking += 1;
                    self.asked.extend(asked);
                }
                Some(Reply::OutOfScope(reason)) => self.out_of_scope.push(reason),
                None => self.unreadable += 1,
            },
            Purpose::Explain(_) => {}
        }
    }

    fn draft(&mut self, catalog: &Catalog, draft: Draft) {
        let judged = judge(catalog, &self.brief, &self.settings, draft);
        let detail = format!(
            "{} points ({}); {}",
            judged.score,
            judged.reasons.join(", "),
            match (judged.faults.is_empty(), judged.doubts.is_empty()) {
                (true, true) => "sound".to_owned(),
                (true, false) => format!("doubtful: {}", judged.doubts.join("; ")),
                (false, _) => judged.faults.join("; "),
            }
        );
        self.note("judging", detail);
        if !judged.corrected.is_empty() {
            let detail = judged.corrected.join("; ");
            self.note("correcting", detail);
        }
        // Equal statements count once.
        if !self.drafts.iter().any(|other| other.faults.is_empty() && other.sql == judged.sql) {
            self.drafts.push(judged);
        }
    }

    fn chosen(&mut self, catalog: &Catalog, text: &str) {
        let known: Vec<String> = self.relevant.iter().map(|kept| kept.table.clone()).collect();
        let chosen = object(text, |object| object.get("tables").is_some());
        let tables: Vec<String> = chosen
            .as_ref()
            .map(|chosen| texts(chosen, "tables"))
            .unwrap_or_default()
            .into_iter()
            .filter(|table| known.contains(table))
            .collect();
        let apart = chosen.as_ref().is_some_and(|chosen| chosen["joined"] == Value::Bool(false));
        let decided =
            self.brief.decided.iter().any(|words| words.required.all_tables().next().is_some());
        if apart && tables.len() > 1 && !decided && !self.brief.skip_clarification {
            let asked = choose_table(catalog, &self.brief, &tables);
            if !asked.is_empty() {
                self.finish(Written { questions: asked, ..Written::default() });
            }
        }
        self.tables = Some(if tables.is_empty() { known } else { tables });
    }

    fn explained(&mut self, at: usize, result: CallResult) {
        let Some(draft) = self.drafts.get_mut(at) else { return };
        draft.explained = true;
        if let CallResult::Failed(failure) = result {
            draft.score += UNPLANNED;
            draft.faults.push(failure.message.clone());
            let detail = format!("EXPLAIN fails: {}", failure.message);
            self.note("judging", detail);
        }
    }

    fn kept(&self) -> Vec<(String, Vec<String>)> {
        self.relevant.iter().map(|kept| (kept.table.clone(), kept.columns.clone())).collect()
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

    fn fail(&mut self, code: &str, message: String) {
        let failure = Some((code.to_owned(), message));
        self.finish(Written { failure, ..Written::default() });
    }

    fn finish(&mut self, written: Written) {
        self.pending.clear();
        self.result = Some(Written { trace: std::mem::take(&mut self.trace), ..written });
    }
}
