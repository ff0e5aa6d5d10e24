//! The list of earlier questions in the side panel.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::history_item::HistoryItem;
use super::side::Side;
use crate::api;
use crate::browser;
use crate::conversation::{Conversation, use_conversation};
use crate::texts;
use crate::view_model::history::{Entry, count, entries, matching};
use crate::view_model::history_marks::HistoryMarks;
use crate::view_model::words::Announcement;

/// Local storage key of pins and names.
const MARKS_KEY: &str = "wherefore-history";
/// Id of the button that takes the last deletion back.
const UNDO: &str = "history-undo";
/// Time after which the proxy has the report of a question, in milliseconds.
const REPORTED_MS: u32 = 1_000;
/// Time after which a deletion is sent to the proxy, in milliseconds.
const UNDO_MS: u32 = 20_000;

/// The list with what the user did to it.
#[derive(Clone, Copy)]
pub struct Listed {
    conversation: Conversation,
    /// `None` until it is loaded, and without a history.
    past: RwSignal<Option<Vec<Entry>>>,
    marks: RwSignal<HistoryMarks>,
    /// The entry that was deleted last, until the proxy is told.
    deleted: RwSignal<Option<Entry>>,
}

impl Listed {
    fn new(conversation: Conversation) -> Self {
        let marks = HistoryMarks::read(&browser::stored(MARKS_KEY).unwrap_or_default());
        Self {
            conversation,
            past: RwSignal::new(None),
            marks: RwSignal::new(marks),
            deleted: RwSignal::new(None),
        }
    }

    /// Fetches the list; what was fetched before stays if the proxy cannot be reached.
    fn load(self) {
        spawn_local(async move {
            self.send_deletions().await;
            if let Ok(past) = api::history(&self.conversation.person()).await {
                self.past.try_set(Some(entries(past)));
            }
        });
    }

    /// Changes the marks and keeps them.
    pub fn mark(&self, change: impl FnOnce(&mut HistoryMarks)) {
        self.marks.update(change);
        browser::store(MARKS_KEY, &self.marks.with_untracked(HistoryMarks::text));
    }

    /// Takes an entry out of the list; the proxy deletes it once it can no longer be taken back.
    pub fn delete(&self, entry: Entry) {
        let listed = *self;
        self.mark(|marks| marks.delete(&entry));
        let said = texts::deleted_said(entry.title());
        self.conversation.announcer.say(Announcement::status(said));
        self.deleted.set(Some(entry.clone()));
        browser::focus(UNDO.to_owned());
        spawn_local(async move {
            listed.send_deletions().await;
            TimeoutFuture::new(UNDO_MS).await;
            if listed.deleted.try_get_untracked() == Some(Some(entry)) {
                listed.deleted.set(None);
                listed.send_deletions().await;
            }
        });
    }

    fn undo(&self) {
        if let Some(entry) = self.deleted.get_untracked() {
            self.mark(|marks| marks.restore(&entry.question));
        }
        self.deleted.set(None);
        self.conversation.announcer.say(Announcement::status(texts::taken_back()));
        browser::focus("history-search".to_owned());
    }

    /// Tells the proxy of deletions that can no longer be taken back, also those of an earlier visit.
    async fn send_deletions(&self) {
        let Some(marks) = self.marks.try_get_untracked() else { return };
        let undoable = self.deleted.try_get_untracked().flatten().map(|entry| entry.question);
        for (question, ids) in marks.deleting {
            if undoable.as_ref() == Some(&question) {
                continue;
            }
            for id in &ids {
                // One that fails is in the list again after the next visit.
                let _ = api::forget_question(&self.conversation.person(), id).await;
            }
            // Where the list is no longer shown, the next one repeats the deletion.
            if self.marks.try_get_untracked().is_none() {
                return;
            }
            self.past.update(|past| {
                if let Some(past) = past {
                    past.retain(|listed| listed.ids != ids);
                }
            });
            self.mark(|marks| marks.forget(&question));
        }
    }
}

/// Earlier questions with a search field; a click asks a question again.
#[component]
pub fn History(side: Side) -> impl IntoView {
    let conversation = use_conversation();
    let listed = Listed::new(conversation);
    let search = RwSignal::new(String::new());
    listed.load();
    // The proxy knows of a question a moment after it ended.
    let ended = Memo::new(move |_| {
        conversation.turns.with(|turns| {
            turns.iter().filter(|turn| turn.view.with(|view| view.outcome.is_some())).count()
        })
    });
    Effect::new(move |before: Option<usize>| {
        let now = ended.get();
        if before.is_some_and(|before| before != now) {
            spawn_local(async move {
                TimeoutFuture::new(REPORTED_MS).await;
                listed.load();
            });
        }
        now
    });

    let marked = Memo::new(move |_| {
        let (past, marks) = (listed.past.read(), listed.marks.read());
        past.as_ref().map(|past| marks.applied(past))
    });
    let found = Memo::new(move |_| {
        let (marked, search) = (marked.read(), search.read());
        marked.as_ref().map_or_else(Vec::new, |marked| matching(marked, &search))
    });
    let said = move || match marked.with(|marked| marked.as_ref().map(Vec::len)) {
        Some(all) => count(found.with(Vec::len), all),
        None => texts::no_history_kept().to_owned(),
    };
    let ask = Callback::new(move |entry: Entry| {
        search.set(String::new());
        side.leave();
        conversation.ask_again(entry);
    });
    view! {
        <label class="field">
            <span>{texts::search_history()}</span>
            <input
                type="search"
                id="history-search"
                autocomplete="off"
                aria-describedby="history-count"
                prop:value=search
                on:input=move |event| search.set(event_target_value(&event))
            />
        </label>
        <p id="history-count" class="muted">{said}</p>
        {move || listed.deleted.get().map(|entry| view! {
            <p class="note undo">
                <span>{texts::deleted()}" "<bdi translate="no">{entry.title().to_owned()}</bdi></span>
                <button
                    type="button"
                    id=UNDO
                    class="button button-quiet"
                    on:click=move |_| listed.undo()
                >
                    {texts::undo()}
                </button>
            </p>
        })}
        <ul class="history-list" aria-label=texts::earlier_questions()>
            <For each=move || found.get() key=Entry::clone let:entry>
                <HistoryItem listed entry ask/>
            </For>
        </ul>
    }
}
