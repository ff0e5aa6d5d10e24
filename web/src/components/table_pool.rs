//! Table rows that are used again for other rows of a long result while it scrolls.
//!
//! Elements are made once; what changes is their text, and the place of those that leave the window at one end.

use std::collections::VecDeque;

use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use wasm_bindgen::JsCast;
use web_sys::{Element, Node, Text};
use wherefore_engine::session::{Cell, CutCell, ResultSet};

use super::result_table::Rows;
use super::table_body::cell_content;
use crate::view_model::cell_text::{CellText, LINE_CHARACTERS};
use crate::view_model::column_format::ColumnFormat;
use crate::view_model::table_window::{Turn, turned};

/// The rendered rows, in the order of the table.
#[derive(Default)]
pub(super) struct RowPool(VecDeque<PooledRow>);

struct PooledRow {
    place: usize,
    /// Index of the row in the result.
    row: u32,
    element: Element,
    cells: Vec<PooledCell>,
}

struct PooledCell {
    element: Element,
    content: Content,
}

/// What a cell shows.
enum Content {
    /// A text, and whether the cell has the whole value as its title.
    Text(Text, bool),
    /// Anything else, such as a text behind a button.
    View(AnyViewState),
}

impl RowPool {
    /// Shows rows before a row of the table; each is a place in the table and an index in the result.
    pub(super) fn show(&mut self, wanted: &[(usize, u32)], before: &Element, rows: Rows) {
        rows.with(|result| {
            rows.formats.with_value(|formats| {
                self.turn(wanted, before);
                while self.0.len() > wanted.len() {
                    self.0.pop_back().inspect(|row| row.element.remove());
                }
                for (row, wanted) in self.0.iter_mut().zip(wanted) {
                    row.show(*wanted, result, formats, rows);
                }
                for wanted in wanted.iter().skip(self.0.len()) {
                    let Some(mut row) = Self::added(formats) else { return };
                    row.fill(*wanted, result, formats, rows);
                    insert(&row.element, before);
                    self.0.push_back(row);
                }
            });
        });
    }

    /// Moves rows that left the window at one end to the other, where they will show those that entered it.
    fn turn(&mut self, wanted: &[(usize, u32)], before: &Element) {
        let places = |places: (Option<usize>, Option<usize>)| Some((places.0?, places.1? + 1));
        let shown =
            places((self.0.front().map(|row| row.place), self.0.back().map(|row| row.place)));
        let wanted = places((wanted.first().map(|it| it.0), wanted.last().map(|it| it.0)));
        let (Some(shown), Some(wanted)) = (shown, wanted) else { return };
        match turned(shown, wanted) {
            Turn::Down(count) => {
                for _ in 0..count {
                    let Some(row) = self.0.pop_front() else { return };
                    insert(&row.element, before);
                    self.0.push_back(row);
                }
            }
            Turn::Up(count) => {
                for _ in 0..count {
                    let Some(row) = self.0.pop_back() else { return };
                    if let Some(first) = self.0.front() {
                        insert(&row.element, &first.element);
                    }
                    self.0.push_front(row);
                }
            }
            Turn::None => {}
        }
    }

    /// A new row of empty cells.
    fn added(formats: &[ColumnFormat]) -> Option<PooledRow> {
        let document = document();
        let element = document.create_element("tr").ok()?;
        let mut cells = Vec::with_capacity(formats.len());
        for format in formats {
            let cell = document.create_element("td").ok()?;
            if format.is_figure() {
                cell.set_class_name(format.class());
                cell.set_attribute("dir", "ltr").ok()?;
            } else {
                // The attribute `dir="auto"` would compute the styles anew with each text.
                cell.set_class_name("own-direction");
            }
            let text = document.create_text_node("");
            cell.append_child(&text).ok()?;
            element.append_child(&cell).ok()?;
            cells.push(PooledCell { element: cell, content: Content::Text(text, false) });
        }
        Some(PooledRow { place: 0, row: 0, element, cells })
    }
}

