//! A button that copies a text.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use crate::conversation::use_conversation;
use crate::texts;
use crate::view_model::words::Announcement;

/// Time for which the button shows its result, in milliseconds.
const COPIED_MS: u32 = 2_000;

/// A button that copies a text; its result is shown on the button and announced.
#[component]
pub fn CopyButton(
    /// Label.
    label: &'static str,
    /// Label once the text is copied.
    done: &'static str,
    /// CSS classes.
    class: &'static str,
    /// Makes the text.
    text: Callback<(), String>,
) -> impl IntoView {
    let announcer = use_conversation().announcer;
    let shown = RwSignal::new(label);
    let copy = move |_| {
        let written = window().navigator().clipboard().write_text(&text.run(()));
        spawn_local(async move {
            let said = match JsFuture::from(written).await {
                Ok(_) => done,
                Err(_) => texts::copying_blocked(),
            };
            announcer.say(Announcement::status(said));
            shown.set(said);
            TimeoutFuture::new(COPIED_MS).await;
            shown.set(label);
        });
    };
    view! { <button type="button" class=class on:click=copy>{shown}</button> }
}
