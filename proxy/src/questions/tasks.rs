//! Typed tasks of the language model, each about one brief.

use axum::http::StatusCode;
use serde::Serialize;
use serde_json::json;
use wherefore_engine::catalog::Catalog;
use wherefore_engine::session::ExecutionFailure;
use wherefore_engine::writing::{
    Brief, PromptSource, SingleAnswer, SingleTask, WritingFlags, WritingSettings, Written,
};

use super::run::Run;
use super::service::Questions;
use super::writer::{Writer, nonce};
use crate::caller::Caller;
use crate::model::{Model, ModelError};
use crate::problem::{Problem, ProblemCode};

/// Maximum number of earlier questions, of schema links and decisions, and of earlier drafts in a brief.
const EARLIER: usize = 20;
const TIES: usize = 100;
const HELD: usize = 20;

/// A task of the language model.
pub(crate) enum Task {
    /// Writing a statement, in several calls.
    WriteSql,
    /// A task that is one call.
    Single(SingleTask),
}

/// The result of a task.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum TaskAnswer {
    Written(Box<Written>),
    Single(SingleAnswer),
}

/// Checks that a model may be asked about a brief, and returns the model.
pub(super) fn admit<'a>(
    questions: &'a Questions,
    caller: &Caller,
    brief: &Brief,
) -> Result<&'a dyn Model, Problem> {
    let knowledge = caller.source.knowledge();
    let Some(model) = questions.model.as_deref() else {
        return Err(Problem::new(ProblemCode::NoModel, "no language model is configured"));
    };
    questions.limits.check_tokens(&caller.identity)?;
    let most = knowledge.engine.settings().question_bytes as usize;
    check(knowledge.engine.catalog(), brief, most)?;
    Ok(model)
}

/// Performs a task; the steps of writing are told to the readers of a run.
pub(crate) async fn perform(
    questions: &Questions,
    caller: &Caller,
    task: Task,
    brief: Brief,
    flags: Option<WritingFlags>,
    run: Option<&Run>,
) -> Result<TaskAnswer, Problem> {
    let model = admit(questions, caller, &brief)?;
    let knowledge = caller.source.knowledge();
    let mut settings = questions.writing.clone();
    settings.flags = flags.unwrap_or(settings.flags);
    match task {
        Task::WriteSql => {
            let writer = Writer { questions, model, caller, knowledge: &knowledge, settings, run };
            let written = Box::pin(writer.write(brief)).await.map_err(failed)?;
            Ok(TaskAnswer::Written(Box::new(written)))
        }
        Task::Single(task) => {
            let catalog = knowledge.engine.catalog();
            let (answer, tokens) = ask(model, catalog, &brief, &settings, &task).await?;
            // A response that cannot be used has consumed tokens too.
            questions.limits.charge_tokens(&caller.identity, u64::from(tokens));
            Ok(TaskAnswer::Single(answer?))
        }
    }
}

async fn ask(
    model: &dyn Model,
    catalog: &Catalog,
    brief: &Brief,
    settings: &WritingSettings,
    task: &SingleTask,
) -> Result<(Result<SingleAnswer, Problem>, u32), Problem> {
    let nonce = nonce().map_err(failed)?;
    let source = PromptSource { catalog, brief, settings, nonce: &nonce };
    let Some(prompt) = source.prompt(task) else {
        let detail = "unknown table or template";
        return Err(Problem::new(ProblemCode::UnknownName, detail));
    };
    let completion = model.complete(&prompt).await.map_err(model_problem)?;
    let answer = source.answer(task, &completion.text).ok_or_else(|| {
        let detail = "the answer of the model does not have the expected form";
        Problem::new(ProblemCode::UnreadableAnswer, detail).with("retryable", true)
    });
    Ok((answer, completion.tokens))
}

/// Validates the limits of a brief, and that the catalog has the names in it.
fn check(catalog: &Catalog, brief: &Brief, most: usize) -> Result<(), Problem> {
    let refused = |code: ProblemCode, detail: String, pointer: &str| {
        Err(Problem::new(code, detail).with("pointer", json!(pointer)))
    };
    if brief.question.trim().is_empty() {
        return refused(
            ProblemCode::QuestionEmpty,
            "the question is empty".to_owned(),
            "/brief/question",
        );
    }
    let texts = brief.earlier.iter().chain([&brief.question]);
    if texts.map(String::len).any(|bytes| bytes > most) {
        let detail = format!("the question is longer than {most} bytes");
        return refused(ProblemCode::QuestionTooLong, detail, "/brief/question");
    }
    let many = brief.ties.len() > TIES || brief.decided.len() > TIES;
    if many || brief.earlier.len() > EARLIER || brief.held.len() > HELD {
        return refused(
            ProblemCode::BriefTooLarge,
            "the brief exceeds the limits of its lists".to_owned(),
            "/brief",
        );
    }
    if brief.today.parse::<jiff::civil::Date>().is_err() {
        let detail = "today must be a date of the form yyyy-mm-dd".to_owned();
        return refused(ProblemCode::InvalidToday, detail, "/brief/today");
    }
    match brief.unknown_name(catalog) {
        Some(name) => {
            let detail = format!("the catalog has no {name}");
            refused(ProblemCode::UnknownName, detail, "/brief")
        }
        None => Ok(()),
    }
}

fn failed(failure: ExecutionFailure) -> Problem {
    Problem::relayed(status(&failure.code), failure.code, failure.message)
        .with("retryable", failure.retryable)
}

fn model_problem(error: ModelError) -> Problem {
    let problem = Problem::new(error.code(), error.to_string());
    match error {
        ModelError::PromptTooLong { .. } | ModelError::Refused { .. } => {
            problem.with("retryable", false)
        }
        _ => problem.with("retryable", true),
    }
}

fn status(code: &str) -> StatusCode {
    match ProblemCode::from_text(code) {
        Some(
            code @ (ProblemCode::ModelBusy
            | ProblemCode::ModelTimeout
            | ProblemCode::ModelUnavailable),
        ) => code.status(),
        _ => StatusCode::BAD_GATEWAY,
    }
}
