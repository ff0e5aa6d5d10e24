//! A table cell of a result.

use leptos::prelude::*;
use wherefore_engine::session::Cell;

use crate::view_model::cell_text::{CELL_CHARACTERS, CellText};
use crate::view_model::column_format::ColumnFormat;

/// A table cell; NULL and empty text are shown as labels that differ in style from data.
pub fn cell_view(cell: &Cell, format: &ColumnFormat) -> AnyView {
    match CellText::of(cell, format) {
        CellText::Empty => view! { <span class="cell-word">"empty"</span> }.into_any(),
        CellText::Null => view! { <span class="cell-word cell-null">"NULL"</span> }.into_any(),
        CellText::Text { shown, exact: Some(exact) } if exact.len() > CELL_CHARACTERS => {
            let whole = RwSignal::new(false);
            view! {
                {move || if whole.get() { exact.clone() } else { shown.clone() }}
                <button
                    type="button"
                    class="button button-quiet"
                    aria-expanded=move || whole.get().to_string()
                    on:click=move |_| whole.update(|whole| *whole = !*whole)
                >
                    {move || if whole.get() { "Show less" } else { "Show all" }}
                </button>
            }
            .into_any()
        }
        CellText::Text { shown, exact: Some(exact) } => {
            view! { <span title=exact>{shown}</span> }.into_any()
        }
        CellText::Text { shown, exact: None } => shown.into_any(),
    }
}
