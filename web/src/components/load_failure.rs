//! Error message for a catalog or an engine that cannot be loaded.

use leptos::prelude::*;

use crate::browser;
use crate::view_model::problem::{ApiFailure, ENGINE_UNAVAILABLE};
use crate::view_model::words::sentence;

/// Why the catalog or the engine cannot be loaded, with a retry button.
#[component]
pub fn LoadFailure(failure: ApiFailure, on_retry: Callback<()>) -> impl IntoView {
    let hint = match failure.code.as_str() {
        ENGINE_UNAVAILABLE => "Check the connection to the server, then retry.",
        "proxy_unreachable" => "Check that the server is running and reachable, then retry.",
        "response_unreadable" => {
            "The server may be newer than this page. Reload the page to get the latest version."
        }
        _ => "Retry in a moment. If the problem persists, contact the operator of the server.",
    };
    let title = match failure.code.as_str() {
        ENGINE_UNAVAILABLE => "Could not load the engine",
        _ => "Could not load the catalog",
    };
    let details = match &failure.request_id {
        Some(id) => format!("{} · status {} · request {id}", failure.code, failure.status),
        None => failure.code.clone(),
    };
    let retry = move |_| {
        // The button is about to be removed; the focus stays close to it.
        browser::focus("thread".to_owned());
        on_retry.run(());
    };
    view! {
        <div class="load-failure">
            <div class="card card-failed">
                <h2>{title}</h2>
                <p>{sentence(&failure.message)}</p>
                <p>{hint}</p>
                <p class="code">{details}</p>
                <button class="button button-primary" on:click=retry>
                    "Retry"
                </button>
            </div>
        </div>
    }
}
