//! A chart of a result.

use std::sync::atomic::{AtomicU32, Ordering};

use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::chart_mark::drawing_view;
use crate::browser;
use crate::conversation::use_conversation;
use crate::texts;
use crate::view_model::chart::Chart;
use crate::view_model::chart_drawing::Drawing;
use crate::view_model::export::file_name;
use crate::view_model::words::Announcement;
use crate::view_model::{chart_svg, chart_vega};

/// Number of charts drawn so far, for ids that are unique on the page.
static CHARTS: AtomicU32 = AtomicU32::new(0);

/// A chart in the width that there is, its content in one sentence, and buttons that save it.
#[component]
pub fn ChartView(chart: Chart, question: String) -> impl IntoView {
    let announcer = use_conversation().announcer;
    let canvas = NodeRef::<Div>::new();
    let width = RwSignal::new(0);
    let measure = move || {
        // There is no width while the side panel is in place of the thread.
        let there_is = canvas.get_untracked().map(|canvas| canvas.client_width());
        if let Some(there_is) = there_is.filter(|there_is| *there_is > 0) {
            width.set(there_is);
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
    let id = format!("chart-{}", CHARTS.fetch_add(1, Ordering::Relaxed));
    let svg = move || {
        let width = f64::from(width.get());
        (width > 0.0).then(|| {
            chart.with_value(|chart| {
                let drawing = Drawing::of(chart, &chart.title, width);
                drawing_view(&drawing, chart.title.clone(), chart.series.len(), &id)
            })
        })
    };
    let question = StoredValue::new(question);
    let name = move |extension: &str| {
        question.with_value(|question| file_name(question, &browser::today(), extension))
    };
    let save = move |extension: &str, media_type: &str, make: fn(&Chart) -> String| {
        let (name, text) = (name(extension), chart.with_value(make));
        announcer.say(Announcement::saved(&name, browser::save(&name, media_type, &text).is_ok()));
    };
    let save_png = move |_| {
        let name = name("png");
        let (svg, size) =
            chart.with_value(|chart| (chart_svg::file(chart), chart_svg::file_size(chart)));
        spawn_local(async move {
            let is_saved = browser::save_as_png(&name, &svg, size).await.is_ok();
            announcer.say(Announcement::saved(&name, is_saved));
        });
    };
    view! {
        <figure class="chart">
            <div class="chart-canvas" node_ref=canvas>{svg}</div>
            <figcaption class="chart-summary muted">{summary}</figcaption>
            <div class="result-actions" role="group" aria-label=texts::chart_as_file()>
                <button
                    type="button"
                    class="button button-quiet"
                    on:click=move |_| save("svg", "image/svg+xml", chart_svg::file)
                >
                    {texts::save_as("SVG")}
                </button>
                <button type="button" class="button button-quiet" on:click=save_png>
                    {texts::save_as("PNG")}
                </button>
                <button
                    type="button"
                    class="button button-quiet"
                    on:click=move |_| save("vl.json", "application/json", chart_vega::file)
                >
                    {texts::save_as("Vega-Lite")}
                </button>
            </div>
        </figure>
    }
}
