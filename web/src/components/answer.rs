//! The answer to a question.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::{NoteKind, ResultSet};

use super::result_rows::ResultRows;
use super::single_value::SingleValue;
use crate::conversation::use_conversation;
use crate::engine_client::View;
use crate::fields::Fields;
use crate::texts;
use crate::view_model::column_format::{ColumnFormat, formats_of};
use crate::view_model::words::sentence;

/// Shown in place of a table without rows, unless a note says why there are none.
fn no_rows() -> &'static str {
    texts::nothing_matches()
}

/// Notes on the result, and its rows.
#[component]
pub fn Answer(view: Arc<View>, fields: Fields) -> impl IntoView {
    let notes: Vec<_> = view
        .notes
        .iter()
        .map(|note| {
            let class = match note.kind {
                NoteKind::Empty | NoteKind::NotRun => "note",
                _ => "note note-warning",
            };
            view! { <li class=class lang="en">{sentence(&note.text)}</li> }
        })
        .collect();
    let notes = (!notes.is_empty())
        .then(|| view! { <ul class="notes" aria-label=texts::notes()>{notes}</ul> });
    let rows = view.result.as_ref().map(|result| {
        let formats = use_conversation().engine.with_value(|engine| {
            formats_of(result, view.sql.as_deref().unwrap_or_default(), engine.catalog())
        });
        rows(&view, result, formats, fields)
    });
    view! {
        {notes}
        {rows}
    }
}

/// A single value in large type, or else rows; of no rows, a sentence.
fn rows(
    view: &Arc<View>,
    result: &ResultSet,
    formats: Vec<ColumnFormat>,
    fields: Fields,
) -> AnyView {
    match (formats.as_slice(), result.rows.as_slice()) {
        ([format], [row]) if !result.truncated && result.cut_count == 0 => {
            let cell = row.first().cloned().unwrap_or_default();
            view! { <SingleValue cell format=format.clone()/> }.into_any()
        }
        (_, []) if !result.truncated => {
            let is_said = view.notes.iter().any(|note| note.kind == NoteKind::Empty);
            let sentence = (!is_said).then(|| view! { <p class="no-rows">{no_rows()}</p> });
            view! { {sentence} }.into_any()
        }
        _ => view! { <ResultRows view=Arc::clone(view) formats fields/> }.into_any(),
    }
}
