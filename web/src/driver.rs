//! Performs the effects that a session requests.

use wherefore_engine::session::FoundValues;

use crate::api;
use crate::engine_client::{EffectKind, EffectRequest, EffectResult};

/// Performs an effect and returns its result.
pub async fn perform(request: EffectRequest, abort: web_sys::AbortSignal) -> EffectResult {
    let done = match request.kind {
        EffectKind::Execute => {
            let rows = api::execute(&request.sql, request.row_limit, &abort).await;
            rows.map(|rows| EffectResult::rows(&rows))
        }
        EffectKind::LookUpValues => {
            let mut found = Vec::new();
            let mut failure = None;
            for search in request.searches {
                match api::values(&search.column, &search.text, &abort).await {
                    Ok(values) => found.push(FoundValues { search, values }),
                    Err(error) => {
                        failure = Some(error);
                        break;
                    }
                }
            }
            failure.map_or_else(|| Ok(EffectResult::values(&found)), Err)
        }
        EffectKind::Write => {
            let written = api::write(request.brief.as_deref(), &abort).await;
            written.map(|written| EffectResult::written(&written))
        }
    };
    done.unwrap_or_else(|failure| EffectResult::failed(&failure.into_execution_failure()))
}
