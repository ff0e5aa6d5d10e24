//! Buttons that mark a clarification as helpful or needless.

use leptos::prelude::*;

use crate::conversation::use_conversation;
use crate::texts;
use crate::turn::Turn;
use crate::view_model::report::Mark;

/// Both marks of an answered clarification; that of the user is pressed.
#[component]
pub fn ClarificationMarks(
    turn: Turn,
    /// Id of the clarification.
    id: String,
    /// The words that it was about.
    phrase: String,
) -> impl IntoView {
    let conversation = use_conversation();
    let id = StoredValue::new(id);
    let button = |mark: Mark, label: &'static str| {
        let is_pressed = move || id.with_value(|id| turn.mark_of(id)) == Some(mark);
        view! {
            <button
                type="button"
                class="button button-quiet"
                aria-pressed=move || is_pressed().to_string()
                on:click=move |_| conversation.mark(turn, id.get_value(), mark)
            >
                {label}
            </button>
        }
    };
    view! {
        <span class="marks" role="group" aria-label=texts::question_about_was(&phrase)>
            <span class="muted" aria-hidden="true">{texts::the_question_was()}</span>
            {button(Mark::Helpful, texts::helpful())}
            {button(Mark::Needless, texts::needless())}
        </span>
    }
}
