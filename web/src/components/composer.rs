//! The input field for questions.

use std::sync::Arc;
use std::time::Duration;

use leptos::ev::{Event, KeyboardEvent, SubmitEvent};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wherefore_engine::text::Span;

use super::app::Phase;
use super::completion_list::{Completer, CompletionList, LIST};
use super::conversation_handle::ConversationHandle;
use super::preview_panel::PreviewPanel;
use super::question_text::question_text;
use crate::conversation::Announcer;
use crate::engine_client::Preview;
use crate::texts;
use crate::view_model::cell_text::grouped;
use crate::view_model::completion_list::byte_at;
use crate::view_model::keys::{ComposerKey, composer_key};
use crate::view_model::unfinished::{Shown, unfinished};
use crate::view_model::words::{Announcement, sentence};

/// Share of the maximum length from which the character counter is shown.
const COUNTER_FROM: f64 = 0.8;

/// Time after a keystroke from which on a word counts as finished.
const PAUSE: Duration = Duration::from_millis(600);

/// Shown and announced if a question is sent before the page is loaded.
fn queued() -> &'static str {
    texts::composer_queued()
}

/// The input field, with interpreted words highlighted and a live preview below.
///
/// A question that is sent too early stays in the field and is asked once the conversation begins,
/// unless its text is changed before.
#[component]
pub fn Composer(
    /// Loading state of the page.
    phase: RwSignal<Phase>,
    /// Content of the field.
    draft: RwSignal<String>,
    /// Live regions.
    announcer: Announcer,
    /// Loads the engine and the catalog again.
    on_load: Callback<()>,
) -> impl IntoView {
    let refusal = RwSignal::new(None::<String>);
    let is_queued = RwSignal::new(false);
    let handle = Signal::derive(move || phase.with(Phase::handle));
    let limit = move || handle.get().map(|handle| handle.question_bytes);

    let word = Word::default();
    let preview = Memo::new(move |_| preview_of(handle.get(), draft));
    let shown = Memo::new(move |_| Shown::of(preview.get(), word.span.get()));
    let marked = move || {
        let shown = shown.read();
        let preview = shown.preview();
        draft.with(|text| question_text(text, &preview.understanding, &preview.clarifications))
    };
    let counter = move || counted(draft.with(String::len), limit()?);

    let waiting =
        Signal::derive(move || phase.with(|phase| what_is_awaited(phase, is_queued.get())));
    let send = move || {
        let Some(handle) = handle.get_untracked() else {
            return queue(phase, draft, is_queued, announcer, on_load);
        };
        is_queued.set(false);
        match handle.ask.run(draft.get_untracked()) {
            Ok(()) => {
                draft.set(String::new());
                refusal.set(None);
            }
            Err(error) => refusal.set(Some(sentence(&error.to_string()))),
        }
    };
    Effect::new(move |_| {
        if handle.get().is_some() && is_queued.get_untracked() {
            // Outside of this effect, which would own the signals of the turn.
            spawn_local(async move { send() });
        }
    });
    let completer = Completer::new(phase, draft, announcer);
    let on_keydown = move |event: KeyboardEvent| {
        if completer.handle(&event) {
            return;
        }
        let key =
            composer_key(&event.key(), event.key_code(), event.shift_key(), event.is_composing());
        if key == ComposerKey::Send {
            event.prevent_default();
            send();
        }
    };
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        send();
    };
    view! {
        <form class="composer" aria-label=texts::ask_a_question() novalidate on:submit=on_submit>
            <div class="composer-row">
                <CompletionList completer/>
                <div class="composer-field">
                    <div class="composer-mirror" aria-hidden="true" lang="en">{marked}" "</div>
                    <textarea
                        id="composer-text"
                        class="composer-text"
                        rows="1"
                        role="combobox"
                        aria-label=texts::question()
                        aria-autocomplete="list"
                        aria-controls=LIST
                        aria-expanded=move || completer.is_open().to_string()
                        aria-activedescendant=move || completer.active_id()
                        aria-describedby="composer-hint composer-refusal"
                        aria-invalid=move || refusal.with(Option::is_some).to_string()
                        placeholder=texts::ask_in_plain_words()
                        autocomplete="off"
                        enterkeyhint="send"
                        prop:value=draft
                        on:input=move |event| {
                            if refusal.with_untracked(Option::is_some) {
                                refusal.set(None);
                            }
                            is_queued.set(false);
                            completer.typed(&event);
                            let text = event_target_value(&event);
                            word.typed(&event, &text);
                            draft.set(text);
                        }
                        on:keydown=on_keydown
                        on:blur=move |_| completer.close()
                    ></textarea>
                </div>
                <button class="button button-primary" type="submit">{texts::ask()}</button>
            </div>
            <p id="composer-refusal" class="field-error" lang="en">{refusal}</p>
            <PreviewPanel shown draft waiting/>
            <p id="composer-hint" class="composer-hint">
                <span>{texts::composer_hint()}</span>
                <span class="counter">{counter}</span>
            </p>
        </form>
    }
}

