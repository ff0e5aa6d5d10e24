//! Performs the effects that a session requests.

use wherefore_engine::session::{FoundValues, ProgressStep};

use crate::engine_client::{EffectKind, EffectRequest, EffectResult};
use crate::view_model::problem::ApiFailure;
use crate::{api, browser};

/// Performs an effect and returns its result. `accept_estimate` says whether a statement runs whatever its estimate;
/// `told` gets the steps of a statement while a model writes it, `failed` the failure if there is one.
pub async fn perform(
    request: EffectRequest,
    accept_estimate: bool,
    abort: web_sys::AbortSignal,
    told: impl Fn(ProgressStep) + 'static,
    failed: impl FnOnce(&ApiFailure),
) -> EffectResult {
    let done = match request.kind {
        EffectKind::Execute => {
            let rows = api::execute(&request.sql, request.row_limit, accept_estimate, &abort).await;
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
            let id = browser::random_id();
            let events = browser::listen(&api::writing_events(&id), "progress", move |data| {
                if let Ok(step) = wherefore_engine::read_json(data) {
                    told(step);
                }
            });
            let written = api::write(&id, request.brief.as_deref(), &abort).await;
            drop(events);
            written.map(|written| EffectResult::written(&written))
        }
    };
    done.unwrap_or_else(|failure| {
        failed(&failure);
        EffectResult::failed(&failure.into_execution_failure())
    })
}
