//! Continuations of the question that is typed, as the list of a combobox.

use std::time::Duration;

use leptos::ev::{Event, KeyboardEvent};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use wherefore_engine::session::Completion;

use super::app::Phase;
use crate::browser;
use crate::conversation::Announcer;
use crate::texts;
use crate::view_model::completion_list::{
    ListKey, accepted, announced, byte_at, kind_label, list_key,
};
use crate::view_model::pace::Pace;
use crate::view_model::words::Announcement;

/// Id of the list.
pub const LIST: &str = "completions";
/// Time that a list stays the same before it is announced.
const SETTLED: Duration = Duration::from_millis(800);

/// The continuations of a text at a place.
#[derive(Clone, Debug, Default, PartialEq)]
struct Offered {
    text: String,
    items: Vec<Completion>,
}

/// State of the list; a cheap handle.
#[derive(Clone, Copy)]
pub struct Completer {
    phase: RwSignal<Phase>,
    draft: RwSignal<String>,
    announcer: Announcer,
    offered: RwSignal<Offered>,
    active: RwSignal<Option<usize>>,
    /// Words of the option on which a pointer went down.
    pressed: StoredValue<String>,
    pending: StoredValue<Option<TimeoutHandle>>,
    /// How fast is typed, and how long looking takes.
    pace: StoredValue<Pace>,
    unsaid: StoredValue<Option<TimeoutHandle>>,
}

impl Completer {
    /// An empty list for the composer.
    pub fn new(phase: RwSignal<Phase>, draft: RwSignal<String>, announcer: Announcer) -> Self {
        let completer = Self {
            phase,
            draft,
            announcer,
            offered: RwSignal::default(),
            active: RwSignal::new(None),
            pressed: StoredValue::new(String::new()),
            pending: StoredValue::new(None),
            pace: StoredValue::default(),
            unsaid: StoredValue::new(None),
        };
        // A question that is sent or replaced leaves no list behind.
        Effect::new(move |_| {
            let is_typing = completer.pending.with_value(Option::is_some);
            let is_other = completer
                .draft
                .with(|text| completer.offered.with_untracked(|offered| *text != offered.text));
            if is_other && !is_typing {
                completer.close();
            }
        });
        completer
    }

    /// Whether any continuation is shown.
    pub fn is_open(&self) -> bool {
        self.offered.with(|offered| !offered.items.is_empty())
    }

    /// Id of the active option; `None` while the cursor is in the text.
    pub fn active_id(&self) -> Option<String> {
        self.active.get().map(option_id)
    }

    /// Looks for continuations once the preview of a keystroke is painted, and not when the next one is expected.
    ///
    /// What an input method is composing is no word yet.
    pub fn typed(&self, event: &Event) {
        let completer = *self;
        self.deactivate();
        self.cancel();
        if browser::is_composing(event) {
            return self.close();
        }
        self.pace.update_value(|pace| pace.typed(browser::now_ms()));
        let wait = self.pace.with_value(Pace::wait);
        let look = set_timeout_with_handle(move || completer.look(), wait);
        self.pending.set_value(look.ok());
    }

    /// Closes the list; it opens again when something is typed.
    pub fn close(&self) {
        self.cancel();
        self.deactivate();
        if self.offered.with_untracked(|offered| !offered.items.is_empty()) {
            self.offered.set(Offered::default());
        }
    }

    /// Handles a key of the composer; whether it is done with.
    pub fn handle(&self, event: &KeyboardEvent) -> bool {
        let is_modified = event.shift_key()
            || event.ctrl_key()
            || event.alt_key()
            || event.meta_key()
            || event.is_composing();
        if self.is_stale() && event.key() == "Tab" && !is_modified {
            self.look();
        }
        let count = self.offered.with_untracked(|offered| offered.items.len());
        match list_key(&event.key(), is_modified, count, self.active.get_untracked()) {
            ListKey::Accept(at) => self.accept(at),
            ListKey::Close => self.close(),
            ListKey::Move(active) => self.active.set(active),
            ListKey::Default => return false,
        }
        event.prevent_default();
        true
    }

    /// Remembers on which option a pointer went down.
    fn press(&self, at: usize) {
        self.pressed.set_value(self.words(at));
    }

