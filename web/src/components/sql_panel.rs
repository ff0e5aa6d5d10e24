//! The statement that answers a question.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use crate::conversation::use_conversation;
use crate::plain::sql_tokens::tokenize;
use crate::plain::words::Announcement;

/// How long the copy button shows its result, in milliseconds.
const COPIED_MS: u32 = 2_000;

/// The statement, coloured, with a button that copies it.
#[component]
pub fn SqlPanel(sql: String, is_open: RwSignal<bool>) -> impl IntoView {
    let conversation = use_conversation();
    let label = RwSignal::new("Copy SQL");
    let text = sql.clone();
    let copy = move |_| {
        let written = window().navigator().clipboard().write_text(&text);
        spawn_local(async move {
            let said = match JsFuture::from(written).await {
                Ok(_) => "SQL copied",
                Err(_) => "Copying was refused by the browser",
            };
            conversation.announcer.say(Announcement::Status(said.to_owned()));
            label.set(said);
            TimeoutFuture::new(COPIED_MS).await;
            label.set("Copy SQL");
        });
    };
    let toggled = move |event: leptos::ev::Event| {
        let panel: web_sys::Element = event_target(&event);
        is_open.set(panel.has_attribute("open"));
    };
    view! {
        <details class="panel" prop:open=is_open.get_untracked() on:toggle=toggled>
            <summary>"SQL"</summary>
            <div class="panel-body">
                <pre class="sql" tabindex="0" role="region" aria-label="SQL statement">
                    <code>{sql_text(&sql)}</code>
                </pre>
                <button type="button" class="button" on:click=copy>{label}</button>
            </div>
        </details>
    }
}

/// A statement's pieces, each with the class of its kind.
pub fn sql_text(sql: &str) -> impl IntoView + use<> {
    tokenize(sql)
        .into_iter()
        .map(|(kind, text)| view! { <span class=kind.class()>{text.to_owned()}</span> })
        .collect::<Vec<_>>()
}
