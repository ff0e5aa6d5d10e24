//! The answer to a question.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::{NoteKind, View};

use super::cell::cell_view;
use super::result_table::ResultTable;
use crate::view_model::cell_text::is_numeric;
use crate::view_model::words::sentence;

/// Notes on the result, and its rows.
#[component]
pub fn Answer(view: Arc<View>) -> impl IntoView {
    let notes: Vec<_> = view
        .notes
        .iter()
        .map(|note| {
            let class = match note.kind {
                NoteKind::Empty | NoteKind::NotRun => "note",
                _ => "note note-warning",
            };
            view! { <li class=class>{sentence(&note.text)}</li> }
        })
        .collect();
    let notes =
        (!notes.is_empty()).then(|| view! { <ul class="notes" aria-label="Notes">{notes}</ul> });
    let rows = view.result.clone().map(|result| {
        match (result.columns.as_slice(), result.rows.as_slice()) {
            ([column], [row]) if !result.truncated && result.cut_count == 0 => {
                let cell = row.first().cloned().unwrap_or_default();
                view! {
                    <dl class="single-value">
                        <dt>{column.name.clone()}</dt>
                        <dd dir="auto">{cell_view(&cell, is_numeric(column))}</dd>
                    </dl>
                }
                .into_any()
            }
            _ => view! { <ResultTable result question=view.question.clone()/> }.into_any(),
        }
    });
    view! {
        {notes}
        {rows}
    }
}
