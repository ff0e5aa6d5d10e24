//! The list of earlier questions above the thread.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api;
use crate::browser;
use crate::conversation::use_conversation;
use crate::view_model::history::{Entry, count, entries, matching};

/// Id of the control that opens the list.
const SUMMARY: &str = "history-summary";

/// Earlier questions with a search field; a click asks a question again. Nothing is shown without a history.
#[component]
pub fn History() -> impl IntoView {
    let conversation = use_conversation();
    let listed = RwSignal::new(None::<Vec<Entry>>);
    let search = RwSignal::new(String::new());
    let is_open = RwSignal::new(false);
    let load = move || {
        spawn_local(async move {
            // What was loaded before stays if the proxy cannot be reached.
            if let Ok(past) = api::history(&conversation.person()).await {
                listed.set(Some(entries(past)));
            }
        });
    };
    load();

    let found = Memo::new(move |_| {
        let (listed, search) = (listed.read(), search.read());
        listed.as_ref().map_or_else(Vec::new, |listed| matching(listed, &search))
    });
    let said = move || {
        let all = listed.with(|listed| listed.as_ref().map_or(0, Vec::len));
        count(found.with(Vec::len), all)
    };
    let toggled = move |event: leptos::ev::Event| {
        let panel: web_sys::Element = event_target(&event);
        let opens = panel.has_attribute("open");
        is_open.set(opens);
        if opens {
            load();
        }
    };
    let close_on_escape = move |event: KeyboardEvent| {
        if event.key() == "Escape" && is_open.get_untracked() {
            is_open.set(false);
            browser::focus(SUMMARY.to_owned());
        }
    };
    let ask = Callback::new(move |question: String| {
        is_open.set(false);
        search.set(String::new());
        conversation.ask_again(question);
    });
    let is_shown = Memo::new(move |_| listed.with(Option::is_some));
    view! {
        <Show when=move || is_shown.get()>
            <details
                class="history"
                prop:open=is_open
                on:toggle=toggled
                on:keydown=close_on_escape
            >
                <summary id=SUMMARY>"Earlier questions"</summary>
                <div class="history-body">
                    <label class="field">
                        <span>"Search earlier questions"</span>
                        <input
                            type="search"
                            autocomplete="off"
                            aria-describedby="history-count"
                            prop:value=search
                            on:input=move |event| search.set(event_target_value(&event))
                        />
                    </label>
                    <p id="history-count" class="muted">{said}</p>
                    <ul class="history-list" aria-label="Earlier questions">
                        <For each=move || found.get() key=Entry::clone let:entry>
                            {item(entry, ask)}
                        </For>
                    </ul>
                </div>
            </details>
        </Show>
    }
}

/// A question as a button that asks it again.
fn item(entry: Entry, ask: Callback<String>) -> impl IntoView {
    let Entry { question, note } = entry;
    let note = note.map(|note| view! { <span class="muted">{format!(" ({note})")}</span> });
    let text = question.clone();
    view! {
        <li>
            <button
                type="button"
                class="history-item"
                dir="auto"
                on:click=move |_| ask.run(question.clone())
            >
                {text}
                {note}
            </button>
        </li>
    }
}