/// The word that is being typed.
#[derive(Clone, Copy, Default)]
struct Word {
    /// Its place in the question; `None` after a pause, or behind something else than a word.
    span: RwSignal<Option<Span>>,
    pause: StoredValue<Option<TimeoutHandle>>,
}

impl Word {
    /// Finds the word at the cursor, which counts as unfinished until there is a pause.
    fn typed(&self, event: &Event, text: &str) {
        if let Some(pause) = self.pause.try_update_value(Option::take).flatten() {
            pause.clear();
        }
        let field: web_sys::HtmlTextAreaElement = event_target(event);
        let cursor = field.selection_start().ok().flatten().map_or(usize::MAX, |at| at as usize);
        let found = unfinished(text, byte_at(text, cursor));
        let span = self.span;
        if found != span.get_untracked() {
            span.set(found);
        }
        if found.is_some() {
            self.pause.set_value(set_timeout_with_handle(move || span.set(None), PAUSE).ok());
        }
    }
}

/// Keeps a question that is sent before the page is loaded, and loads the page again if that failed.
fn queue(
    phase: RwSignal<Phase>,
    draft: RwSignal<String>,
    is_queued: RwSignal<bool>,
    announcer: Announcer,
    on_load: Callback<()>,
) {
    if draft.with_untracked(|text| text.trim().is_empty()) {
        return;
    }
    let has_failed = phase.with_untracked(|phase| matches!(phase, Phase::Failed(_)));
    if has_failed {
        on_load.run(());
    }
    if has_failed || !is_queued.get_untracked() {
        announcer.say(Announcement::status(queued()));
    }
    is_queued.set(true);
}

/// The preview of what is typed; empty while there is nothing to read, or no engine.
fn preview_of(handle: Option<ConversationHandle>, draft: RwSignal<String>) -> Arc<Preview> {
    let Some(handle) = handle else { return Arc::default() };
    let text = draft.get();
    if text.trim().is_empty() || text.len() > handle.question_bytes {
        return Arc::default();
    }
    handle.preview.run(text)
}

/// How much of the maximum length is used, once it is most of it.
fn counted(bytes: usize, limit: usize) -> Option<String> {
    (bytes as f64 > limit as f64 * COUNTER_FROM)
        .then(|| texts::bytes_used(&grouped(bytes), &grouped(limit)))
}

/// What the field waits for, in words, until the page is loaded.
fn what_is_awaited(phase: &Phase, is_queued: bool) -> Option<&'static str> {
    match (phase, is_queued) {
        (Phase::Failed(_), _) => Some(texts::not_loaded()),
        (Phase::Loading, true) => Some(queued()),
        (Phase::Loading, false) => Some(texts::loading()),
        (Phase::Ready(_), _) => None,
    }
}
