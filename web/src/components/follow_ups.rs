//! Suggested questions after the last answer.

use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::suggestions::Suggestions;
use crate::conversation::use_conversation;
use crate::engine_client::View;
use crate::texts;
use crate::turn::Turn;

/// Suggested questions after a turn, while it is the last one; they are found once the answer is shown.
#[component]
pub fn FollowUps(turn: Turn, view: Arc<View>) -> impl IntoView {
    let conversation = use_conversation();
    let questions = RwSignal::new(Vec::new());
    spawn_local(async move {
        TimeoutFuture::new(0).await;
        if conversation.is_last(turn) {
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
