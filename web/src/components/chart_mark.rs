//! The marks of a chart as SVG elements.

use leptos::prelude::*;

use crate::view_model::chart_drawing::{Drawing, Mark};

/// A drawing as an image with a name for screen readers.
pub fn drawing_view(drawing: &Drawing, name: String) -> impl IntoView + use<> {
    let (width, height) = (drawing.width.round(), drawing.height.round());
    let marks: Vec<_> = drawing.marks.iter().map(mark_view).collect();
    view! {
        <svg
            class="chart-svg"
            role="img"
            aria-label=name
            width=width.to_string()
            height=height.to_string()
            viewBox=format!("0 0 {width} {height}")
        >
            {marks}
        </svg>
    }
}

fn mark_view(mark: &Mark) -> AnyView {
    match mark {
        Mark::Bar { x, y, width, height, class, tip } => view! {
            <rect
                class=*class
                x=pixels(*x)
                y=pixels(*y)
                width=pixels(*width)
                height=pixels(*height)
                rx="2"
            >
                <title>{tip.clone()}</title>
            </rect>
        }
        .into_any(),
        Mark::Dot { x, y, radius, tip } => view! {
            <circle class="chart-dot" cx=pixels(*x) cy=pixels(*y) r=pixels(*radius)>
                <title>{tip.clone()}</title>
            </circle>
        }
        .into_any(),
        Mark::Line { from, to, class } => view! {
            <line
                class=*class
                x1=pixels(from.0)
                y1=pixels(from.1)
                x2=pixels(to.0)
                y2=pixels(to.1)
            />
        }
        .into_any(),
        Mark::Path { points } => {
            let points: Vec<String> =
                points.iter().map(|(x, y)| format!("{},{}", pixels(*x), pixels(*y))).collect();
            view! { <polyline class="chart-line" points=points.join(" ")/> }.into_any()
        }
        Mark::Text { x, y, anchor, class, text } => view! {
            <text class=*class x=pixels(*x) y=pixels(*y) text-anchor=anchor.name()>
                {text.clone()}
            </text>
        }
        .into_any(),
    }
}

fn pixels(length: f64) -> String {
    format!("{length:.1}")
}
