//! What can be done with the rows of a result.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::ResultSet;

use super::copy_button::CopyButton;
use crate::browser;
use crate::conversation::use_conversation;
use crate::engine_client::View;
use crate::view_model::export::{csv, file_name, json, tsv};
use crate::view_model::words::{Announcement, rows_of_files};

/// Buttons that save the rows as files or copy them.
#[component]
pub fn ResultActions(view: Arc<View>) -> impl IntoView {
    let announcer = use_conversation().announcer;
    let view = StoredValue::new(view);
    let result = move |make: fn(&View, &ResultSet) -> String| {
        view.with_value(|view| view.result.as_ref().map_or_else(String::new, |it| make(view, it)))
    };
    let save = move |extension: &str, media_type: &str, text: String| {
        let name = view.with_value(|view| file_name(&view.question, &browser::today(), extension));
        announcer.say(Announcement::saved(&name, browser::save(&name, media_type, &text).is_ok()));
    };
    let save_csv = move |_| save("csv", "text/csv;charset=utf-8", result(|_, rows| csv(rows)));
    let save_json = move |_| {
        let text = result(|view, rows| {
            json(&view.question, view.sql.as_deref().unwrap_or_default(), rows)
        });
        save("json", "application/json", text);
    };
    let copied = Callback::new(move |()| result(|_, rows| tsv(rows)));
    let note = view.with_value(|view| view.result.as_ref().and_then(rows_of_files));
    let note = note.map(|note| view! { <span class="muted">{note}</span> });
    view! {
        <div class="result-actions" role="group" aria-label="Rows as a file">
            <button type="button" class="button button-quiet" on:click=save_csv>"Save as CSV"</button>
            <button type="button" class="button button-quiet" on:click=save_json>
                "Save as JSON"
            </button>
            <CopyButton
                label="Copy table"
                done="Table copied"
                class="button button-quiet"
                text=copied
            />
            {note}
        </div>
    }
}
