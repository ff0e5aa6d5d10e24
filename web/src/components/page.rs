//! The side panel, and the thread of turns with the composer below it.

use leptos::prelude::*;

use super::composer::Composer;
use super::empty_state::EmptyState;
use super::side::{Side, SidePanel};
use super::turn::TurnView;
use crate::conversation::Conversation;

/// The side panel, and the thread of turns with the composer below it.
#[component]
pub fn Page(conversation: Conversation, side: Side) -> impl IntoView {
    provide_context(conversation);
    let is_empty = move || conversation.turns.with(Vec::is_empty);
    view! {
        <div class="workspace" class:side-open=side.is_open>
            <SidePanel side/>
            <main class="page">
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
        </div>
    }
}
