//! The filter above the rows of a result.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::result_table::Rows;
use super::table_scroller::Scroller;
use crate::conversation::use_conversation;
use crate::texts;
use crate::view_model::words::Announcement;

/// Pause after the last key before the number of rows is announced, in milliseconds.
const ANNOUNCED_MS: u32 = 600;

/// A search field; the table shows the fetched rows that contain each of its words.
#[component]
pub fn TableFilter(rows: Rows, scroller: Scroller) -> impl IntoView {
    let announcer = use_conversation().announcer;
    let typed = StoredValue::new(0_u32);
    let filter = move |event| {
        rows.search.set(event_target_value(&event));
        scroller.to_top();
        typed.update_value(|typed| *typed = typed.wrapping_add(1));
        let at = typed.get_value();
        spawn_local(async move {
            TimeoutFuture::new(ANNOUNCED_MS).await;
            // The table may be gone by now.
            if typed.try_get_value() == Some(at) {
                announcer.say(Announcement::status(untrack(|| rows.size())));
            }
        });
    };
    view! {
        <label class="table-filter">
            <span>{texts::filter_rows()}</span>
            <input
                type="search"
                autocomplete="off"
                spellcheck="false"
                prop:value=rows.search
                on:input=filter
            />
        </label>
    }
}
