//! The thread of turns.

use leptos::prelude::*;

use super::empty_state::EmptyState;
use super::turn::TurnView;
use crate::conversation::use_conversation;
use crate::texts;

/// All turns, or the introduction before the first one.
#[component]
pub fn Turns() -> impl IntoView {
    let conversation = use_conversation();
    let is_empty = move || conversation.turns.with(Vec::is_empty);
    view! {
        <Show when=is_empty>
            <EmptyState/>
        </Show>
        <div class="turns" role="log" aria-live="off" aria-label=texts::questions_and_answers()>
            <For each=move || conversation.turns.get() key=|turn| turn.id let:turn>
                <TurnView turn/>
            </For>
        </div>
    }
}
