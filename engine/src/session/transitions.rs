//! Transitions of a session: which event is accepted in which phase, and which phase follows.
//!
//! | Event | Accepted in | Otherwise |
//! |---|---|---|
//! | `Ask` | every phase | |
//! | `Answer` | `AwaitAnswer` | `unexpected_event` |
//! | `Change` | every phase, for a clarification that was seen | `unknown_clarification` |
//! | `Correct` | every phase, once a question was asked | `unexpected_event` |
//! | `Remember` | every phase, for a clarification that was answered | `unknown_clarification` |
//! | `Retry` | `Ended` with a failed statement, or because the model was unavailable | `unexpected_event` |
//! | `Cancel` | every phase | |
//! | `EffectResult` | the phase that awaits this effect, with a result of its kind | `unknown_effect`, `unexpected_event` |
//!
//! The phase is private to this module. Only `enter` and `leave` set it; `enter` derives the fields of the view from
//! it.

mod asker;
mod correcting;
mod host;

use std::borrow::Cow;

use super::advance::Next;
use super::context::context;
use super::given::Given;
use super::parts::Parts;
use super::phase::{Ending, ModelTask, Phase};
use super::question::{Asked, Question};
use super::statement::{Refusal, Statement, Unwritten, printed};
use super::understood::{Known, with_remarks};
use super::{
    Context, Effect, EffectRequest, Event, Note, NoteKind, ProgressStep, SnapshotError, Stage,
    Start, State, StepError, View, show, written,
};
use crate::clarification::Clarification;
use crate::compose::{Failure, joins_of};
use crate::engine::Engine;
use crate::failure::FailureCode;
use crate::intent::{JoinStep, QueryTree};
use crate::memory::{Choice, LessonNews};
use crate::narration::joined_tables;
use crate::writing::{Brief, Mode, TraceEntry, Writer};
use wherefore_english::and_list;

/// One question, from asking to its answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    start: Start,
    /// `None` before the first question.
    question: Option<Question>,
    phase: Phase,
    /// State, outcome, problem and clarifications follow from the phase.
    view: View,
    last_effect: u32,
}

impl Session {
    /// A session without a question.
    pub fn new() -> Self {
        Self::default()
    }

    /// A session with the context of earlier questions, and with memory.
    pub fn started(start: Start) -> Self {
        Self { start, ..Self::default() }
    }

    /// The current view, for a screen.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Steps of the models that worked on the question.
    pub fn trace(&self) -> &[TraceEntry] {
        self.question.as_ref().map_or(&[], |question| &question.model.trace)
    }

    /// The context for a follow-up; none until a query tree was composed.
    pub fn context(&self) -> Option<Context> {
        Some(context(&self.start, self.question.as_ref()?, self.phase.basis()?))
    }

    /// Choices of the user since the last call; the host records them in its memory once the question is answered.
    pub fn take_choices(&mut self) -> Vec<Choice> {
        let Some(question) = &mut self.question else { return Vec::new() };
        question.take_choices(&self.view.assumptions)
    }

    /// What the question teaches about lessons since the last call; the host adds it to its memory when the question has
    /// ended.
    pub fn take_lessons(&mut self) -> LessonNews {
        let Some(question) = &mut self.question else { return LessonNews::default() };
        let answered = matches!(self.phase, Phase::Ended(Ending::Answered { .. }));
        question.take_lessons(self.view.sql.as_deref().filter(|_| answered))
    }

    /// Processes an event and returns the effects for the host to perform; after an error the session is unchanged.
    pub fn step(&mut self, engine: &Engine, event: Event) -> Result<Vec<Effect>, StepError> {
        let settings = self.start.memory.settings.as_ref();
        let own = settings.map(|own| engine.with_settings(own.applied(engine.settings())));
        let engine = own.as_ref().unwrap_or(engine);
        match (&self.phase, event) {
            (_, Event::Ask { text, today, skip_clarification }) => {
                self.ask(engine, Asked { text, today, skip_clarification })
            }
            (Phase::AwaitAnswer { .. }, Event::Answer { answers }) => self.answer(engine, &answers),
            (
                Phase::Idle
                | Phase::AwaitValues { .. }
                | Phase::AwaitParameters { .. }
                | Phase::AwaitModel { .. }
                | Phase::AwaitRows { .. }
                | Phase::AwaitTies { .. }
                | Phase::Ended(_),
                Event::Answer { .. },
            ) => Err(self.unexpected("answer")),
            (_, Event::Change { answer }) => self.change(engine, &answer),
            (_, Event::Correct { correction }) => self.correct(engine, correction),
            (_, Event::Remember { clarification_id }) => self.remember(clarification_id),
            (Phase::Ended(Ending::NotRun { statement, .. }), Event::Retry) => {
                let statement = statement.clone();
                Ok(self.run(engine, statement))
            }
            (Phase::Ended(Ending::Unwritten { retryable: true, .. }), Event::Retry) => {
                Ok(self.read_again(engine))
            }
            (
                Phase::Idle
                | Phase::AwaitValues { .. }
                | Phase::AwaitParameters { .. }
                | Phase::AwaitAnswer { .. }
                | Phase::AwaitModel { .. }
                | Phase::AwaitRows { .. }
                | Phase::AwaitTies { .. }
                | Phase::Ended(
                    Ending::Answered { .. }
                    | Ending::Unwritten { retryable: false, .. }
                    | Ending::Cancelled { .. },
                ),
                Event::Retry,
            ) => Err(self.unexpected("retry")),
            (_, Event::Cancel) => Ok(self.cancel()),
            (phase, Event::EffectResult { effect_id, result }) => {
                if phase.effect() == Some(effect_id) {
                    self.effect_result(engine, result)
                } else {
                    Err(StepError::UnknownEffect(effect_id))
                }
            }
        }
    }

