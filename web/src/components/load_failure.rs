//! Error message for a catalog or an engine that cannot be loaded.

use leptos::prelude::*;

use crate::browser;
use crate::texts;
use crate::view_model::problem::{ApiFailure, ENGINE_UNAVAILABLE, lang_of};
use crate::view_model::words::sentence;

/// Why the catalog or the engine cannot be loaded, with a retry button.
#[component]
pub fn LoadFailure(failure: ApiFailure, on_retry: Callback<()>) -> impl IntoView {
    let hint = match failure.code.as_str() {
        ENGINE_UNAVAILABLE => texts::check_connection(),
        "proxy_unreachable" => texts::check_server(),
        "response_unreadable" => texts::newer_server(),
        _ => texts::retry_in_a_moment(),
    };
    let title = match failure.code.as_str() {
        ENGINE_UNAVAILABLE => texts::engine_not_loaded(),
        _ => texts::catalog_not_loaded(),
    };
    let details = match &failure.request_id {
        Some(id) => texts::failure_details(&failure.code, &failure.status.to_string(), id),
        None => failure.code.clone(),
    };
    let is_code = failure.request_id.is_none();
    let retry = move |_| {
        // The button is about to be removed; the focus stays close to it.
        browser::focus("thread".to_owned());
        on_retry.run(());
    };
    view! {
        <div class="load-failure">
            <div class="card card-failed">
                <h2>{title}</h2>
                <p lang=lang_of(&failure.code)>{sentence(&failure.message())}</p>
                <p>{hint}</p>
                <p class="code" translate=is_code.then_some("no")>{details}</p>
                <button class="button button-primary" on:click=retry>
                    {texts::retry()}
                </button>
            </div>
        </div>
    }
}
