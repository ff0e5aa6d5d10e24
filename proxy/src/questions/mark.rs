//! Use case: feedback on a clarification, which is counted and remembered for the person who asked.

use serde_json::Value;
use wherefore_engine::Session;
use wherefore_engine::ambiguity::AmbiguityKind;

use super::reported::question_id;
use super::service::Questions;
use crate::caller::Caller;
use crate::problem::{Problem, ProblemCode};
use crate::store::{Mark, MarkedPlace, StoredSession};

/// Feedback on a clarification of a question.
pub(crate) struct Feedback {
    /// Id of the question, or of one of its clarification rounds; of a reported question, the client's id.
    pub(crate) id: String,
    /// Id of the clarification.
    pub(crate) about: String,
    pub(crate) mark: Mark,
    /// Person whose memory is updated; by default the one who asked.
    pub(crate) person: Option<String>,
}

/// Stores feedback. From the second time on, the same feedback on the same clarification changes nothing.
pub(crate) async fn mark(
    questions: &Questions,
    caller: &Caller,
    feedback: Feedback,
) -> Result<(), Problem> {
    let Feedback { id, about, mark, person } = feedback;
    let person = caller.person(person.as_deref())?;
    let reported = question_id(caller, person.as_deref(), &id);
    let place = questions.store.mark(&caller.identity, (&id, &reported), &about, mark).await?;
    let place = place.ok_or_else(|| {
        let detail = "this question has no clarification with this id";
        Problem::new(ProblemCode::UnknownClarification, detail)
    })?;
    let person = person.or_else(|| place.person.clone());
    let (Some(person), true) = (person, place.changed) else { return Ok(()) };
    let Some((kind, phrase)) = words(questions, caller, (&id, &about), place).await? else {
        return Ok(());
    };
    let needless = mark == Mark::Needless;
    let today = jiff::Zoned::now().date().to_string();
    let change = |memory: &mut wherefore_engine::memory::Memory| {
        memory.mark(kind, &phrase, needless, &today);
    };
    questions.store.change_memory(&person, change).await?;
    Ok(())
}

/// Kind and words of a marked clarification; from the session if no history is kept, while it is stored.
async fn words(
    questions: &Questions,
    caller: &Caller,
    (id, about): (&str, &str),
    place: MarkedPlace,
) -> Result<Option<(AmbiguityKind, String)>, Problem> {
    if place.kept {
        let kind = serde_json::from_value(Value::String(place.kind)).map_err(Problem::internal)?;
        return Ok(Some((kind, place.phrase)));
    }
    let (identity, store) = (&caller.identity, &questions.store);
    for found in [store.find_completed(identity, id).await?, store.find(identity, id).await?] {
        let Some(StoredSession::Open(open)) = found else { continue };
        let session = Session::restore(&open.snapshot).map_err(Problem::internal)?;
        let view = session.view();
        let decided = view.assumptions.iter().map(|assumption| &assumption.clarification);
        let mut asked = view.clarifications.iter().chain(decided);
        if let Some(asked) = asked.find(|asked| asked.id == about) {
            return Ok(Some((asked.ambiguity, asked.phrase.clone())));
        }
    }
    Ok(None)
}
