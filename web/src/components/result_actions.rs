//! What can be done with the rows of a result.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::ResultSet;

use super::copy_button::CopyButton;
use super::file_fetcher::FileFetcher;
use crate::browser;
use crate::conversation::use_conversation;
use crate::engine_client::View;
use crate::texts;
use crate::view_model::export::{csv, file_name, json, tsv};
use crate::view_model::export_form::{ExportForm, fetching, more_rows, offered};
use crate::view_model::table_sort::{Sort, in_order};
use crate::view_model::words::{Announcement, rows_of_files};

/// Buttons that save the rows as files or copy them.
///
/// What the page writes itself has the rows in the order of the table. Other files are fetched from the proxy, in the
/// order of the statement and with as many rows as it exports.
#[component]
pub fn ResultActions(
    view: Arc<View>,
    /// Order that the user made of the rows.
    sort: RwSignal<Option<Sort>>,
    /// Which columns are numeric.
    numeric: Vec<bool>,
) -> impl IntoView {
    let announcer = use_conversation().announcer;
    let fetcher = FileFetcher::new(announcer);
    let is_online = RwSignal::new(browser::is_online());
    for event in ["online", "offline"] {
        let changed =
            window_event_listener_untyped(event, move |_| is_online.set(browser::is_online()));
        on_cleanup(move || changed.remove());
    }
    let has_statement = view.sql.is_some();
    let is_part = has_statement && view.result.as_ref().is_some_and(|result| result.truncated);
    let note = view.result.as_ref().and_then(rows_of_files);
    let note = note.map(|note| if is_part { format!("{note} {}", more_rows()) } else { note });
    let (view, numeric) = (StoredValue::new(view), StoredValue::new(numeric));
    let written = move |make: fn(&View, &ResultSet) -> String| {
        let is_numeric =
            |column: usize| numeric.with_value(|all| all.get(column).is_some_and(|one| *one));
        view.with_value(|view| {
            let rows = view.result.as_ref();
            let rows = rows.map(|rows| in_order(rows, sort.get_untracked(), is_numeric));
            rows.map_or_else(String::new, |rows| make(view, &rows))
        })
    };
    let save = move |form: ExportForm, button: web_sys::HtmlElement| {
        let name =
            view.with_value(|view| file_name(&view.question, &browser::today(), form.extension()));
        let text = match form {
            ExportForm::Csv => written(|_, rows| csv(rows)),
            ExportForm::Json => written(|view, rows| {
                json(&view.question, view.sql.as_deref().unwrap_or_default(), rows)
            }),
            ExportForm::Excel | ExportForm::Parquet | ExportForm::Arrow => {
                let sql = view.with_value(|view| view.sql.clone()).unwrap_or_default();
                fetcher.fetch(form, sql, name, button);
                return;
            }
        };
        let is_saved = browser::save(&name, form.media_type(), &text).is_ok();
        announcer.say(Announcement::saved(&name, is_saved));
    };
    let button = move |form: ExportForm| {
        let is_busy = move || !form.is_of_page() && fetcher.current.with(Option::is_some);
        view! {
            <button
                type="button"
                class="button button-quiet"
                // A button that is disabled would lose the focus.
                aria-disabled=move || is_busy().then_some("true")
                on:click=move |event| save(form, event_target(&event))
            >
                {texts::save_as(form.name())}
            </button>
        }
    };
    let buttons = move || {
        offered(is_online.get(), has_statement).iter().map(|form| button(*form)).collect::<Vec<_>>()
    };
    let progress = move || {
        fetcher.current.get().map(|form| {
            view! {
                <span class="muted">{fetching(form)}</span>
                <button
                    type="button"
                    class="button button-quiet"
                    node_ref=fetcher.stop_button
                    on:click=move |_| fetcher.stop()
                >
                    {texts::stop_fetching()}
                </button>
            }
        })
    };
    let said =
        move || fetcher.said.get().map(|text| view! { <p class="note note-warning">{text}</p> });
    let copied = Callback::new(move |()| written(|_, rows| tsv(rows)));
    let note = note.map(|note| view! { <span class="muted">{note}</span> });
    view! {
        <div class="result-actions" role="group" aria-label=texts::rows_as_file()>
            {buttons}
            <CopyButton
                label=texts::copy_table()
                done=texts::table_copied()
                class="button button-quiet"
                text=copied
            />
            {note}
            {progress}
            {said}
        </div>
    }
}
