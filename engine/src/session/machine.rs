//! The state machine: events in, effects out.

use std::collections::{BTreeMap, BTreeSet};

use crate::day::{self, Date};
use serde::{Deserialize, Serialize};

use super::{
    AssumptionSource, Correction, Effect, EffectRequest, Event, FoundValues, FromMemory, Outcome,
    ProblemView, ProgressStep, SnapshotError, Stage, Start, State, StepError, View,
};
use crate::clarification::{Answer, Clarification, ClarificationAnswer, OptionBinding};
use crate::engine::Engine;
use crate::intent::QueryTree;
use crate::writing::{TraceEntry, WrittenStatement};

/// Version of the snapshot format.
const VERSION: u32 = 1;

/// One question on its way to an answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Session {
    pub(super) version: u32,
    #[serde(default)]
    pub(super) start: Start,
    pub(super) view: View,
    pub(super) question: Option<Question>,
    #[serde(default)]
    pub(super) corrections: Vec<Correction>,
    #[serde(default)]
    pub(super) answers: BTreeMap<String, Answer>,
    #[serde(default)]
    pub(super) words: Vec<String>,
    #[serde(default)]
    pub(super) recalled: BTreeMap<String, FromMemory>,
    #[serde(default)]
    pub(super) remarks: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) remember: BTreeSet<String>,
    #[serde(default)]
    pub(super) given: BTreeSet<String>,
    pub(super) decisions: Vec<(String, OptionBinding, AssumptionSource)>,
    pub(super) seen: BTreeMap<String, Clarification>,
    #[serde(default)]
    pub(super) places: BTreeMap<String, u32>,
    #[serde(default)]
    pub(super) follows: bool,
    pub(super) found: Option<Vec<FoundValues>>,
    pub(super) tree: Option<QueryTree>,
    #[serde(default)]
    pub(super) template: Option<TemplateStatement>,
    #[serde(default)]
    pub(super) model_statement: Option<WrittenStatement>,
    #[serde(default)]
    pub(super) rewritten: bool,
    #[serde(default)]
    pub(super) held: Vec<String>,
    #[serde(default)]
    pub(super) refusal: Option<(Outcome, ProblemView)>,
    #[serde(default)]
    pub(super) trace: Vec<TraceEntry>,
    pub(super) pending: BTreeMap<u32, Pending>,
    pub(super) next_effect: u32,
}

/// A question as it was asked.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Question {
    pub(super) text: String,
    pub(super) today: String,
    pub(super) skip_clarification: bool,
}

/// The statement of a template that was run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct TemplateStatement {
    pub(super) name: String,
    pub(super) sql: String,
    pub(super) table: Option<String>,
}

