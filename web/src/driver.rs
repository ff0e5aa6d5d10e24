//! Performs the effects that a session requests.

use wherefore_engine::session::{EffectRequest, EffectResult, FoundValues};

use crate::api;

/// Performs an effect and returns its result.
pub async fn perform(request: EffectRequest, abort: web_sys::AbortSignal) -> EffectResult {
    let done = match request {
        EffectRequest::Execute { sql, row_limit, .. } => {
            api::execute(&sql, row_limit, &abort).await.map(|rows| EffectResult::Rows { rows })
        }
        EffectRequest::LookUpValues { searches } => {
            let mut found = Vec::new();
            let mut failure = None;
            for search in searches {
                match api::values(&search.column, &search.text, &abort).await {
                    Ok(values) => found.push(FoundValues { search, values }),
                    Err(error) => {
                        failure = Some(error);
                        break;
                    }
                }
            }
            failure.map_or(Ok(EffectResult::Values { found }), Err)
        }
        EffectRequest::Write { brief } => api::write(&brief, &abort)
            .await
            .map(|written| EffectResult::Written { written: Box::new(written) }),
    };
    done.unwrap_or_else(|failure| EffectResult::Failed {
        failure: failure.into_execution_failure(),
    })
}
