//! The rows of a result as a table.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::ResultSet;

use super::table_body::TableBody;
use super::table_filter::TableFilter;
use super::table_head::TableHead;
use super::table_scroller::Scroller;
use super::whole_value::{WholeText, WholeValue};
use crate::conversation::use_conversation;
use crate::engine_client::View;
use crate::fields::Fields;
use crate::texts;
use crate::view_model::column_format::ColumnFormat;
use crate::view_model::table_search::SearchIndex;
use crate::view_model::table_size::{size, widths};
use crate::view_model::table_sort::{Sort, sorted};
use crate::view_model::table_window::WHOLE_ROWS;
use crate::view_model::words::Announcement;

/// Tables with fewer rows have no filter.
const FILTER_FROM: usize = 10;

/// The rows of a result in the order and the selection that the user made of them.
#[derive(Clone, Copy)]
pub struct Rows {
    view: StoredValue<Arc<View>>,
    /// Formats of the columns.
    pub formats: StoredValue<Vec<ColumnFormat>>,
    /// Order, if it is not that of the result.
    pub sort: RwSignal<Option<Sort>>,
    /// Content of the filter.
    pub search: RwSignal<String>,
    /// Indices of the rows to show, in order.
    pub shown: Memo<Vec<u32>>,
    /// The text that is open in the dialog.
    pub opened: RwSignal<Option<WholeText>>,
    /// Widths of the columns in characters; empty where the browser chooses them.
    widths: StoredValue<Vec<usize>>,
}

impl Rows {
    fn new(view: Arc<View>, formats: Vec<ColumnFormat>, fields: Fields) -> Self {
        let (sort, search) = (fields.sort, fields.filter);
        let (view, formats) = (StoredValue::new(view), StoredValue::new(formats));
        let index = StoredValue::new(None::<SearchIndex>);
        let shown = Memo::new(move |_| {
            view.with_value(|view| {
                let rows = view.result.as_ref().map_or(&[][..], |result| &result.rows);
                let picked = search.with(|search| match search.trim() {
                    "" => (0..rows.len() as u32).collect(),
                    search => {
                        if index.with_value(Option::is_none) {
                            index.set_value(Some(
                                formats.with_value(|formats| SearchIndex::of(rows, formats)),
                            ));
                        }
                        let found = |index: &Option<SearchIndex>| {
                            index.as_ref().map_or_else(Vec::new, |index| index.matching(search))
                        };
                        index.with_value(found)
                    }
                });
                match sort.get() {
                    None => picked,
                    Some(sort) => {
                        let numeric = |formats: &Vec<ColumnFormat>| formats[sort.column].numeric;
                        sorted(rows, picked, sort, formats.with_value(numeric))
                    }
                }
            })
        });
        let opened = RwSignal::new(None);
        let rows =
            Self { view, formats, sort, search, shown, opened, widths: StoredValue::default() };
        if rows.is_windowed() {
            let of = |result: &ResultSet| formats.with_value(|all| widths(&result.rows, all));
            rows.widths.set_value(rows.with(of));
        }
        rows
    }

    /// Width of a column in characters; that of any text where the browser chooses it.
    pub fn width(&self, column: usize) -> usize {
        self.widths.with_value(|widths| widths.get(column).copied().unwrap_or(usize::MAX))
    }

    /// Calls a function with the result.
    pub fn with<T: Default>(&self, run: impl FnOnce(&ResultSet) -> T) -> T {
        self.view.with_value(|view| view.result.as_ref().map(run).unwrap_or_default())
    }

    /// Number of fetched rows.
    pub fn total(&self) -> usize {
        self.with(|result| result.rows.len())
    }

    /// Whether only the visible rows are rendered, all of the same height.
    pub fn is_windowed(&self) -> bool {
        self.total() > WHOLE_ROWS
    }

    /// The number of rows and their order, in words.
    pub fn size(&self) -> String {
        let truncated = self.with(|result| result.truncated);
        let found = self.search.with(|search| !search.trim().is_empty());
        let found = found.then(|| self.shown.with(Vec::len));
        let order = self
            .sort
            .get()
            .map(|sort| self.formats.with_value(|all| sort.words(&all[sort.column])));
        size(self.total(), truncated, found, order.as_deref())
    }
}

/// A scrollable table with a filter, whose columns sort its rows.
#[component]
pub fn ResultTable(
    view: Arc<View>,
    formats: Vec<ColumnFormat>,
    /// Order and filter of the rows.
    fields: Fields,
) -> impl IntoView {
    let announcer = use_conversation().announcer;
    let question = view.question.clone();
    let rows = Rows::new(view, formats, fields);
    let scroller = Scroller::default();
    let sort_by = Callback::new(move |column: usize| {
        rows.sort.update(|sort| *sort = Sort::next(*sort, column));
        scroller.to_top();
        announcer.say(Announcement::status(untrack(|| match rows.sort.get() {
            Some(_) => rows.size(),
            None => texts::in_order_of_result(&rows.size()),
        })));
    });
    let widths = rows.is_windowed().then(|| rows.widths.get_value());
    let class = if rows.is_windowed() { "table-windowed" } else { "" };
    let table_width = widths.as_ref().map(|widths| {
        let characters: usize = widths.iter().sum();
        format!("max(100%, calc({characters}ch + {} * var(--cell-space)))", widths.len())
    });
    let columns = widths.map(|widths| {
        let width = |width: usize| format!("calc({width}ch + var(--cell-space))");
        let column = |of| view! { <col style:width=width(of)/> };
        view! { <colgroup>{widths.into_iter().map(column).collect::<Vec<_>>()}</colgroup> }
    });
    let row_count = move || {
        let is_unknown = rows.with(|result| result.truncated) && rows.search.with(String::is_empty);
        if is_unknown { "-1".to_owned() } else { (rows.shown.with(Vec::len) + 1).to_string() }
    };
    let filter = (rows.total() >= FILTER_FROM).then(|| view! { <TableFilter rows scroller/> });
    view! {
        <div class="result">
            {filter}
            <div
                class="table-scroll"
                tabindex="0"
                role="group"
                aria-label=texts::result_table(&question)
                node_ref=scroller.node
                on:scroll=move |_| if rows.is_windowed() { scroller.measure() }
            >
                <table class=class aria-rowcount=row_count style:width=table_width>
                    <caption class="visually-hidden">{texts::rows_for(&question)}</caption>
                    {columns}
                    <TableHead rows sort_by/>
                    <TableBody rows scroller/>
                </table>
            </div>
            <p class="row-count">{move || rows.size()}</p>
            <WholeValue opened=rows.opened/>
        </div>
    }
}
