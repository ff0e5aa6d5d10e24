//! Suggested questions after the last answer.

use std::sync::Arc;

use leptos::prelude::*;

use super::suggestions::Suggestions;
use crate::browser;
use crate::conversation::use_conversation;
use crate::engine_client::View;
use crate::texts;
use crate::turn::Turn;

/// Suggested questions after a turn, while it is the last one; they are found once the answer is painted.
#[component]
pub fn FollowUps(turn: Turn, view: Arc<View>) -> impl IntoView {
    let conversation = use_conversation();
    let questions = RwSignal::new(Vec::new());
    browser::after_paint(move || {
        if untrack(|| conversation.is_last(turn)) {
            questions.try_set(conversation.follow_ups(&view));
        }
    });
    let is_last = Memo::new(move |_| conversation.is_last(turn));
    move || {
        let shown = questions.get();
        (is_last.get() && !shown.is_empty()).then(|| {
            view! {
                <Suggestions label=texts::follow_up_questions() questions=shown sends=true/>
            }
        })
    }
}
