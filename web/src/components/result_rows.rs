//! The rows of a result: a chart where one suits, and the table.

use std::sync::Arc;

use leptos::prelude::*;

use super::chart_panel::ChartPanel;
use super::result_actions::ResultActions;
use super::result_table::ResultTable;
use crate::engine_client::View;
use crate::fields::Fields;
use crate::view_model::chart::Wording;
use crate::view_model::chart_choice::charts;
use crate::view_model::column_format::ColumnFormat;

/// A table with buttons that save it; above it a chart, which can be hidden.
#[component]
pub fn ResultRows(view: Arc<View>, formats: Vec<ColumnFormat>, fields: Fields) -> impl IntoView {
    let result = view.result.as_ref();
    let sql = view.sql.as_deref().unwrap_or_default();
    let charts =
        result.map_or_else(Vec::new, |result| charts(result, &formats, sql, &Wording::of(&view)));
    let question = view.question.clone();
    let has_rows = result.is_some_and(|result| !result.rows.is_empty());
    let sort = fields.sort;
    let numeric: Vec<bool> = formats.iter().map(|format| format.numeric).collect();
    let actions = has_rows.then(|| view! { <ResultActions view=Arc::clone(&view) sort numeric/> });
    let chart = (!charts.is_empty()).then(|| view! { <ChartPanel charts question fields/> });
    view! {
        {chart}
        <ResultTable view formats fields/>
        {actions}
    }
}
