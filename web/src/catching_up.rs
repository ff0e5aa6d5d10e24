//! Fetches the catalog again while the server is still reading values, so that they are known without a reload.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use crate::api;
use crate::components::settings_panel::stored_preferences;
use crate::conversation::Conversation;

/// Time until the catalog is fetched again, in milliseconds; it doubles each time.
const FIRST_MS: u32 = 5_000;
/// Longest such time.
const MOST_MS: u32 = 60_000;

/// Renews the conversation's catalog until it is complete. What has not changed comes from the browser's cache.
pub async fn catch_up(conversation: Conversation) {
    let (mut pause, mut known) = (FIRST_MS, String::new());
    while conversation.unread_tables.get_untracked() > 0 {
        TimeoutFuture::new(pause).await;
        pause = (pause * 2).min(MOST_MS);
        let Ok(knowledge) = api::catalog(&conversation.person()).await else { continue };
        if knowledge == known {
            continue;
        }
        if conversation.renew(&knowledge).is_err() {
            return;
        }
        conversation.prefer(stored_preferences());
        known = knowledge;
    }
}
