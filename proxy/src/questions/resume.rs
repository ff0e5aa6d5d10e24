//! Use case: continuing a question that waits for clarification, or changing one that was answered.

use std::sync::Arc;

use wherefore_engine::Session;
use wherefore_engine::clarification::{Clarification, ClarificationAnswer};
use wherefore_engine::session::{Context, Effect, Event};

use super::asking::Asking;
use super::flags::AskedFlags;
use super::idempotency::held;
use super::latest::keep_latest;
use super::outcome::RoundOutcome;
use super::problems::{answered_before, awaits_consent, step_problem};
use super::record::QuestionRecord;
use super::runs::LiveRun;
use super::service::Questions;
use crate::caller::Caller;
use crate::problem::{Problem, ProblemCode};
use crate::store::{OpenSession, Owner, RequestKey, StoredSession};

/// Input to a question that waits for clarification.
pub(crate) struct Resumed {
    /// Clarification id of the question.
    pub(crate) id: String,
    /// Answer or correction.
    pub(crate) event: Event,
    /// Ids of clarifications whose answers are remembered immediately.
    pub(crate) remember: Vec<String>,
    /// Whether choices are remembered for everyone of the tenant.
    pub(crate) everyone: bool,
    /// Person whose memory is updated, if the caller is not authenticated.
    pub(crate) person: Option<String>,
    /// Feature flags that override those of the server.
    pub(crate) flags: AskedFlags,
    /// Whether the statement runs even if its estimated rows exceed the limit above which the caller is asked.
    pub(crate) accept_estimate: bool,
}

/// A change of a question that was answered.
pub(crate) struct Change {
    /// Id of the question, or a clarification id of it.
    pub(crate) id: String,
    /// A new answer, which names the assumption or clarification by its id, or a correction.
    pub(crate) event: Event,
    /// Person whose memory is updated.
    pub(crate) person: Option<String>,
    /// Feature flags that override those of the server.
    pub(crate) flags: AskedFlags,
    /// Whether the statement runs even if its estimated rows exceed the limit above which the caller is asked.
    pub(crate) accept_estimate: bool,
}

impl Resumed {
    /// An event for a waiting question, without choices to remember.
    pub(crate) fn new(id: String, event: Event) -> Self {
        Self {
            id,
            event,
            remember: Vec::new(),
            everyone: false,
            person: None,
            flags: AskedFlags::default(),
            accept_estimate: false,
        }
    }
}

/// A round that no other request can run, before its work begins.
pub(super) struct ClaimedRound<'a> {
    id: String,
    asking: Asking<'a>,
    effects: Vec<Effect>,
    live: LiveRun,
}

/// A round that has ended.
pub(super) struct PlayedRound {
    pub(super) outcome: Result<RoundOutcome, Problem>,
    /// The run, whose end is still to be told.
    pub(super) live: LiveRun,
    /// Whether the round can be sent again: it failed in a way that can be retried, or its statement did not run because
    /// the caller has not accepted the estimate. The question waits for the same answer once its claim is released.
    pub(super) waits_again: bool,
}

/// Continues a waiting question with an answer or correction of its user.
pub(crate) async fn resume(
    questions: &Questions,
    caller: &Caller,
    resumed: Resumed,
) -> Result<RoundOutcome, Problem> {
    let id = resumed.id.clone();
    let round = claim(questions, caller, resumed).await?;
    let played = Box::pin(round.play()).await;
    if played.waits_again {
        questions.store.release(&id).await?;
    }
    let outcome = played.outcome?;
    keep_latest(questions, caller, &outcome).await;
    Ok(outcome)
}

/// Checks an answer or correction, and claims its question.
pub(super) async fn claim<'a>(
    questions: &'a Questions,
    caller: &'a Caller,
    resumed: Resumed,
) -> Result<ClaimedRound<'a>, Problem> {
    let Resumed { id, event, remember, everyone, person, flags, accept_estimate } = resumed;
    let person = caller.person(person.as_deref())?;
    let open = still_open(questions.store.find(&caller.identity, &id).await?)?;
    let record =
        QuestionRecord::later(questions, caller, &open, person)?.with_flags(&flags, questions)?;
    let OpenSession { snapshot, question, .. } = *open;
    let answers = check_answers(&event)?;
    let session = Session::restore(&snapshot).map_err(Problem::internal)?;
    let mut asking = Asking::new(questions, caller, record, session);
    asking.for_everyone = everyone;
    asking.accept_estimate = accept_estimate;
    let refused = |error| step_problem(&error, &answers).with("question", question.clone());
    let effects = asking.step(event).map_err(refused)?;
    for clarification_id in remember {
        let event = Event::Remember { clarification_id };
        asking.session.step(&asking.knowledge.engine, event).map_err(refused)?;
    }
    if !questions.store.claim(&id).await? {
        return Err(answered_before(question));
    }
    let key = RequestKey::of_session(&caller.identity, id.clone());
    let live = questions.runs.begin(&questions.store, key, Arc::clone(&asking.record.run));
    Ok(ClaimedRound { id, asking, effects, live })
}

