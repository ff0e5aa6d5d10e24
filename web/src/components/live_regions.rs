//! The two live regions: nothing else on the page speaks by itself.

use leptos::prelude::*;

use crate::conversation::Announcer;

/// The polite and the assertive live region.
#[component]
pub fn LiveRegions(announcer: Announcer) -> impl IntoView {
    view! {
        <div class="visually-hidden" role="status">{announcer.status}</div>
        <div class="visually-hidden" role="alert">{announcer.alert}</div>
    }
}
