//! The rows of a result: a chart where one suits, and the table.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::{ResultSet, View};

use super::chart_view::ChartView;
use super::result_actions::ResultActions;
use super::result_table::ResultTable;
use crate::view_model::chart::{Chart, Wording};
use crate::view_model::column_format::ColumnFormat;

/// A table with buttons that save it; above it a chart, which can be hidden.
#[component]
pub fn ResultRows(view: Arc<View>, result: ResultSet, formats: Vec<ColumnFormat>) -> impl IntoView {
    let sql = view.sql.as_deref().unwrap_or_default();
    let chart = Chart::suggest(&result, &formats, sql, &Wording::of(&view));
    let question = view.question.clone();
    let actions =
        (!result.rows.is_empty()).then(|| view! { <ResultActions view=Arc::clone(&view)/> });
    let chart = chart.map(|chart| chart_with_switch(chart, question.clone()));
    view! {
        {chart}
        <ResultTable result formats question/>
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
