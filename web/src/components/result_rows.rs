//! The rows of a result: a chart where one suits, and the table.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::View;

use super::chart_view::ChartView;
use super::result_actions::ResultActions;
use super::result_table::ResultTable;
use crate::view_model::chart::{Chart, Wording};
use crate::view_model::column_format::ColumnFormat;

/// A table with buttons that save it; above it a chart, which can be hidden.
#[component]
pub fn ResultRows(view: Arc<View>, formats: Vec<ColumnFormat>) -> impl IntoView {
    let result = view.result.as_ref();
    let sql = view.sql.as_deref().unwrap_or_default();
    let chart =
        result.and_then(|result| Chart::suggest(result, &formats, sql, &Wording::of(&view)));
    let question = view.question.clone();
    let has_rows = result.is_some_and(|result| !result.rows.is_empty());
    let actions = has_rows.then(|| view! { <ResultActions view=Arc::clone(&view)/> });
    let chart = chart.map(|chart| chart_with_switch(chart, question));
    view! {
        {chart}
        <ResultTable view formats/>
        {actions}
    }
}

/// A chart below two buttons that show or hide it.
fn chart_with_switch(chart: Chart, question: String) -> impl IntoView {
    let is_shown = RwSignal::new(true);
    let chart = StoredValue::new(chart);
    let choice = move |label: &'static str, shows: bool| {
        view! {
            <button
                type="button"
                class="button"
                aria-pressed=move || (is_shown.get() == shows).to_string()
                on:click=move |_| is_shown.set(shows)
            >
                {label}
            </button>
        }
    };
    view! {
        <div class="switch" role="group" aria-label="View of the rows">
            {choice("Chart and table", true)}
            {choice("Table only", false)}
        </div>
        <Show when=move || is_shown.get()>
            <ChartView chart=chart.get_value() question=question.clone()/>
        </Show>
    }
}
