//! The page's header.

use leptos::prelude::*;

use crate::browser;

/// Product name, data source and theme selector.
#[component]
pub fn Header(
    /// Name of the data source; empty until the catalog is loaded.
    source: Signal<String>,
) -> impl IntoView {
    let theme = RwSignal::new(browser::stored_theme());
    let choose = move |event| {
        let chosen = event_target_value(&event);
        browser::apply_theme(&chosen);
        theme.set(chosen);
    };
    view! {
        <a class="skip-link" href="#composer-text">"Skip to the question"</a>
        <header class="site-header">
            <h1 class="site-name">"Wherefore"</h1>
            <p class="site-source" class:absent=move || source.with(String::is_empty)>
                <span class="visually-hidden">"Data source: "</span>
                <bdi>{source}</bdi>
            </p>
            <label class="theme">
                <span class="visually-hidden">"Theme"</span>
                <select on:change=choose prop:value=theme>
                    <option value="auto">"Auto"</option>
                    <option value="light">"Light"</option>
                    <option value="dark">"Dark"</option>
                </select>
            </label>
        </header>
    }
}
