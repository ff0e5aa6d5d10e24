//! The header of a result table.

use leptos::prelude::*;

use super::result_table::Rows;
use crate::view_model::column_format::ColumnFormat;
use crate::view_model::table_sort::Sort;

/// Titles of the columns as buttons that sort the rows.
#[component]
pub fn TableHead(rows: Rows, sort_by: Callback<usize>) -> impl IntoView {
    let sorts = rows.total() > 1;
    let heads = rows.formats.with_value(|formats| {
        let head = |(column, format): (usize, &ColumnFormat)| {
            let label = format.label();
            let content = if sorts {
                view! {
                    <button type="button" class="sort" on:click=move |_| sort_by.run(column)>
                        {label}
                    </button>
                }
                .into_any()
            } else {
                label.into_any()
            };
            let order = move || sorts.then(|| Sort::aria(rows.sort.get(), column));
            view! {
                <th
                    scope="col"
                    class=format.class()
                    dir="auto"
                    title=format.name.clone()
                    aria-sort=order
                >
                    {content}
                </th>
            }
        };
        formats.iter().enumerate().map(head).collect::<Vec<_>>()
    });
    view! { <thead translate="no"><tr aria-rowindex="1">{heads}</tr></thead> }
}
