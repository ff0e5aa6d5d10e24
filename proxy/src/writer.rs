//! The writer: performs the calls of the writing machine until it ends.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use sha2::{Digest, Sha256};
use wherefore_engine::session::ExecutionFailure;
use wherefore_engine::sql::{GuardLimits, check_text};
use wherefore_engine::writing::{
    Brief, Call, CallFailure, CallResult, Writing, WritingSettings, Written,
};

use crate::caller::Caller;
use crate::model::Model;
use crate::source::{Knowledge, Source};
use crate::state::AppState;
use crate::store::WritingKey;

/// Most calls of one question; more would mean that the machine asks in circles.
const CALLS: usize = 64;
/// Longest time that one question may be written at.
const TOTAL: Duration = Duration::from_mins(3);

/// What comes of a brief; work that broke off before goes on where it stood.
///
/// Tokens are charged to the caller as they are used, whatever becomes of the brief.
pub(crate) async fn write(
    state: &AppState,
    model: &dyn Model,
    caller: &Caller,
    knowledge: &Knowledge,
    settings: WritingSettings,
    brief: Brief,
) -> Result<Written, ExecutionFailure> {
    let (store, source) = (&state.store, &*caller.source);
    let catalog = knowledge.engine.catalog();
    let key = key(caller, knowledge, &settings, &brief);
    let kept = store.writing(&key).await.unwrap_or_else(|error| {
        tracing::debug!(%error, "unfinished work cannot be read");
        None
    });
    let (mut writing, calls) = match kept.and_then(|state| Writing::restore(&state)) {
        Some(writing) => {
            let calls = writing.pending(catalog);
            (writing, calls)
        }
        None => Writing::begin(catalog, settings, brief, nonce()?),
    };
    let mut running = FuturesUnordered::new();
    let mut made = 0;
    let mut waiting = calls;
    let work = async {
        loop {
            made += waiting.len();
            if made > CALLS {
                return Err(failure("writing_failed", "the question took too many calls"));
            }
            for (id, call) in waiting.drain(..) {
                running.push(async move { (id, perform(model, source, knowledge, call).await) });
            }
            let Some((id, (result, used))) = running.next().await else {
                return Err(failure("writing_failed", "the question was not written to its end"));
            };
            // What is under way is finished even if these were the last of the day.
            let _ = state.limits.charge_tokens(&caller.identity, u64::from(used));
            waiting = writing.step(catalog, id, result);
            if let Some(written) = writing.finished() {
                return Ok(written.clone());
            }
            if let Err(error) = store.keep_writing(&key, writing.snapshot()).await {
                tracing::debug!(%error, "unfinished work cannot be kept");
            }
        }
    };
    let result = tokio::time::timeout(TOTAL, work).await;
    if let Ok(ended) = &result {
        if let Err(error) = store.end_writing(&key).await {
            tracing::debug!(%error, "finished work cannot be forgotten");
        }
        if let Err(failure) = ended {
            tracing::warn!(code = failure.code, "a brief was not written to its end");
        }
    }
    result.unwrap_or_else(|_| Err(failure("model_timeout", "the model took too long")))
}

/// Under which a brief's work is kept: another asker, catalog, setting or word makes another key.
fn key(
    caller: &Caller,
    knowledge: &Knowledge,
    settings: &WritingSettings,
    brief: &Brief,
) -> WritingKey {
    let identity = &caller.identity;
    let of = (&identity.tenant, &identity.user, &knowledge.etag, settings, brief);
    Sha256::digest(serde_json::to_vec(&of).unwrap_or_default()).into()
}

/// Result of a call, with the tokens it took.
async fn perform(
    model: &dyn Model,
    source: &Source,
    knowledge: &Knowledge,
    call: Call,
) -> (CallResult, u32) {
    match call {
        Call::Complete(prompt) => match model.complete(&prompt).await {
            Ok(completion) => (CallResult::Completed(completion.text), completion.tokens),
            Err(error) => {
                let (code, message) = (error.code().to_owned(), error.to_string());
                (CallResult::Failed(CallFailure { code, message }), 0)
            }
        },
        Call::Explain(sql) => (explain(source, knowledge, &sql).await, 0),
    }
}

/// Whether the data source can plan a statement, which passes the guard again before.
async fn explain(source: &Source, knowledge: &Knowledge, sql: &str) -> CallResult {
    let catalog = knowledge.engine.catalog();
    let checked =
        check_text(sql, catalog.dialect.into(), catalog, catalog.dialect, &GuardLimits::default());
    let refused = |code: &str, message: String| {
        CallResult::Failed(CallFailure { code: code.to_owned(), message })
    };
    let checked = match checked {
        Ok(checked) => checked,
        Err(diagnostics) => {
            let message = diagnostics.first().map(ToString::to_string).unwrap_or_default();
            return refused("statement_refused", message);
        }
    };
    let Some(database) = &source.database else { return CallResult::Explained };
    match database.explain(&checked).await {
        // What is wrong with the statement is repaired; a database that is away is found when it runs.
        Err(error) if !error.is_retryable() => refused(error.code(), error.to_string()),
        Ok(_) | Err(_) => CallResult::Explained,
    }
}

/// A text that nobody can guess.
pub(crate) fn nonce() -> Result<String, ExecutionFailure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|_| failure("writing_failed", "no random numbers are to be had"))?;
    Ok(format!("{:024x}", u128::from_be_bytes(bytes) >> 32))
}

fn failure(code: &str, message: &str) -> ExecutionFailure {
    ExecutionFailure {
        code: code.to_owned(),
        message: message.to_owned(),
        retryable: code.starts_with("model_"),
    }
}