impl PooledRow {
    /// Shows a row, unless it is shown already.
    fn show(
        &mut self,
        wanted: (usize, u32),
        result: &ResultSet,
        formats: &[ColumnFormat],
        rows: Rows,
    ) {
        if (self.place, self.row) != wanted {
            self.fill(wanted, result, formats, rows);
        }
    }

    fn fill(
        &mut self,
        (place, row): (usize, u32),
        result: &ResultSet,
        formats: &[ColumnFormat],
        rows: Rows,
    ) {
        (self.place, self.row) = (place, row);
        // Elements that were made take all attributes.
        let _ = self.element.set_attribute("aria-rowindex", &(place + 2).to_string());
        let Some(values) = result.rows.get(row as usize) else { return };
        let cells = self.cells.iter_mut().zip(values).zip(formats).enumerate();
        for (column, ((cell, value), format)) in cells {
            let at = (row, column);
            let width = rows.width(column);
            if let Some((shown, exact)) = plain(value, format, result, at) {
                if format.numeric && shown.chars().count() > width {
                    // Only these numbers need to be clipped, and each clip costs time while the table scrolls.
                    let whole = exact.unwrap_or_else(|| shown.clone());
                    cell.set_view(
                        view! { <span class="cell-wide" title=whole>{shown}</span> }.into_any(),
                    );
                } else {
                    cell.set_text(&shown, exact.as_deref());
                }
            } else {
                cell.set_view(cell_content(result, format, at, value, LINE_CHARACTERS, rows));
            }
        }
    }
}

impl PooledCell {
    fn set_text(&mut self, shown: &str, exact: Option<&str>) {
        let had_title = match &self.content {
            Content::Text(text, had_title) => {
                text.set_data(shown);
                *had_title
            }
            Content::View(_) => {
                let text = document().create_text_node(shown);
                self.replace(Content::Text(text.clone(), false));
                let _ = self.element.append_child(&text);
                false
            }
        };
        match exact {
            Some(exact) => drop(self.element.set_attribute("title", exact)),
            None if had_title => drop(self.element.remove_attribute("title")),
            None => {}
        }
        if let Content::Text(_, has_title) = &mut self.content {
            *has_title = exact.is_some();
        }
    }

    /// Shows a view, which is made anew: one that has the focus does not become another one.
    fn set_view(&mut self, view: AnyView) {
        let mut state = view.build();
        if let Content::Text(_, true) = self.content {
            let _ = self.element.remove_attribute("title");
        }
        state.mount(&self.element, None);
        self.replace(Content::View(state));
    }

    /// Takes away what was shown before.
    fn replace(&mut self, content: Content) {
        match std::mem::replace(&mut self.content, content) {
            Content::Text(text, _) => text.remove(),
            Content::View(mut state) => state.unmount(),
        }
    }
}

/// The text of a cell that needs no element of its own, and the whole value if the text leaves something out.
fn plain(
    cell: &Cell,
    format: &ColumnFormat,
    result: &ResultSet,
    (row, column): (u32, usize),
) -> Option<(String, Option<String>)> {
    let is_cut = |cut: &CutCell| (cut.row, cut.column as usize) == (row, column);
    if result.cut_cells.iter().any(is_cut) {
        return None;
    }
    match CellText::of(cell, format) {
        CellText::Text { shown, exact } => {
            let whole = exact.as_ref().unwrap_or(&shown);
            let is_long = whole.chars().nth(LINE_CHARACTERS).is_some();
            (format.is_figure() || !is_long).then_some((shown, exact))
        }
        CellText::Empty | CellText::Null => None,
    }
}

fn insert(row: &Element, before: &Element) {
    if let Some(body) = before.parent_node() {
        let before: &Node = before.unchecked_ref();
        let _ = body.insert_before(row, Some(before));
    }
}