/// What a pending effect is for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Pending {
    /// Rows of the answer.
    Answer,
    /// A statement written by a model.
    Statement,
    /// Rows behind the limit.
    Ties,
    /// Stored values.
    Values,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session that nothing was asked in yet.
    pub fn new() -> Self {
        Self::started(Start::default())
    }

    /// A session that knows what was asked before, and what is remembered.
    pub fn started(start: Start) -> Self {
        Self {
            version: VERSION,
            start,
            view: View::default(),
            question: None,
            corrections: Vec::new(),
            answers: BTreeMap::new(),
            words: Vec::new(),
            recalled: BTreeMap::new(),
            remarks: BTreeMap::new(),
            remember: BTreeSet::new(),
            given: BTreeSet::new(),
            decisions: Vec::new(),
            seen: BTreeMap::new(),
            places: BTreeMap::new(),
            follows: false,
            found: None,
            tree: None,
            template: None,
            model_statement: None,
            rewritten: false,
            held: Vec::new(),
            refusal: None,
            trace: Vec::new(),
            pending: BTreeMap::new(),
            next_effect: 1,
        }
    }

    /// Takes an event, and gives back what the host is to do; after an error the session is as it was before.
    pub fn step(&mut self, engine: &Engine, event: Event) -> Result<Vec<Effect>, StepError> {
        match event {
            Event::Ask { text, today, skip_clarification } => {
                self.ask(engine, text, today, skip_clarification)
            }
            Event::Answer { answers } => self.answer(engine, &answers),
            Event::Change { answer } => self.change(engine, &answer),
            Event::Correct { correction } => self.correct(engine, correction),
            Event::EffectResult { effect_id, result } => {
                self.effect_result(engine, effect_id, result)
            }
            Event::Remember { clarification_id } => {
                self.remember(clarification_id).map(|()| Vec::new())
            }
            Event::Retry => self.retry(engine),
            Event::Cancel => Ok(self.cancel()),
        }
    }

    /// Everything a screen needs.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// What models did on the way.
    pub fn trace(&self) -> &[TraceEntry] {
        &self.trace
    }

    /// The session as JSON text, to be restored here or elsewhere.
    pub fn snapshot(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The same without the rows of the answer, which a change of an answer does not need.
    pub fn snapshot_without_rows(&self) -> String {
        let view = View { result: None, ..self.view.clone() };
        Self { view, ..self.clone() }.snapshot()
    }

    /// A session from its snapshot; one of a later version is refused.
    pub fn restore(snapshot: &str) -> Result<Self, SnapshotError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let unreadable = |error: serde_json::Error| SnapshotError::Unreadable(error.to_string());
        let versioned: Versioned = serde_json::from_str(snapshot).map_err(unreadable)?;
        if versioned.version > VERSION {
            return Err(SnapshotError::Newer { found: versioned.version, supported: VERSION });
        }
        serde_json::from_str(snapshot).map_err(unreadable)
    }

    fn ask(
        &mut self,
        engine: &Engine,
        text: String,
        today: String,
        skip_clarification: bool,
    ) -> Result<Vec<Effect>, StepError> {
        check_question(engine, &text)?;
        date(&today)?;
        let next_effect = self.next_effect;
        let start = std::mem::take(&mut self.start);
        *self = Self { next_effect, ..Self::started(start) };
        self.view.question.clone_from(&text);
        self.question = Some(Question { text, today, skip_clarification });
        self.enter(State::QueryUnderstanding, "reading the question");
        Ok(self.advance(engine))
    }

    fn answer(
        &mut self,
        engine: &Engine,
        answers: &[ClarificationAnswer],
    ) -> Result<Vec<Effect>, StepError> {
        if self.view.state != State::AwaitingClarification {
            return Err(self.unexpected("answer"));
        }
        let mut decided = Vec::new();
        for answer in answers {
            let open = self
                .view
                .clarifications
                .iter()
                .find(|open| open.id == answer.clarification_id)
                .ok_or_else(|| StepError::UnknownClarification(answer.clarification_id.clone()))?;
            decided.push(self.decision(engine, open, answer)?);
        }
        if decided.is_empty() {
            return Err(self.unexpected("answer without answers"));
        }
        for answer in answers {
            self.note_answer(&answer.clarification_id, &answer.answer);
        }
        for (id, binding, source) in decided {
            self.take(engine, id, binding, source);
        }
        self.enter(State::QueryUnderstanding, "reading the answer");
        Ok(self.advance(engine))
    }

    fn change(
        &mut self,
        engine: &Engine,
        answer: &ClarificationAnswer,
    ) -> Result<Vec<Effect>, StepError> {
        let clarification = self
            .seen
            .get(&answer.clarification_id)
            .ok_or_else(|| StepError::UnknownClarification(answer.clarification_id.clone()))?;
        let (id, binding, source) = self.decision(engine, clarification, answer)?;
        self.pending.clear();
        self.note_answer(&answer.clarification_id, &answer.answer);
        self.take(engine, id, binding, source);
        self.view.result = None;
        self.view.notes.clear();
        self.enter(State::QueryUnderstanding, "reading the changed answer");
        Ok(self.advance(engine))
    }

    fn retry(&mut self, engine: &Engine) -> Result<Vec<Effect>, StepError> {
        let failed = self.view.outcome == Some(Outcome::ExecutionFailed);
        let unwritten = self.view.problem.as_ref().is_some_and(|problem| {
            problem.stage == Stage::Writing && problem.retryable && self.model_statement.is_none()
        });
        if unwritten {
            return Ok(self.advance(engine));
        }
        if let (Some(statement), true) = (&self.model_statement, failed) {
            let sql = statement.sql.clone();
            self.view.outcome = None;
            self.view.problem = None;
            return Ok(self.run(engine, sql));
        }
        match (&self.tree, &self.template, failed) {
            (Some(tree), _, true) => {
                let tree = tree.clone();
                Ok(self.execute(engine, &tree))
            }
            (None, Some(template), true) => {
                let template = template.clone();
                Ok(self.execute_template(engine, template))
            }
            _ => Err(self.unexpected("retry")),
        }
    }

    fn cancel(&mut self) -> Vec<Effect> {
        self.pending.clear();
        self.view.clarifications.clear();
        self.view.outcome = None;
        self.view.problem = None;
        self.enter(State::Cancelled, "stopped by the asker");
        Vec::new()
    }

    pub(super) fn decide(&mut self, id: String, binding: OptionBinding, source: AssumptionSource) {
        self.decisions.retain(|(known, ..)| *known != id);
        self.decisions.push((id, binding, source));
    }

    pub(super) fn effect(&mut self, request: EffectRequest, pending: Pending) -> Effect {
        let id = self.next_effect;
        self.next_effect = self.next_effect.wrapping_add(1);
        self.pending.insert(id, pending);
        Effect { id, request }
    }

    pub(super) fn enter(&mut self, state: State, detail: &str) {
        self.view.state = state;
        self.view.steps.push(ProgressStep { state, detail: detail.to_owned() });
    }

    pub(super) fn unexpected(&self, event: &'static str) -> StepError {
        StepError::UnexpectedEvent { event, state: self.view.state.name() }
    }
}

/// Refuses what holds no word, or more than is read.
pub(super) fn check_question(engine: &Engine, text: &str) -> Result<(), StepError> {
    let limit = engine.settings().question_bytes;
    if text.len() > limit as usize {
        return Err(StepError::QuestionTooLong { bytes: text.len(), limit });
    }
    if !text.chars().any(char::is_alphanumeric) {
        return Err(StepError::QuestionEmpty);
    }
    Ok(())
}

/// Calendar date of the form `yyyy-mm-dd`.
pub(super) fn date(today: &str) -> Result<Date, StepError> {
    day::parse(today).ok_or_else(|| StepError::InvalidToday(today.to_owned()))
}
