//! Runs sessions headless: performs what the engine asks for until it asks for nothing more.

use std::collections::VecDeque;
use std::time::Instant;

use wherefore_engine::Session;
use wherefore_engine::session::{
    Effect, EffectRequest, EffectResult, Event, ExecutionFailure, FoundValues, StepError,
    ValueSearch,
};
use wherefore_engine::sql::{Dialect, GuardLimits, check_text};

use crate::caller::Caller;
use crate::database::RunLimits;
use crate::explained::explained;
use crate::problem::Problem;
use crate::runs::Run;
use crate::source::{Knowledge, Source};
use crate::state::AppState;
use crate::trace::TimedStage;
use crate::writer;

/// Most effects of one event; more would mean that the engine asks in circles.
const MOST_EFFECTS: usize = 64;

/// Tells a session an event, and performs every effect that follows.
pub(crate) async fn drive(
    state: &AppState,
    caller: &Caller,
    knowledge: &Knowledge,
    session: &mut Session,
    event: Event,
    run: &Run,
) -> Result<(), StepError> {
    let effects = step(knowledge, session, event, run)?;
    perform(state, caller, knowledge, session, effects, run).await
}

/// Tells a session an event, and readers what it passed by that.
pub(crate) fn step(
    knowledge: &Knowledge,
    session: &mut Session,
    event: Event,
    run: &Run,
) -> Result<Vec<Effect>, StepError> {
    let begun = Instant::now();
    let effects = session.step(&knowledge.engine, event);
    run.spend(TimedStage::Understanding, begun.elapsed());
    run.publish(&session.view().steps);
    effects
}

/// Performs effects, and those that follow from them, until the run is told to stop; what is under way is dropped then.
pub(crate) async fn perform(
    state: &AppState,
    caller: &Caller,
    knowledge: &Knowledge,
    session: &mut Session,
    effects: Vec<Effect>,
    run: &Run,
) -> Result<(), StepError> {
    let mut pending = VecDeque::from(effects);
    let mut performed = 0;
    while let Some(effect) = pending.pop_front() {
        performed += 1;
        if performed > MOST_EFFECTS {
            tracing::error!("session asked for more than {MOST_EFFECTS} effects");
            step(knowledge, session, Event::Cancel, run)?;
            break;
        }
        let (stage, begun) = (stage_of(&effect.request), Instant::now());
        let result = tokio::select! {
            biased;
            () = run.cancelled() => {
                step(knowledge, session, Event::Cancel, run)?;
                break;
            }
            result = result_of(state, caller, knowledge, effect.request) => result,
        };
        run.spend(stage, begun.elapsed());
        let result = result.unwrap_or_else(|failure| EffectResult::Failed { failure });
        let event = Event::EffectResult { effect_id: effect.id, result };
        pending.extend(step(knowledge, session, event, run)?);
    }
    Ok(())
}

fn stage_of(request: &EffectRequest) -> TimedStage {
    match request {
        EffectRequest::Execute { .. } => TimedStage::Running,
        EffectRequest::LookUpValues { .. } => TimedStage::Values,
        EffectRequest::Write { .. } => TimedStage::Writing,
    }
}

async fn result_of(
    state: &AppState,
    caller: &Caller,
    knowledge: &Knowledge,
    request: EffectRequest,
) -> Result<EffectResult, ExecutionFailure> {
    match request {
        EffectRequest::Execute { sql, dialect, row_limit } => {
            execute(&caller.source, knowledge, &sql, dialect, row_limit).await
        }
        EffectRequest::LookUpValues { searches } => {
            look_up(&caller.source, knowledge, searches).await
        }
        EffectRequest::Write { brief } => {
            let model = state.model.as_deref().ok_or_else(no_model)?;
            let settings = state.writing.clone();
            let spent = state.limits.check_tokens(&caller.identity);
            spent.map_err(|problem| no_tokens(&problem))?;
            let written =
                Box::pin(writer::write(state, model, caller, knowledge, settings, *brief)).await?;
            Ok(EffectResult::Written { written: Box::new(written) })
        }
    }
}

async fn execute(
    source: &Source,
    knowledge: &Knowledge,
    sql: &str,
    dialect: Dialect,
    row_limit: u32,
) -> Result<EffectResult, ExecutionFailure> {
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
        ExecutionFailure {
            code: "statement_refused".to_owned(),
            message: first.map_or_else(String::new, |diagnostic| diagnostic.message),
            retryable: false,
        }
    })?;
    let limits = RunLimits { rows: row_limit.min(source.limits.rows), ..source.limits };
    let mut rows = database.run(&statement, limits).await?;
    rows.explained = explained(sql, knowledge.engine.catalog());
    Ok(EffectResult::Rows { rows })
}

async fn look_up(
    source: &Source,
    knowledge: &Knowledge,
    searches: Vec<ValueSearch>,
) -> Result<EffectResult, ExecutionFailure> {
    let database = source.database.as_deref().ok_or_else(no_database)?;
    let mut found = Vec::with_capacity(searches.len());
    for search in searches {
        let values =
            source.values.search(database, knowledge, &search.column, &search.text).await?;
        found.push(FoundValues { search, values: values.to_vec() });
    }
    Ok(EffectResult::Values { found })
}

fn no_tokens(problem: &Problem) -> ExecutionFailure {
    ExecutionFailure {
        code: problem.code().to_owned(),
        message: "the tokens of the day are spent".to_owned(),
        retryable: false,
    }
}

fn no_model() -> ExecutionFailure {
    ExecutionFailure {
        code: "no_model".to_owned(),
        message: "no model is named here".to_owned(),
        retryable: false,
    }
}

fn no_database() -> ExecutionFailure {
    ExecutionFailure {
        code: "no_database".to_owned(),
        message: "the catalog has no database behind it".to_owned(),
        retryable: false,
    }
}
