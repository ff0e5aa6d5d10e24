//! Performs the effects that the engine requests, until there are none left.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use wherefore_engine::session::{
    Effect, EffectRequest, EffectResult, Event, ExecutionFailure, FoundValues, ResultSet,
    StepError, ValueSearch,
};
use wherefore_sql::{Dialect, GuardLimits, check_text};

use super::asking::Asking;
use super::stage_times::TimedStage;
use super::writer::Writer;
use crate::data_source::DataSource;
use crate::database::{DatabaseError, RunLimits, Turn};
use crate::knowledge::Knowledge;
use crate::problem::ProblemCode;
use crate::statements::{explained, tell_hidden};
use crate::values::ValueReader;

/// Maximum number of effects of one event, as a guard against an endless loop.
const MOST_EFFECTS: usize = 64;

impl Asking<'_> {
    /// Passes an event to the session, and performs every effect that follows.
    pub(super) async fn drive(&mut self, event: Event) -> Result<(), StepError> {
        let effects = self.step(event)?;
        self.perform(effects).await
    }

    /// Performs effects, and those that follow from them. If the run is cancelled, the current effect is dropped.
    pub(super) async fn perform(&mut self, effects: Vec<Effect>) -> Result<(), StepError> {
        let run = Arc::clone(&self.record.run);
        let mut pending = VecDeque::from(effects);
        let mut performed = 0;
        while let Some(effect) = pending.pop_front() {
            performed += 1;
            if performed > MOST_EFFECTS {
                tracing::error!("a session requested more than {MOST_EFFECTS} effects");
                self.step(Event::Cancel)?;
                break;
            }
            let (stage, begun) = (stage_of(&effect.request), Instant::now());
            let result = tokio::select! {
                biased;
                () = run.cancelled() => {
                    self.step(Event::Cancel)?;
                    break;
                }
                result = self.result_of(effect.request) => result,
            };
            run.add_time(stage, begun.elapsed());
            let result = result.unwrap_or_else(|failure| EffectResult::Failed { failure });
            pending.extend(self.step(Event::EffectResult { effect_id: effect.id, result })?);
        }
        Ok(())
    }

    async fn result_of(
        &mut self,
        request: EffectRequest,
    ) -> Result<EffectResult, ExecutionFailure> {
        let (source, knowledge) = (&self.caller.source, &self.knowledge);
        match request {
            EffectRequest::Execute { sql, dialect, row_limit } => {
                let turn = source.turns.query(&self.caller.holder).await?;
                let rows = row_limit.min(source.limits.rows);
                let limits = RunLimits { rows, ..source.limits };
                let limits = limits.accepting_estimate(self.accept_estimate);
                let ran = execute(source, knowledge, &sql, dialect, limits, &turn).await?;
                self.failed = ran.as_ref().err().cloned();
                Ok(EffectResult::Rows { rows: ran? })
            }
            EffectRequest::LookUpValues { searches } => {
                let reader = source.value_reader(&self.caller.holder).ok_or_else(no_database)?;
                look_up(source, &reader, knowledge, searches).await
            }
            EffectRequest::Write { brief } => {
                let model = self.questions.model.as_deref().ok_or_else(no_model)?;
                let spent = self.questions.limits.check_tokens(&self.caller.identity);
                spent.map_err(|_| no_tokens())?;
                let writer = Writer {
                    questions: self.questions,
                    model,
                    caller: self.caller,
                    knowledge,
                    settings: self.writing.clone(),
                    run: Some(&self.record.run),
                };
                let written = Box::pin(writer.write(*brief)).await?;
                Ok(EffectResult::Written { written: Box::new(written) })
            }
        }
    }
}

fn stage_of(request: &EffectRequest) -> TimedStage {
    match request {
        EffectRequest::Execute { .. } => TimedStage::Running,
        EffectRequest::LookUpValues { .. } => TimedStage::Values,
        EffectRequest::Write { .. } => TimedStage::Writing,
    }
}

/// Runs a statement. The inner error is that of the database.
async fn execute(
    source: &DataSource,
    knowledge: &Knowledge,
    sql: &str,
    dialect: Dialect,
    limits: RunLimits,
    turn: &Turn,
) -> Result<Result<ResultSet, DatabaseError>, ExecutionFailure> {
    let database = source.database.as_ref().ok_or_else(no_database)?;
    let statement = check_text(
        sql,
        dialect.into(),
        knowledge.engine.catalog(),
        database.dialect(),
        &GuardLimits::default(),
    )
    .map_err(|diagnostics| {
        let first = diagnostics.into_iter().next();
        let message = first.map_or_else(String::new, |diagnostic| diagnostic.message);
        ProblemCode::StatementRefused.failure(message, false)
    })?;
    let mut ran = database.run(&statement, limits, Some(turn)).await;
    if let Ok(rows) = &mut ran {
        rows.explained = explained(sql, knowledge.engine.catalog());
        if source.hides_rows() {
            tell_hidden(rows);
        }
    }
    Ok(ran)
}

async fn look_up(
    source: &DataSource,
    reader: &ValueReader,
    knowledge: &Knowledge,
    searches: Vec<ValueSearch>,
) -> Result<EffectResult, ExecutionFailure> {
    let mut found = Vec::with_capacity(searches.len());
    for search in searches {
        let values = source.values.search(reader, knowledge, &search.column, &search.text).await?;
        found.push(FoundValues { search, values: values.to_vec() });
    }
    Ok(EffectResult::Values { found })
}

fn no_tokens() -> ExecutionFailure {
    ProblemCode::TokenBudgetSpent
        .failure("the daily token limit for the language model is used up", false)
}

fn no_model() -> ExecutionFailure {
    ProblemCode::NoModel.failure("no language model is configured", false)
}

fn no_database() -> ExecutionFailure {
    ProblemCode::NoDatabase.failure("there is no database to run statements on", false)
}
