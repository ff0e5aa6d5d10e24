//! The body of a result table, of which only the visible rows are rendered if there are many.

use leptos::ev;
use leptos::html::Tr;
use leptos::prelude::*;
use wherefore_engine::session::{Cell, CutCell, ResultSet};

use super::cell::cell_view;
use super::result_table::Rows;
use super::table_pool::RowPool;
use super::table_scroller::Scroller;
use crate::texts;
use crate::view_model::cell_text::{CELL_CHARACTERS, grouped};
use crate::view_model::column_format::ColumnFormat;
use crate::view_model::table_window::{Window, gap};

/// The rows to show.
#[component]
pub fn TableBody(rows: Rows, scroller: Scroller) -> impl IntoView {
    if rows.is_windowed() { windowed(rows, scroller).into_any() } else { whole(rows).into_any() }
}

/// All rows.
fn whole(rows: Rows) -> impl IntoView {
    let all =
        move || rows.shown.with(|shown| shown.iter().copied().enumerate().collect::<Vec<_>>());
    view! {
        <tbody translate="no">
            <For each=all key=|row| *row let:row>
                {body_row(rows, row.0, row.1)}
            </For>
        </tbody>
    }
}

/// The visible rows, between rows as high as those that are not rendered.
fn windowed(rows: Rows, scroller: Scroller) -> impl IntoView {
    let viewport = scroller.viewport;
    Effect::new(move || {
        scroller.node.track();
        request_animation_frame(move || scroller.measure());
    });
    let resized = window_event_listener(ev::resize, move |_| scroller.measure());
    on_cleanup(move || resized.remove());
    let window = Memo::new(move |_| Window::of(rows.shown.with(Vec::len), viewport.get()));
    let row_height = Memo::new(move |_| viewport.get().row_height);
    let columns = rows.formats.with_value(Vec::len);
    let space = move |count: Memo<usize>, node: NodeRef<Tr>| {
        view! {
            <tr
                class="table-gap"
                class:absent=move || count.get() == 0
                aria-hidden="true"
                node_ref=node
            >
                <td colspan=columns style:height=move || gap(count.get(), row_height.get())></td>
            </tr>
        }
    };
    let above = Memo::new(move |_| window.get().first);
    let below = Memo::new(move |_| rows.shown.with(Vec::len).saturating_sub(window.get().end));
    let end = NodeRef::<Tr>::new();
    let pool = StoredValue::new_local(RowPool::default());
    Effect::new(move || {
        let Some(end) = end.get() else { return };
        let Window { first, end: last } = window.get();
        let wanted: Vec<(usize, u32)> = rows.shown.with(|shown| {
            (first..last.min(shown.len())).map(|place| (place, shown[place])).collect()
        });
        pool.update_value(|pool| pool.show(&wanted, &end, rows));
    });
    view! {
        <tbody translate="no">
            {space(above, NodeRef::new())}
            {space(below, end)}
        </tbody>
    }
}

fn body_row(rows: Rows, place: usize, row: u32) -> impl IntoView {
    let cells = rows
        .with(|result| rows.formats.with_value(|formats| row_cells(result, formats, row, rows)));
    view! { <tr aria-rowindex=(place + 2).to_string()>{cells}</tr> }
}

fn row_cells(result: &ResultSet, formats: &[ColumnFormat], row: u32, rows: Rows) -> Vec<AnyView> {
    let Some(cells) = result.rows.get(row as usize) else { return Vec::new() };
    let cell = |(column, (cell, format)): (usize, (&Cell, &ColumnFormat))| {
        let content = cell_content(result, format, (row, column), cell, CELL_CHARACTERS, rows);
        view! { <td class=format.class() dir=direction(format)>{content}</td> }.into_any()
    };
    cells.iter().zip(formats).enumerate().map(cell).collect()
}

/// Content of the cell in a row and a column: its value, and whether that was cut.
pub(super) fn cell_content(
    result: &ResultSet,
    format: &ColumnFormat,
    (row, column): (u32, usize),
    cell: &Cell,
    most: usize,
    rows: Rows,
) -> AnyView {
    let at = |cut: &&CutCell| (cut.row, cut.column as usize) == (row, column);
    let content = cell_view(cell, format, most, rows.opened);
    match result.cut_cells.iter().find(at).map(cut_mark) {
        Some(cut) => view! { {content} " " {cut} }.into_any(),
        None => content,
    }
}

/// Direction of the texts of a column: figures need no search for the first letter with a direction.
pub(super) fn direction(format: &ColumnFormat) -> &'static str {
    if format.is_figure() { "ltr" } else { "auto" }
}

/// Mark of a cell that was cut, with the length of the whole value.
fn cut_mark(cut: &CutCell) -> impl IntoView + use<> {
    let length = grouped(usize::try_from(cut.length).unwrap_or(usize::MAX));
    let title = texts::cut_title(&length);
    view! { <span class="cell-word" title=title>{texts::cut()}</span> }
}