    /// Accepts an option, unless the list changed while the pointer was down.
    fn click(&self, at: usize) {
        if self.pressed.with_value(|pressed| *pressed == self.words(at)) {
            self.accept(at);
        }
    }

    fn words(&self, at: usize) -> String {
        self.offered.with_untracked(|offered| {
            offered.items.get(at).map_or_else(String::new, |item| item.label.clone())
        })
    }

    /// Puts a continuation into the question, and looks for what can follow it.
    fn accept(&self, at: usize) {
        let text = self.draft.get_untracked();
        let item = self.offered.with_untracked(|offered| {
            (offered.text == text).then(|| offered.items.get(at).cloned()).flatten()
        });
        let Some(item) = item else { return };
        let (text, caret) = accepted(&text, &item);
        self.draft.set(text);
        browser::focus_composer_at(caret);
        self.look_at(caret);
    }

    /// Whether a list is shown that belongs to an earlier text.
    fn is_stale(&self) -> bool {
        self.offered.with_untracked(|offered| {
            !offered.items.is_empty() && self.draft.with_untracked(|text| *text != offered.text)
        })
    }

    /// Asks the engine for the continuations of what is typed.
    fn look(&self) {
        self.look_at(browser::composer_cursor());
    }

    /// Asks the engine for the continuations at a place, in UTF-16 code units.
    fn look_at(&self, place: usize) {
        self.cancel();
        let text = self.draft.get_untracked();
        let Some(handle) = self.phase.with_untracked(Phase::handle) else { return };
        let started_ms = browser::now_ms();
        let items = handle.completions.run((text.clone(), byte_at(&text, place)));
        let took_ms = browser::now_ms() - started_ms;
        self.pace.update_value(|pace| pace.took(took_ms));
        self.deactivate();
        self.offered.set(Offered { text, items });
        self.announce();
    }

    /// Moves back to the text; each option listens to this.
    fn deactivate(&self) {
        if self.active.with_untracked(Option::is_some) {
            self.active.set(None);
        }
    }

    fn announce(&self) {
        let completer = *self;
        let say = move || {
            let said = completer.offered.with_untracked(|offered| announced(&offered.items));
            if let Some(said) = said {
                completer.announcer.say(Announcement::status(said));
            }
        };
        if self.offered.with_untracked(|offered| !offered.items.is_empty()) {
            self.unsaid.set_value(set_timeout_with_handle(say, SETTLED).ok());
        }
    }

    /// Cancels what is pending.
    fn cancel(&self) {
        for pending in [self.pending, self.unsaid] {
            let handle = pending.try_update_value(Option::take).flatten();
            if let Some(handle) = handle {
                handle.clear();
            }
        }
    }
}

/// Id of an option.
fn option_id(at: usize) -> String {
    format!("{LIST}-{at}")
}

/// The list; it lies above the composer and moves nothing.
#[component]
pub fn CompletionList(completer: Completer) -> impl IntoView {
    let options = move || {
        completer.offered.with(|offered| {
            let options = offered.items.iter().enumerate();
            options.map(|(at, item)| option(completer, at, item, &offered.text)).collect::<Vec<_>>()
        })
    };
    let is_closed = move || !completer.is_open();
    view! {
        <div class="completions" class:absent=is_closed>
            <ul id=LIST class="completion-list" role="listbox" aria-label=texts::continuations()>
                {options}
            </ul>
            <p class="completion-keys" aria-hidden="true">{texts::continuation_keys()}</p>
        </div>
    }
}

fn option(completer: Completer, at: usize, item: &Completion, text: &str) -> impl IntoView + use<> {
    let replaced = item.instead.then(|| item.span.of(text).trim().to_owned());
    let is_active = move || completer.active.get() == Some(at);
    view! {
        <li
            id=option_id(at)
            class="completion"
            class:completion-active=is_active
            role="option"
            aria-selected=move || is_active().to_string()
            on:mousedown=move |event| {
                // The focus stays in the composer.
                event.prevent_default();
                completer.press(at);
            }
            on:click=move |_| completer.click(at)
        >
            <span class="completion-words" lang="en">
                {replaced.map(|words| view! { <s>{words}</s>" " })}
                <bdi>{item.label.clone()}</bdi>
            </span>
            <span class="completion-kind">
                {kind_label(item.kind)}
                {item.asks.then(|| format!(", {}", texts::asks_back()))}
            </span>
        </li>
    }
}
