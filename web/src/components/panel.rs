//! A part of a turn that can be folded away.

use leptos::prelude::*;

use crate::fields::{Fields, Part};

/// A part with its summary, opened or closed as the user left it, or else as `opens` says.
#[component]
pub fn Panel(
    /// Keeps whether the part is open.
    fields: Fields,
    part: Part,
    #[prop(optional)] opens: bool,
    summary: AnyView,
    children: Children,
) -> impl IntoView {
    let toggled = move |event: leptos::ev::Event| {
        let panel: web_sys::Element = event_target(&event);
        fields.open(part, panel.has_attribute("open"), opens);
    };
    view! {
        <details class="panel" prop:open=fields.is_open(part, opens) on:toggle=toggled>
            <summary translate=(part == Part::Sql).then_some("no")>{summary}</summary>
            {children()}
        </details>
    }
}
