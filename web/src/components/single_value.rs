//! A result that is one value.

use leptos::prelude::*;
use wherefore_engine::session::Cell;

use super::cell::cell_view;
use super::whole_value::WholeValue;
use crate::view_model::cell_text::CELL_CHARACTERS;
use crate::view_model::column_format::ColumnFormat;

/// One value in large type with its name and unit.
#[component]
pub fn SingleValue(cell: Cell, format: ColumnFormat) -> impl IntoView {
    let unit = format.unit.clone().filter(|_| !format.is_percent() && cell != Cell::Null);
    let unit = unit.map(|unit| view! { " "<span class="single-value-unit">{unit}</span> });
    let opened = RwSignal::new(None);
    view! {
        <dl class="single-value" translate="no">
            <dt title=format.name.clone()>{format.title.clone()}</dt>
            <dd dir="auto">{cell_view(&cell, &format, CELL_CHARACTERS, opened)}{unit}</dd>
        </dl>
        <WholeValue opened/>
    }
}