impl ClaimedRound<'_> {
    /// Runs the round. Its claim is not released.
    pub(super) async fn play(self) -> PlayedRound {
        let Self { id, mut asking, effects, live } = self;
        let store = &asking.questions.store;
        let work = asking.perform_and_settle(effects);
        let settled = held(work, || store.hold_claim(&id)).await;
        let problem = asking.session.view().problem.as_ref();
        let waits_again = settled.is_err()
            && problem.is_some_and(|problem| problem.retryable || awaits_consent(&problem.code));
        PlayedRound { outcome: settled.map(|settled| asking.ended(settled)), live, waits_again }
    }
}

/// Changes a decision of a question that was answered, or corrects it, and answers it again.
pub(crate) async fn change(
    questions: &Questions,
    caller: &Caller,
    change: Change,
) -> Result<RoundOutcome, Problem> {
    let Change { id, event, person, flags, accept_estimate } = change;
    let found = questions.store.find_completed(&caller.identity, &id).await?;
    let open = still_open(Some(found.ok_or_else(unknown_question)?))?;
    let record =
        QuestionRecord::later(questions, caller, &open, person)?.with_flags(&flags, questions)?;
    let OpenSession { snapshot, question, .. } = *open;
    let session = Session::restore(&snapshot).map_err(Problem::internal)?;
    let mut asking = Asking::new(questions, caller, record, session);
    asking.accept_estimate = accept_estimate;
    let effects =
        asking.step(event).map_err(|error| step_problem(&error, &[]).with("question", question))?;
    let settled = asking.perform_and_settle(effects).await?;
    let outcome = asking.ended(settled);
    keep_latest(questions, caller, &outcome).await;
    Ok(outcome)
}

/// Open clarifications of a waiting question.
pub(crate) async fn open_clarifications(
    questions: &Questions,
    caller: &Caller,
    id: &str,
) -> Result<Vec<Clarification>, Problem> {
    let open = still_open(questions.store.find(&caller.identity, id).await?)?;
    let session = Session::restore(&open.snapshot).map_err(Problem::internal)?;
    Ok(session.view().clarifications.clone())
}

/// Context of the last answered question in a thread, while that is stored.
pub(super) async fn context_of(
    questions: &Questions,
    caller: &Caller,
    person: Option<&str>,
    thread: &str,
) -> Result<Option<Context>, Problem> {
    let owner = Owner { tenant: &caller.identity.tenant, name: person.unwrap_or_default() };
    let Some(id) = questions.store.last_answered(owner, thread).await? else { return Ok(None) };
    match questions.store.find_completed(&caller.identity, &id).await? {
        Some(StoredSession::Open(open)) => {
            let session = Session::restore(&open.snapshot).map_err(Problem::internal)?;
            Ok(session.context())
        }
        _ => Ok(None),
    }
}

/// Answers of an event. An empty list is an error.
fn check_answers(event: &Event) -> Result<Vec<ClarificationAnswer>, Problem> {
    match event {
        Event::Answer { answers } if answers.is_empty() => {
            Err(Problem::new(ProblemCode::NoAnswers, "answers must not be empty")
                .with("pointer", "/answers"))
        }
        Event::Answer { answers } => Ok(answers.clone()),
        _ => Ok(Vec::new()),
    }
}

/// The stored session if it can be continued, or the problem.
fn still_open(found: Option<StoredSession>) -> Result<Box<OpenSession>, Problem> {
    match found {
        None => Err(Problem::new(ProblemCode::UnknownClarification, "unknown clarification")),
        Some(StoredSession::Expired { question }) => {
            let detail = "the clarification has expired; ask the question again";
            Err(Problem::new(ProblemCode::ClarificationExpired, detail).with("question", question))
        }
        Some(StoredSession::Answered { question }) => Err(answered_before(question)),
        Some(StoredSession::Open(open)) => Ok(open),
    }
}

fn unknown_question() -> Problem {
    Problem::new(ProblemCode::UnknownQuestion, "unknown question")
}
