//! Reads snapshots of version 1, in which several fields determine the phase.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::parts::Parts;
use super::phase::{Ending, ModelTask, Phase};
use super::question::{
    Asked, Choices, LessonState, MemoryState, ModelState, Question, ReadingState,
};
use super::statement::{ModelStatement, Refusal, Statement, TemplateStatement, Unwritten};
use super::{
    AssumptionSource, Correction, FoundValues, FromMemory, Outcome, ProblemView, SnapshotError,
    Stage, Start, State, View,
};
use crate::clarification::{Answer, Clarification, OptionBinding};
use crate::failure::FailureCode;
use crate::intent::QueryTree;
use crate::writing::{TraceEntry, WrittenStatement};

/// A snapshot of version 1.
#[derive(Deserialize)]
pub(super) struct V1 {
    #[serde(default)]
    start: Start,
    view: View,
    question: Option<Asked>,
    #[serde(default)]
    corrections: Vec<Correction>,
    #[serde(default)]
    answers: BTreeMap<String, Answer>,
    #[serde(default)]
    words: Vec<String>,
    #[serde(default)]
    recalled: BTreeMap<String, FromMemory>,
    #[serde(default)]
    remarks: BTreeMap<String, String>,
    #[serde(default)]
    remember: BTreeSet<String>,
    #[serde(default)]
    given: BTreeSet<String>,
    decisions: Vec<(String, OptionBinding, AssumptionSource)>,
    seen: BTreeMap<String, Clarification>,
    #[serde(default)]
    places: BTreeMap<String, u32>,
    #[serde(default)]
    follows: bool,
    found: Option<Vec<FoundValues>>,
    /// The last composed query tree.
    tree: Option<Box<QueryTree>>,
    /// The last statement of a template, unless one was composed since.
    #[serde(default)]
    template: Option<TemplateStatement>,
    /// The statement of a model, also during its repair.
    #[serde(default)]
    model_statement: Option<WrittenStatement>,
    #[serde(default)]
    rewritten: bool,
    #[serde(default)]
    held: Vec<String>,
    /// How the question ends if the model fails.
    #[serde(default)]
    refusal: Option<(Outcome, ProblemView)>,
    #[serde(default)]
    trace: Vec<TraceEntry>,
    /// The pending effect, by its id; at most one.
    pending: BTreeMap<u32, Pending>,
    next_effect: u32,
}

/// Purpose of an effect.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Pending {
    /// Rows of the answer.
    Answer,
    /// A statement written by a model.
    Statement,
    /// Rows beyond the limit.
    Ties,
    /// Stored values.
    Values,
}

/// Parts of a session; an error if the fields match no phase.
pub(super) fn parts(mut snapshot: V1) -> Result<Parts<'static>, SnapshotError> {
    let phase = phase(&mut snapshot).ok_or_else(|| {
        let state = snapshot.view.state.name();
        SnapshotError::Unreadable(format!("nothing says what it awaits in state {state}"))
    })?;
    let last_effect = snapshot.next_effect.wrapping_sub(1);
    let (start, view) = (std::mem::take(&mut snapshot.start), std::mem::take(&mut snapshot.view));
    Ok(Parts {
        start: Cow::Owned(start),
        question: Cow::Owned(question(snapshot)),
        phase: Cow::Owned(phase),
        view: Cow::Owned(view),
        last_effect,
    })
}

fn question(snapshot: V1) -> Option<Question> {
    let mut choices = Choices::default();
    for (id, binding, source) in snapshot.decisions {
        choices.decide(id, binding, source);
    }
    choices.seen = snapshot.seen;
    choices.answers = snapshot.answers;
    choices.remarks = snapshot.remarks;
    Some(Question {
        asked: snapshot.question?,
        corrections: snapshot.corrections,
        choices,
        reading: ReadingState {
            found: snapshot.found,
            extracted: None,
            follows: snapshot.follows,
            places: snapshot.places,
            words: snapshot.words,
        },
        memory: MemoryState {
            recalled: snapshot.recalled,
            wanted: snapshot.remember,
            taken: snapshot.given,
        },
        lessons: LessonState::default(),
        model: ModelState {
            repaired: snapshot.rewritten,
            held: snapshot.held,
            trace: snapshot.trace,
        },
    })
}

/// The phase that the fields describe; `None` if they are inconsistent.
fn phase(snapshot: &mut V1) -> Option<Phase> {
    if let Some((effect, pending)) = snapshot.pending.pop_first() {
        return Some(match pending {
            Pending::Values => Phase::AwaitValues { effect, basis: snapshot.tree.take() },
            Pending::Statement => {
                let repairs = snapshot.model_statement.is_some();
                let task = if repairs { ModelTask::Repair } else { ModelTask::Write };
                Phase::AwaitModel { effect, task, refusal: Box::new(refusal(snapshot)) }
            }
            Pending::Answer => Phase::AwaitRows { effect, statement: statement(snapshot)? },
            Pending::Ties => Phase::AwaitTies { effect, tree: snapshot.tree.take()? },
        });
    }
    match snapshot.view.state {
        State::Initializing => Some(Phase::Idle),
        State::AwaitingClarification | State::AwaitingCorrection => {
            let open = snapshot.view.clarifications.clone();
            Some(Phase::AwaitAnswer { open, basis: snapshot.tree.take() })
        }
        State::Completed => Some(Phase::Ended(Ending::Answered { basis: snapshot.tree.take() })),
        State::Cancelled => Some(Phase::Ended(Ending::Cancelled { basis: snapshot.tree.take() })),
        State::Failed => failed(snapshot).map(Phase::Ended),
        State::QueryUnderstanding
        | State::InferringJoins
        | State::GeneratingSql
        | State::Judging
        | State::Repairing
        | State::ExecutingQuery => None,
    }
}

fn failed(snapshot: &mut V1) -> Option<Ending> {
    let problem = snapshot.view.problem.clone()?;
    let reason = match snapshot.view.outcome? {
        Outcome::ExecutionFailed => {
            return Some(Ending::NotRun { problem, statement: statement(snapshot)? });
        }
        Outcome::GenerationFailed => Unwritten::GenerationFailed,
        Outcome::OutOfScope => Unwritten::OutOfScope,
        Outcome::Answered | Outcome::NeedsClarification => return None,
    };
    let retryable =
        problem.retryable && problem.stage == Stage::Writing && snapshot.model_statement.is_none();
    Some(Ending::Unwritten { reason, problem, retryable, basis: snapshot.tree.take() })
}

fn statement(snapshot: &mut V1) -> Option<Statement> {
    if let Some(written) = snapshot.model_statement.take() {
        let refusal = Box::new(refusal(snapshot));
        return Some(Statement::Model(Box::new(ModelStatement { written, refusal })));
    }
    if let Some(tree) = snapshot.tree.take() {
        return Some(Statement::Composed(tree));
    }
    snapshot.template.take().map(Statement::Template)
}

fn refusal(snapshot: &mut V1) -> Refusal {
    match snapshot.refusal.take() {
        Some((Outcome::OutOfScope, problem)) => Refusal { reason: Unwritten::OutOfScope, problem },
        Some((_, problem)) => Refusal { reason: Unwritten::GenerationFailed, problem },
        // Early snapshots of version 1 lack the field.
        None => Refusal {
            reason: Unwritten::GenerationFailed,
            problem: ProblemView {
                code: FailureCode::NotWritten.to_string(),
                stage: Stage::Writing,
                message: "no statement could be written".to_owned(),
                hint: "ask again in other words".to_owned(),
                span: None,
                retryable: false,
            },
        },
    }
}
