//! The charts that suit a result, of which one is shown.

use leptos::prelude::*;

use super::chart_view::ChartView;
use crate::fields::Fields;
use crate::texts;
use crate::view_model::chart::Chart;

/// A chart below the controls that hide it or choose its kind.
#[component]
pub fn ChartPanel(charts: Vec<Chart>, question: String, fields: Fields) -> impl IntoView {
    let (is_shown, chosen) = (fields.has_chart, fields.chart);
    let names: Vec<String> = charts.iter().map(|chart| chart.name.clone()).collect();
    let charts = StoredValue::new(charts);
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
    let kinds = (names.len() > 1).then(|| {
        let options: Vec<_> = names
            .into_iter()
            .enumerate()
            .map(|(index, name)| {
                let is_chosen = index == chosen.get_untracked();
                view! { <option value=index.to_string() selected=is_chosen>{name}</option> }
            })
            .collect();
        let choose = move |event| {
            if let Ok(index) = event_target_value(&event).parse() {
                chosen.set(index);
            }
        };
        view! {
            <label class="chart-kind" class:absent=move || !is_shown.get()>
                <span>{texts::chart()}</span>
                <select on:change=choose>{options}</select>
            </label>
        }
    });
    let shown = move || {
        let chart = charts.with_value(|charts| charts.get(chosen.get()).cloned());
        chart.map(|chart| view! { <ChartView chart question=question.clone()/> })
    };
    view! {
        <div class="chart-controls">
            <div class="switch" role="group" aria-label=texts::view_of_rows()>
                {choice(texts::chart_and_table(), true)}
                {choice(texts::table_only(), false)}
            </div>
            {kinds}
        </div>
        {move || is_shown.get().then(&shown)}
    }
}
