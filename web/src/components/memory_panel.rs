//! What is remembered of the user: choices, marks and lessons.

use leptos::prelude::*;
use wherefore_engine::memory::Memory;

use crate::browser;
use crate::conversation::use_conversation;
use crate::texts;
use crate::view_model::export::file_name;
use crate::view_model::memory_list::{
    MemoryEntry, count_choices, count_lessons, count_needless, entries, file, fix, lessons,
    needless,
};
use crate::view_model::words::Announcement;

/// Id of the button that takes the last change back.
const UNDO: &str = "memory-undo";

/// Remembered choices, each of which can be forgotten or always used, marks and lessons; all can be saved and forgotten.
#[component]
pub fn MemoryPanel() -> impl IntoView {
    let conversation = use_conversation();
    let memory = conversation.memory;
    let before = RwSignal::new(None::<Memory>);
    let choices = Memo::new(move |_| {
        let settings = conversation.server_settings();
        memory.with(|memory| entries(memory, &settings))
    });
    let marked = Memo::new(move |_| {
        let settings = conversation.server_settings();
        memory.with(|memory| needless(memory, &settings))
    });
    let learned = Memo::new(move |_| memory.with(lessons));
    let remember = move |said: String| {
        before.set(Some(memory.get_untracked()));
        conversation.announcer.say(Announcement::status(said));
        browser::focus(UNDO.to_owned());
    };
    let forget = Callback::new(move |entry: MemoryEntry| {
        remember(texts::forgotten_said(&entry.phrase));
        conversation.forget(&entry.id);
    });
    let forget_all = move |_| {
        remember(texts::all_forgotten().to_owned());
        conversation.change_memory(|memory| {
            memory.patterns.clear();
            memory.needless.clear();
            memory.lessons.clear();
        });
    };
    let undo = move |_| {
        if let Some(known) = before.get_untracked() {
            conversation.change_memory(|memory| *memory = known);
            before.set(None);
            conversation.announcer.say(Announcement::status(texts::taken_back()));
            browser::focus("tab-memory".to_owned());
        }
    };
    let save = move |_| {
        let name = file_name("remembered choices", &browser::today(), "json");
        let text = memory.with_untracked(file);
        let is_saved = browser::save(&name, "application/json", &text).is_ok();
        conversation.announcer.say(Announcement::saved(&name, is_saved));
    };
    let is_empty =
        Memo::new(move |_| [choices, marked, learned].iter().all(|list| list.with(Vec::is_empty)));
    view! {
        {move || is_empty.get().then(|| view! {
            <p class="muted">
                {texts::nothing_remembered()}
            </p>
        })}
        {move || before.with(Option::is_some).then(|| view! {
            <p class="note undo">
                <span>{texts::forgotten()}</span>
                <button type="button" id=UNDO class="button button-quiet" on:click=undo>{texts::undo()}</button>
            </p>
        })}
        <MemoryList label=texts::remembered_choices() entries=choices count=count_choices forget/>
        <MemoryList label=texts::needless_questions() entries=marked count=count_needless forget/>
        <MemoryList label=texts::lessons() entries=learned count=count_lessons forget/>
        <div class="actions" class:absent=is_empty>
            <button type="button" class="button" on:click=save>{texts::save_as_json()}</button>
            <button type="button" class="button" on:click=forget_all>{texts::forget_all()}</button>
        </div>
    }
}

/// A list with its length above it; nothing if it is empty.
#[component]
fn MemoryList(
    label: &'static str,
    entries: Memo<Vec<MemoryEntry>>,
    count: fn(usize) -> String,
    forget: Callback<MemoryEntry>,
) -> impl IntoView {
    let is_empty = Memo::new(move |_| entries.with(Vec::is_empty));
    view! {
        <p class="muted" class:absent=is_empty>{move || count(entries.with(Vec::len))}</p>
        <ul class="memory" class:absent=is_empty aria-label=label>
            <For each=move || entries.get() key=MemoryEntry::clone let:entry>
                <MemoryRow entry forget/>
            </For>
        </ul>
    }
}

/// Something remembered with its actions.
#[component]
fn MemoryRow(entry: MemoryEntry, forget: Callback<MemoryEntry>) -> impl IntoView {
    let conversation = use_conversation();
    let MemoryEntry { id, phrase, meaning, note, fixed } = entry.clone();
    let about = if meaning.is_empty() { phrase.clone() } else { format!("{phrase}: {meaning}") };
    let always = fixed.map(|fixed| {
        let toggle = move |_| conversation.change_memory(|memory| fix(memory, &id, !fixed));
        view! {
            <button
                type="button"
                class="button button-quiet"
                aria-pressed=fixed.to_string()
                aria-label=texts::always_use_this(&about)
                on:click=toggle
            >
                {if fixed { texts::always_used() } else { texts::always_use() }}
            </button>
        }
    });
    // The page words errors, the engine all else.
    let lang = (phrase != texts::error_of_model()).then_some("en");
    let meaning = (!meaning.is_empty()).then(|| {
        view! {
            <span aria-hidden="true">" → "</span>
            <span class="visually-hidden">{format!(" {} ", texts::means())}</span>
            <bdi lang="en">{meaning}</bdi>
        }
    });
    view! {
        <li>
            <p>
                <b dir="auto" lang=lang>{phrase}</b>
                {meaning}
            </p>
            <p class="muted">{note}</p>
            <div class="history-actions">
                {always}
                <button
                    type="button"
                    class="button button-quiet"
                    aria-label=texts::forget_this(&about)
                    on:click=move |_| forget.run(entry.clone())
                >
                    {texts::forget()}
                </button>
            </div>
        </li>
    }
}
