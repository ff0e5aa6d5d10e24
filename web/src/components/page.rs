//! The thread of turns, with earlier questions above and the composer below it.

use leptos::prelude::*;

use super::composer::Composer;
use super::empty_state::EmptyState;
use super::history::History;
use super::turn::TurnView;
use crate::conversation::Conversation;

/// The thread of turns, with earlier questions above and the composer below it.
#[component]
pub fn Page(conversation: Conversation) -> impl IntoView {
    provide_context(conversation);
    let is_empty = move || conversation.turns.with(Vec::is_empty);
    view! {
        <main class="page">
            <History/>
            <div class="thread" id="thread" tabindex="0" role="region" aria-label="Conversation">
                <Show when=is_empty>
                    <EmptyState/>
                </Show>
                <div class="turns" role="log" aria-live="off" aria-label="Questions and answers">
                    <For each=move || conversation.turns.get() key=|turn| turn.id let:turn>
                        <TurnView turn/>
                    </For>
                </div>
            </div>
            <Composer/>
        </main>
    }
}
