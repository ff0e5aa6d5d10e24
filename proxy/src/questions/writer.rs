//! Statements written by the language model: performs the calls of the engine's writing machine until it ends.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use sha2::{Digest, Sha256};
use wherefore_engine::session::{ExecutionFailure, ProgressStep};
use wherefore_engine::writing::{
    Brief, Call, CallFailure, CallResult, Similarity, Writing, WritingSettings, Written,
};
use wherefore_sql::{GuardLimits, check_text};

use super::run::Run;
use super::service::Questions;
use crate::caller::Caller;
use crate::knowledge::Knowledge;
use crate::model::Model;
use crate::problem::ProblemCode;
use crate::store::WritingKey;

/// Maximum number of calls of one question, as a guard against an endless loop.
const CALLS: usize = 64;
/// Timeout of writing for one question.
const TOTAL: Duration = Duration::from_mins(3);

/// Writes the statement of a brief.
pub(super) struct Writer<'a> {
    /// Token limits, and the store of unfinished work.
    pub(super) questions: &'a Questions,
    /// The language model.
    pub(super) model: &'a dyn Model,
    /// The caller and its data source.
    pub(super) caller: &'a Caller,
    /// The engine.
    pub(super) knowledge: &'a Knowledge,
    /// Settings of writing.
    pub(super) settings: WritingSettings,
    /// The run of the question, which counts its tokens.
    pub(super) run: Option<&'a Run>,
}

/// Pending calls of the writing machine, with their ids.
type Calls = Vec<(u32, Call)>;

impl Writer<'_> {
    /// Writes the statement of a brief, continuing unfinished work in the store.
    ///
    /// Tokens are charged to the caller as they are used, even if writing fails.
    pub(super) async fn write(self, brief: Brief) -> Result<Written, ExecutionFailure> {
        let key = self.key(&brief)?;
        let (writing, calls) = self.continued(&key, brief).await?;
        let result = tokio::time::timeout(TOTAL, self.work(&key, writing, calls)).await;
        if let Ok(ended) = &result {
            if let Err(error) = self.questions.store.end_writing(&key).await {
                tracing::debug!(%error, "cannot delete finished model work from the store");
            }
            if let Err(failure) = ended {
                tracing::warn!(code = failure.code, "no statement was written for a brief");
            }
        }
        let late = || ProblemCode::ModelTimeout.failure("the model did not finish in time", true);
        result.unwrap_or_else(|_| Err(late()))
    }

    /// Key of the unfinished work: a digest of caller, catalog, settings and brief.
    fn key(&self, brief: &Brief) -> Result<WritingKey, ExecutionFailure> {
        let identity = &self.caller.identity;
        let of = (&identity.tenant, &identity.user, &self.knowledge.etag, &self.settings, brief);
        match serde_json::to_vec(&of) {
            Ok(text) => Ok(Sha256::digest(text).into()),
            Err(error) => {
                tracing::error!(%error, "cannot serialize a brief");
                Err(ProblemCode::Internal.failure("an internal error occurred", false))
            }
        }
    }

    /// Restores unfinished work from the store, or starts new work; returns it with its pending calls.
    async fn continued(
        &self,
        key: &WritingKey,
        brief: Brief,
    ) -> Result<(Writing, Calls), ExecutionFailure> {
        let catalog = self.knowledge.engine.catalog();
        let kept = self.questions.store.writing(key).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "cannot read unfinished model work");
            None
        });
        if let Some(writing) = kept.and_then(|state| Writing::restore(&state)) {
            let calls = writing.pending(catalog);
            return Ok((writing, calls));
        }
        let mut settings = self.settings.clone();
        if let Some(tokens) = self.model.context_tokens() {
            settings.context_tokens = settings.context_tokens.min(tokens);
        }
        let similar = match &self.questions.embedder {
            Some(embedder) if settings.flags.embeddings && brief.asks_for_tables() => {
                embedder.rank(self.knowledge, &brief.question).await
            }
            _ => Similarity::default(),
        };
        Ok(Writing::begin_among(catalog, settings, brief, nonce()?, similar))
    }

    /// Makes calls, and those that follow from their results, until the statement is written.
    async fn work(
        &self,
        key: &WritingKey,
        mut writing: Writing,
        calls: Calls,
    ) -> Result<Written, ExecutionFailure> {
        let (caller, knowledge) = (self.caller, self.knowledge);
        let (store, limits) = (&self.questions.store, &self.questions.limits);
        let mut running = FuturesUnordered::new();
        let mut made = 0;
        let mut told = Progress { run: self.run, begun: Instant::now(), told: 0 };
        told.tell(&mut writing);
        let mut waiting = calls;
        let failed = |message: &str| Err(ProblemCode::WritingFailed.failure(message, false));
        loop {
            made += waiting.len();
            if made > CALLS {
                return failed("the question needed too many model calls");
            }
            for (id, call) in waiting.drain(..) {
                let model = self.model;
                running.push(async move { (id, perform(model, caller, knowledge, call).await) });
            }
            let Some((id, (result, used))) = running.next().await else {
                return failed("no statement was written for the question");
            };
            limits.charge_tokens(&self.caller.identity, u64::from(used));
            if let Some(run) = self.run {
                run.add_tokens(used);
            }
            waiting = writing.step(knowledge.engine.catalog(), id, result);
            told.tell(&mut writing);
            if let Some(written) = writing.finished() {
                return Ok(written.clone());
            }
            let kept = match writing.snapshot() {
                Ok(state) => store.keep_writing(key, state).await,
                Err(error) => Err(error.into()),
            };
            if let Err(error) = kept {
                tracing::debug!(%error, "cannot store unfinished model work");
            }
        }
    }
}

