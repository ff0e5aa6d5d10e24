//! The page's header.

use leptos::prelude::*;

use super::side::{SIDE, SIDE_SWITCH, Side};
use crate::texts;

/// Product name, data source, and the switch of the side panel.
#[component]
pub fn Header(
    /// Name of the data source; empty until the catalog is loaded.
    source: Signal<String>,
    /// The side panel.
    side: Side,
) -> impl IntoView {
    let is_absent = move || source.with(String::is_empty);
    view! {
        <a class="skip-link" href="#composer-text" on:click=move |_| side.leave()>
            {texts::skip_to_question()}
        </a>
        <header class="site-header">
            <button
                type="button"
                id=SIDE_SWITCH
                class="button side-switch"
                class:absent=is_absent
                aria-expanded=move || side.is_open.get().to_string()
                aria-controls=SIDE
                on:click=move |_| side.toggle()
            >
                <span aria-hidden="true">"☰"</span>
                <span class="side-switch-label">{texts::side_panel()}</span>
            </button>
            <h1 class="site-name" translate="no">"Wherefore"</h1>
            <p class="site-source" class:absent=is_absent>
                <span class="visually-hidden">{texts::data_source()}" "</span>
                <bdi translate="no">{source}</bdi>
            </p>
        </header>
    }
}