    /// The session as data.
    pub(super) fn parts(&self) -> Parts<'_> {
        Parts {
            start: Cow::Borrowed(&self.start),
            question: Cow::Borrowed(&self.question),
            phase: Cow::Borrowed(&self.phase),
            view: Cow::Borrowed(&self.view),
            last_effect: self.last_effect,
        }
    }

    /// A session from data; an error if the phase needs a question and there is none.
    pub(super) fn from_parts(parts: Parts<'_>) -> Result<Self, SnapshotError> {
        let Parts { start, question, phase, view, last_effect } = parts;
        let mut session = Self {
            start: start.into_owned(),
            question: question.into_owned(),
            phase: Phase::Idle,
            view: view.into_owned(),
            last_effect,
        };
        if session.question.is_none() && !phase.needs_no_question() {
            let reason = "its phase needs a question".to_owned();
            return Err(SnapshotError::Unreadable(reason));
        }
        session.enter(phase.into_owned());
        Ok(session)
    }

    /// Enters a phase, and updates the fields of the view that follow from it.
    fn enter(&mut self, phase: Phase) {
        self.view.state = phase.state();
        self.view.outcome = phase.outcome();
        self.view.problem = phase.problem().cloned();
        self.view.clarifications = phase.open().to_vec();
        self.phase = phase;
    }

    /// Takes the phase out of the session; the caller must enter another one.
    fn leave(&mut self) -> Phase {
        std::mem::take(&mut self.phase)
    }

    /// Reads the question again, and proceeds as far as possible.
    fn read_again(&mut self, engine: &Engine) -> Vec<Effect> {
        let basis = self.leave().into_basis();
        self.read(engine, basis)
    }

    fn read(&mut self, engine: &Engine, basis: Option<Box<QueryTree>>) -> Vec<Effect> {
        let Some(question) = &mut self.question else { return Vec::new() };
        let given = Given { engine, start: &self.start };
        match given.advance(question, &mut self.view, basis) {
            Next::Search { searches, basis } => {
                let effect = self.effect(EffectRequest::LookUpValues { searches });
                self.enter(Phase::AwaitValues { effect: effect.id, basis });
                vec![effect]
            }
            Next::Extract { brief, basis } => {
                let template = brief.template.clone().unwrap_or_default();
                let effect = self.effect(EffectRequest::Write { brief });
                self.enter(Phase::AwaitParameters { effect: effect.id, template, basis });
                self.progress("a template needs a value that it does not know");
                vec![effect]
            }
            Next::Ask { questions, basis } => {
                self.ask_back(engine, questions, basis);
                Vec::new()
            }
            Next::Write { brief, refusal } => {
                self.view.suggestions.clear();
                self.await_model(ModelTask::Write, brief, refusal)
            }
            Next::Run(statement) => self.run(engine, statement),
            Next::Refuse { refusal, basis } => {
                self.refuse(engine, refusal, false, basis);
                Vec::new()
            }
        }
    }

    /// Asks clarifications.
    fn ask_back(
        &mut self,
        engine: &Engine,
        questions: Vec<Clarification>,
        basis: Option<Box<QueryTree>>,
    ) {
        let Some(question) = &self.question else { return };
        let remarks = &question.choices.remarks;
        let planned =
            basis.as_deref().filter(|_| questions.iter().any(Clarification::confirms_joins));
        let planned = planned.and_then(|tree| joining(engine, joins_of(tree)));
        // Without a sentence, the basis is the tree of an earlier reading.
        let known = match (self.view.confirmation.as_deref(), basis.as_deref()) {
            (None, _) => Known::Nothing,
            (Some(_), Some(tree)) => Known::Tree(tree),
            (Some(sentence), None) => Known::Sentence(sentence),
        };
        let open =
            with_remarks(questions, &self.view.understanding, remarks, engine.catalog(), known);
        self.view.round = self.view.round.saturating_add(1);
        if let Some(detail) = &planned {
            self.passed(State::InferringJoins, detail);
        }
        self.enter(Phase::AwaitAnswer { open, basis });
        self.progress(match planned {
            Some(_) => "asking whether the joins are right",
            None => "asking for clarification",
        });
    }

    /// Requests a statement from a model.
    fn await_model(
        &mut self,
        task: ModelTask,
        brief: Box<Brief>,
        refusal: Box<Refusal>,
    ) -> Vec<Effect> {
        let effect = self.effect(EffectRequest::Write { brief });
        self.enter(Phase::AwaitModel { effect: effect.id, task, refusal });
        self.progress(match task {
            ModelTask::Write => "a model writes the statement",
            ModelTask::Repair => "the model repairs the statement",
        });
        vec![effect]
    }

    /// Runs a statement, if there is a database.
    fn run(&mut self, engine: &Engine, statement: Statement) -> Vec<Effect> {
        let sql = match &statement {
            Statement::Composed(tree) => {
                if let Some(detail) = joining(engine, &tree.joins) {
                    self.passed(State::InferringJoins, &detail);
                }
                self.passed(State::GeneratingSql, "writing the statement");
                match printed(engine, tree, tree.limit, 0) {
                    Ok(sql) => sql,
                    Err(reason) => {
                        self.refuse(engine, unprintable(&reason), false, statement.into_tree());
                        return Vec::new();
                    }
                }
            }
            Statement::Template(template) => {
                self.view.writer = Writer::Template;
                self.view.mode = Mode::Template;
                let detail = format!("writing the statement of the template {}", template.name);
                self.passed(State::GeneratingSql, &detail);
                template.sql.clone()
            }
            Statement::Model(model) => model.written.sql.clone(),
        };
        self.view.sql = Some(sql.clone());
        if !engine.catalog().can_execute {
            let text = "This catalog has no database behind it, so nothing was run.".to_owned();
            self.view.notes = vec![Note { kind: NoteKind::NotRun, text }];
            self.view.notes.extend(model_notes(&statement));
            self.complete(engine, statement);
            return Vec::new();
        }
        let (dialect, row_limit) = (engine.catalog().dialect, engine.settings().row_limit);
        let effect = self.effect(EffectRequest::Execute { sql, dialect, row_limit });
        self.enter(Phase::AwaitRows { effect: effect.id, statement });
        self.progress("running the statement");
        vec![effect]
    }

    /// Ends the question with an answer.
    fn complete(&mut self, engine: &Engine, statement: Statement) {
        self.view.suggestions = show::suggestions(engine, statement.table(), &self.view.question);
        self.enter(Phase::Ended(Ending::Answered { basis: statement.into_tree() }));
        self.progress("done");
    }

    /// Ends the question without a statement.
    fn refuse(
        &mut self,
        engine: &Engine,
        refusal: Refusal,
        retryable: bool,
        basis: Option<Box<QueryTree>>,
    ) {
        let Refusal { reason, problem } = refusal;
        self.view.sql = None;
        self.view.confirmation = None;
        self.view.suggestions = show::suggestions(engine, None, &self.view.question);
        self.enter(Phase::Ended(Ending::Unwritten { reason, problem, retryable, basis }));
        self.progress("no statement was written");
    }

    /// An effect with the next id.
    fn effect(&mut self, request: EffectRequest) -> Effect {
        self.last_effect = self.last_effect.wrapping_add(1);
        Effect { id: self.last_effect, request }
    }

    /// Adds the current state to the progress steps.
    fn progress(&mut self, detail: &str) {
        self.passed(self.view.state, detail);
    }

    /// Adds an intermediate state to the progress steps.
    fn passed(&mut self, state: State, detail: &str) {
        self.view.steps.push(ProgressStep { state, detail: detail.to_owned(), elapsed_ms: None });
    }

    fn unexpected(&self, event: &'static str) -> StepError {
        StepError::UnexpectedEvent { event, state: self.phase.state().name() }
    }
}

/// Joins in words; `None` if there are none.
fn joining(engine: &Engine, joins: &[JoinStep]) -> Option<String> {
    let tables = joined_tables(engine.catalog(), joins);
    (!tables.is_empty()).then(|| format!("joining {}", and_list(&tables)))
}

/// Notes about a statement that a model wrote.
fn model_notes(statement: &Statement) -> Vec<Note> {
    match statement {
        Statement::Model(model) => written::notes(&model.written),
        Statement::Composed(_) | Statement::Template(_) => Vec::new(),
    }
}

fn unprintable(reason: &str) -> Refusal {
    let failure = Failure {
        code: FailureCode::Unprintable,
        message: format!("the statement cannot be written in this dialect: {reason}"),
        hint: "ask for less at once".to_owned(),
        span: None,
    };
    let problem = show::problem(&failure, Stage::Writing);
    Refusal { reason: Unwritten::GenerationFailed, problem }
}
