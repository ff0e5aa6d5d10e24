//! Use case: a new question.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wherefore_engine::Session;
use wherefore_engine::session::{Context, Event, Start};

use super::asking::Asking;
use super::flags::AskedFlags;
use super::memory::recalled;
use super::outcome::RoundOutcome;
use super::problems::step_problem;
use super::record::QuestionRecord;
use super::resume::context_of;
use super::run::Run;
use super::service::Questions;
use crate::caller::Caller;
use crate::extract::null_as_default;
use crate::problem::{Problem, ProblemCode};
use crate::store::Owner;

/// Maximum number of characters repeated of a question in a problem document.
const SHOWN_CHARACTERS: usize = 200;

/// A question.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryRequest {
    pub(crate) question: String,
    /// Idempotency key of the client: a repeated request gets the same response, and nothing runs twice.
    #[serde(default, skip_serializing)]
    pub(crate) id: Option<String>,
    /// Thread of the question, from an earlier response; a new one if absent.
    #[serde(default)]
    pub(crate) thread_id: Option<String>,
    /// Current date of the user, `yyyy-mm-dd`; that of the server if absent.
    #[serde(default)]
    pub(crate) today: Option<String>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) skip_clarification: bool,
    /// Whether the statement runs even if its estimated rows exceed the limit above which the caller is asked.
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) accept_estimate: bool,
    /// Context of an earlier question, from its response, for follow-up questions; that of the last question answered
    /// in the thread if absent.
    #[serde(default)]
    pub(crate) context: Option<Context>,
    /// Person whose memory is used and updated, if the caller is not authenticated.
    #[serde(default)]
    pub(crate) person: Option<String>,
    /// Feature flags that override those of the server.
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) flags: AskedFlags,
}

/// Interprets a question, and answers it or asks for clarification.
pub(crate) async fn ask(
    questions: &Questions,
    caller: &Caller,
    request: QueryRequest,
    person: Option<String>,
    run: Arc<Run>,
) -> Result<RoundOutcome, Problem> {
    let QueryRequest {
        question,
        thread_id,
        today,
        skip_clarification,
        accept_estimate,
        context,
        flags,
        person: named,
        ..
    } = request;
    check_characters(&question)?;
    if let Some(thread_id) = &thread_id {
        check_thread(questions, caller, person.as_deref(), thread_id).await?;
    }
    let context = match (context, &thread_id) {
        (None, Some(thread)) => context_of(questions, caller, person.as_deref(), thread).await?,
        (context, _) => context,
    };
    let today = today.unwrap_or_else(|| jiff::Zoned::now().date().to_string());
    let mut record = QuestionRecord::first(questions, caller, thread_id, person)?
        .with_flags(&flags, questions)?;
    record.run = run;
    let person = caller.name(named.as_deref());
    let start = if record.flags.learning {
        let memory = recalled(questions, caller, record.person.as_deref()).await;
        let popular = questions.chosen_by_others(caller).await;
        // The session is stored with what concerns its question only.
        let words = question.to_lowercase();
        let chosen = popular.iter().filter(|chosen| words.contains(&chosen.phrase));
        Start { context, memory, chosen: chosen.cloned().collect(), person }
    } else {
        Start { context, person, ..Start::default() }
    };
    let session = Session::started(start);
    let mut asking = Asking::new(questions, caller, record, session);
    asking.accept_estimate = accept_estimate;
    let event = Event::Ask { text: question.clone(), today, skip_clarification };
    asking.drive(event).await.map_err(|error| {
        let shown: String = question.chars().take(SHOWN_CHARACTERS).collect();
        step_problem(&error, &[]).with("question", shown)
    })?;
    let settled = asking.settle().await?;
    Ok(asking.ended(settled))
}

pub(super) fn check_characters(question: &str) -> Result<(), Problem> {
    if question.chars().any(|character| character.is_control() && !character.is_whitespace()) {
        let detail = "the question contains control characters";
        return Err(Problem::new(ProblemCode::QuestionControlCharacters, detail)
            .with("pointer", "/question"));
    }
    Ok(())
}

async fn check_thread(
    questions: &Questions,
    caller: &Caller,
    person: Option<&str>,
    thread_id: &str,
) -> Result<(), Problem> {
    let owner = Owner { tenant: &caller.identity.tenant, name: person.unwrap_or_default() };
    if questions.store.has_thread(owner, thread_id).await? {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::UnknownThread, "unknown thread").with("pointer", "/thread_id"))
}
