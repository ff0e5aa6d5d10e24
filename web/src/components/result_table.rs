//! The rows of a result as a table.

use leptos::prelude::*;
use wherefore_engine::session::{Cell, CutCell, ResultSet};

use super::cell::cell_view;
use crate::view_model::cell_text::grouped;
use crate::view_model::column_format::ColumnFormat;
use crate::view_model::words::row_count;

/// Number of rows rendered at a time.
const ROWS_AT_A_TIME: usize = 200;

/// A scrollable table; a button renders further rows.
#[component]
pub fn ResultTable(
    result: ResultSet,
    formats: Vec<ColumnFormat>,
    question: String,
) -> impl IntoView {
    let total = result.rows.len();
    let count = row_count(total, result.truncated);
    let shown = RwSignal::new(total.min(ROWS_AT_A_TIME));
    let heads: Vec<_> = formats.iter().map(head).collect();
    let rows = StoredValue::new(result.rows);
    let cuts = StoredValue::new(result.cut_cells);
    let more = move |_| shown.update(|shown| *shown = total.min(*shown + ROWS_AT_A_TIME));
    let size = move || {
        let shown = shown.get();
        if shown < total { format!("{count}, {} shown", grouped(shown)) } else { count.clone() }
    };
    view! {
        <div class="result">
            <div
                class="table-scroll"
                tabindex="0"
                role="region"
                aria-label=format!("Result table: {question}")
            >
                <table>
                    <caption class="visually-hidden">{format!("Rows for: {question}")}</caption>
                    <thead><tr>{heads}</tr></thead>
                    <tbody>
                        <For each=move || 0..shown.get() key=|index| *index let:index>
                            {rows.with_value(|rows| {
                                cuts.with_value(|cuts| body_row(&rows[index], &formats, index, cuts))
                            })}
                        </For>
                    </tbody>
                </table>
            </div>
            <p class="row-count">
                <span>{size}</span>
                <Show when=move || shown.get() < total>
                    <button type="button" class="button button-quiet" on:click=more>"Show more rows"</button>
                </Show>
            </p>
        </div>
    }
}

fn head(format: &ColumnFormat) -> impl IntoView + use<> {
    let class = format.class();
    view! {
        <th scope="col" class=class dir="auto" title=format.name.clone()>{format.label()}</th>
    }
}

fn body_row(
    cells: &[Cell],
    formats: &[ColumnFormat],
    row: usize,
    cuts: &[CutCell],
) -> impl IntoView + use<> {
    let cells: Vec<_> = cells
        .iter()
        .zip(formats)
        .enumerate()
        .map(|(column, (cell, format))| {
            let class = format.class();
            let at = |cut: &&CutCell| (cut.row as usize, cut.column as usize) == (row, column);
            let cut = cuts.iter().find(at).map(cut_mark);
            view! { <td class=class dir="auto">{cell_view(cell, format)} {cut}</td> }
        })
        .collect();
    view! { <tr>{cells}</tr> }
}

/// Mark of a cell that was cut, with the length of the whole value.
fn cut_mark(cut: &CutCell) -> impl IntoView + use<> {
    let length = grouped(usize::try_from(cut.length).unwrap_or(usize::MAX));
    let title = format!("Cut: the whole value has {length} bytes");
    view! { <span class="cell-word" title=title>"cut"</span> }
}
