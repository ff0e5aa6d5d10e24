//! A table cell of a result.

use leptos::prelude::*;
use wherefore_engine::session::Cell;

use super::whole_value::WholeText;
use crate::texts;
use crate::view_model::cell_text::{CellText, clipped};
use crate::view_model::column_format::ColumnFormat;

/// A table cell; NULL and empty text are shown as labels that differ in style from data.
///
/// A text of more than `most` characters is shortened, and a button opens the whole of it.
pub fn cell_view(
    cell: &Cell,
    format: &ColumnFormat,
    most: usize,
    opened: RwSignal<Option<WholeText>>,
) -> AnyView {
    match CellText::of(cell, format) {
        CellText::Empty => view! { <span class="cell-word">{texts::empty()}</span> }.into_any(),
        CellText::Null => view! { <span class="cell-word cell-null">"NULL"</span> }.into_any(),
        CellText::Text { shown, exact } => {
            let whole = exact.as_ref().unwrap_or(&shown);
            if let Some(short) = clipped(whole, most).filter(|_| !format.is_figure()) {
                let title = format.title.clone();
                let whole = whole.clone();
                let open = move |_| {
                    opened.set(Some(WholeText { title: title.clone(), text: whole.clone() }));
                };
                return view! {
                    <button type="button" class="cell-open" aria-haspopup="dialog" on:click=open>
                        {short}
                        <span class="visually-hidden">" "{texts::show_all()}</span>
                    </button>
                }
                .into_any();
            }
            match exact {
                Some(exact) => view! { <span title=exact>{shown}</span> }.into_any(),
                None => shown.into_any(),
            }
        }
    }
}
