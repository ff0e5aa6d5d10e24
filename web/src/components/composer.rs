//! The input field for questions.

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::prelude::*;

use super::preview_panel::PreviewPanel;
use super::question_text::question_text;
use crate::browser;
use crate::conversation::use_conversation;
use crate::engine_client::Preview;
use crate::view_model::cell_text::grouped;
use crate::view_model::keys::{ComposerKey, composer_key};
use crate::view_model::words::sentence;

/// Share of the maximum length from which the character counter is shown.
const COUNTER_FROM: f64 = 0.8;

/// The input field, with interpreted words highlighted and a live preview below.
#[component]
pub fn Composer() -> impl IntoView {
    let conversation = use_conversation();
    let draft = conversation.draft;
    let refusal = RwSignal::new(None::<String>);
    let limit = conversation.engine.with_value(|engine| engine.settings().question_bytes) as usize;

    let preview = Memo::new(move |_| {
        draft.with(|text| {
            if text.trim().is_empty() || text.len() > limit {
                return Preview::default();
            }
            let (today, context) = (browser::today(), conversation.context());
            let preview = conversation
                .engine
                .with_value(|engine| engine.preview(text, &today, context.as_ref()));
            // A text that cannot be read shows no preview; asking it says why.
            preview.unwrap_or_default()
        })
    });
    let marked = move || {
        let preview = preview.read();
        draft.with(|text| question_text(text, &preview.understanding, &preview.clarifications))
    };
    let counter = move || {
        let bytes = draft.with(String::len);
        (bytes as f64 > limit as f64 * COUNTER_FROM)
            .then(|| format!("{} of {} bytes", grouped(bytes), grouped(limit)))
    };

    let send = move || {
        let text = draft.get_untracked();
        match conversation.ask(text) {
            Ok(()) => {
                draft.set(String::new());
                refusal.set(None);
            }
            Err(error) => refusal.set(Some(sentence(&error.to_string()))),
        }
    };
    let on_keydown = move |event: KeyboardEvent| {
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
        <form class="composer" aria-label="Ask a question" novalidate on:submit=on_submit>
            <div class="composer-row">
                <div class="composer-field">
                    <div class="composer-mirror" aria-hidden="true">{marked}" "</div>
                    <textarea
                        id="composer-text"
                        class="composer-text"
                        rows="1"
                        aria-label="Question"
                        aria-describedby="composer-hint composer-refusal"
                        aria-invalid=move || refusal.with(Option::is_some).to_string()
                        placeholder="Ask in plain words"
                        autocomplete="off"
                        enterkeyhint="send"
                        prop:value=draft
                        on:input=move |event| {
                            refusal.set(None);
                            draft.set(event_target_value(&event));
                        }
                        on:keydown=on_keydown
                    ></textarea>
                </div>
                <button class="button button-primary" type="submit">"Ask"</button>
            </div>
            <p id="composer-refusal" class="field-error">{refusal}</p>
            <PreviewPanel preview draft/>
            <p id="composer-hint" class="composer-hint">
                <span>"Enter to ask, Shift+Enter for a new line"</span>
                <span class="counter">{counter}</span>
            </p>
        </form>
    }
}
