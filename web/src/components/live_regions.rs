//! The only two ARIA live regions of the page.

use leptos::prelude::*;

use crate::conversation::Announcer;
use crate::view_model::words::Said;

/// A polite and an assertive ARIA live region.
#[component]
pub fn LiveRegions(announcer: Announcer) -> impl IntoView {
    view! {
        <div class="visually-hidden" role="status">{move || text(announcer.status.get())}</div>
        <div class="visually-hidden" role="alert">{move || text(announcer.alert.get())}</div>
    }
}

/// What is said, with its English part marked as such.
fn text(said: Said) -> impl IntoView {
    let Said { own, english } = said;
    let space = if own.is_empty() { "" } else { " " };
    let english = (!english.is_empty()).then(|| view! { {space}<span lang="en">{english}</span> });
    view! { {own}{english} }
}
