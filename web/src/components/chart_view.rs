//! A chart of a result.

use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;

use super::chart_mark::drawing_view;
use crate::browser;
use crate::conversation::use_conversation;
use crate::view_model::chart::Chart;
use crate::view_model::chart_drawing::Drawing;
use crate::view_model::chart_svg::file;
use crate::view_model::export::file_name;
use crate::view_model::words::Announcement;

/// A chart in the width that there is, its content in one sentence, and a button that saves it.
#[component]
pub fn ChartView(chart: Chart, question: String) -> impl IntoView {
    let announcer = use_conversation().announcer;
    let canvas = NodeRef::<Div>::new();
    let width = RwSignal::new(0);
    let measure = move || {
        if let Some(canvas) = canvas.get_untracked() {
            width.set(canvas.client_width());
        }
    };
    Effect::new(move || {
        canvas.track();
        measure();
    });
    let resized = window_event_listener(ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());

    let summary = chart.summary.clone();
    let chart = StoredValue::new(chart);
    let svg = move || {
        let width = f64::from(width.get());
        (width > 0.0).then(|| {
            chart.with_value(|chart| {
                let drawing = Drawing::of(chart, &chart.title, width);
                drawing_view(&drawing, chart.title.clone())
            })
        })
    };
    let save = move |_| {
        let name = file_name(&question, &browser::today(), "svg");
        let text = chart.with_value(file);
        announcer
            .say(Announcement::saved(&name, browser::save(&name, "image/svg+xml", &text).is_ok()));
    };
    view! {
        <figure class="chart">
            <div class="chart-canvas" node_ref=canvas>{svg}</div>
            <figcaption class="chart-summary muted">{summary}</figcaption>
            <button type="button" class="button button-quiet" on:click=save>"Save as SVG"</button>
        </figure>
    }
}
