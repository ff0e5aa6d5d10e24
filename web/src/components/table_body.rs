//! The body of a result table, of which only the visible rows are rendered if there are many.

use leptos::ev;
use leptos::prelude::*;
use wherefore_engine::session::{CutCell, ResultSet};

use super::cell::cell_view;
use super::result_table::Rows;
use super::table_scroller::Scroller;
use crate::texts;
use crate::view_model::cell_text::{CELL_CHARACTERS, grouped};
use crate::view_model::column_format::ColumnFormat;
use crate::view_model::table_window::{Window, gap};

/// Texts in rows of equal height are shortened to this number of characters.
const LINE_CHARACTERS: usize = 40;

/// The rows to show, with the height of those that are not rendered above and below them.
#[component]
pub fn TableBody(rows: Rows, scroller: Scroller) -> impl IntoView {
    let viewport = scroller.viewport;
    if rows.is_windowed() {
        Effect::new(move || {
            scroller.node.track();
            request_animation_frame(move || scroller.measure());
        });
        let resized = window_event_listener(ev::resize, move |_| scroller.measure());
        on_cleanup(move || resized.remove());
    }
    let window = Memo::new(move |_| Window::of(rows.shown.with(Vec::len), viewport.get()));
    let row_height = Memo::new(move |_| viewport.get().row_height);
    let columns = rows.formats.with_value(Vec::len);
    let space = move |count: usize| {
        (count > 0).then(|| {
            view! {
                <tr class="table-gap" aria-hidden="true">
                    <td colspan=columns style:height=gap(count, row_height.get())></td>
                </tr>
            }
        })
    };
    let visible = move || {
        let Window { first, end } = window.get();
        rows.shown.with(|shown| {
            let end = end.min(shown.len());
            (first..end).map(|place| (place, shown[place])).collect::<Vec<_>>()
        })
    };
    view! {
        <tbody translate="no">
            {move || space(window.get().first)}
            <For each=visible key=|row| *row let:row>
                {body_row(rows, row.0, row.1)}
            </For>
            {move || space(rows.shown.with(Vec::len).saturating_sub(window.get().end))}
        </tbody>
    }
}

fn body_row(rows: Rows, place: usize, row: u32) -> impl IntoView {
    let windowed = rows.is_windowed();
    let most = if windowed { LINE_CHARACTERS } else { CELL_CHARACTERS };
    let cells = rows.with(|result| {
        rows.formats.with_value(|formats| row_cells(result, formats, row as usize, most, rows))
    });
    view! { <tr aria-rowindex=(place + 2).to_string()>{cells}</tr> }
}

fn row_cells(
    result: &ResultSet,
    formats: &[ColumnFormat],
    row: usize,
    most: usize,
    rows: Rows,
) -> Vec<AnyView> {
    let Some(cells) = result.rows.get(row) else { return Vec::new() };
    let cell = |(column, (cell, format)): (usize, (_, &ColumnFormat))| {
        let at = |cut: &&CutCell| (cut.row as usize, cut.column as usize) == (row, column);
        let cut = result.cut_cells.iter().find(at).map(cut_mark);
        let content = cell_view(cell, format, most, rows.opened);
        // Figures need no search for the first letter with a direction.
        let direction = if format.class().is_empty() { "auto" } else { "ltr" };
        match cut {
            Some(cut) => {
                view! { <td class=format.class() dir=direction>{content} " " {cut}</td> }.into_any()
            }
            None => view! { <td class=format.class() dir=direction>{content}</td> }.into_any(),
        }
    };
    cells.iter().zip(formats).enumerate().map(cell).collect()
}

/// Mark of a cell that was cut, with the length of the whole value.
fn cut_mark(cut: &CutCell) -> impl IntoView + use<> {
    let length = grouped(usize::try_from(cut.length).unwrap_or(usize::MAX));
    let title = texts::cut_title(&length);
    view! { <span class="cell-word" title=title>{texts::cut()}</span> }
}
