//! The only two ARIA live regions of the page.

use leptos::prelude::*;

use crate::conversation::Announcer;

/// A polite and an assertive ARIA live region.
#[component]
pub fn LiveRegions(announcer: Announcer) -> impl IntoView {
    view! {
        <div class="visually-hidden" role="status">{announcer.status}</div>
        <div class="visually-hidden" role="alert">{announcer.alert}</div>
    }
}