/// Tells the readers of a run what the writing machine does.
struct Progress<'a> {
    run: Option<&'a Run>,
    begun: Instant,
    /// Number of steps that were told.
    told: usize,
}

impl Progress<'_> {
    /// Sets the time of new steps, and publishes them.
    fn tell(&mut self, writing: &mut Writing) {
        let elapsed = self.begun.elapsed().as_millis();
        writing.set_time(u32::try_from(elapsed).unwrap_or(u32::MAX));
        let steps = writing.progress();
        for step in steps.get(self.told..).unwrap_or_default() {
            if let Some(run) = self.run {
                run.publish_ahead(ProgressStep::from(step));
            }
        }
        self.told = steps.len();
    }
}

/// Result of a call, and the tokens it used.
async fn perform(
    model: &dyn Model,
    caller: &Caller,
    knowledge: &Knowledge,
    call: Call,
) -> (CallResult, u32) {
    match call {
        Call::Complete(prompt) => match model.complete(&prompt).await {
            Ok(completion) => (CallResult::Completed(completion.text), completion.tokens),
            Err(error) => {
                let failure = CallFailure {
                    code: error.code().to_string(),
                    message: error.to_string(),
                    said: error.said().to_owned(),
                    context_tokens: error.context_tokens(),
                };
                (CallResult::Failed(failure), 0)
            }
        },
        Call::Explain(sql) => (explain(caller, knowledge, &sql).await, 0),
    }
}

/// Checks a statement with the guard, and lets the data source plan it in a turn of the caller.
async fn explain(caller: &Caller, knowledge: &Knowledge, sql: &str) -> CallResult {
    let catalog = knowledge.engine.catalog();
    let checked =
        check_text(sql, catalog.dialect.into(), catalog, catalog.dialect, &GuardLimits::default());
    let refused = |code: ProblemCode, message: String| {
        CallResult::Failed(CallFailure {
            code: code.to_string(),
            message,
            ..CallFailure::default()
        })
    };
    let checked = match checked {
        Ok(checked) => checked,
        Err(diagnostics) => {
            let message = diagnostics.first().map(ToString::to_string).unwrap_or_default();
            return refused(ProblemCode::StatementRefused, message);
        }
    };
    let Some(database) = &caller.source.database else { return CallResult::Explained };
    let planned = match caller.source.turns.query(&caller.holder).await {
        Ok(turn) => database.explain(&checked, Some(&turn)).await,
        Err(error) => Err(error),
    };
    match planned {
        // Errors of the statement can be repaired; an unavailable database is reported when the statement runs.
        Err(error) if !error.is_retryable() => refused(error.code(), error.to_string()),
        Ok(_) | Err(_) => CallResult::Explained,
    }
}

/// A random text for marking untrusted data in prompts.
pub(super) fn nonce() -> Result<String, ExecutionFailure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|_| ProblemCode::WritingFailed.failure("cannot generate random numbers", false))?;
    Ok(format!("{:024x}", u128::from_be_bytes(bytes) >> 32))
}
