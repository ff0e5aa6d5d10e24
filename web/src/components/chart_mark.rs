//! The marks of a chart as SVG elements.

use leptos::prelude::*;

use crate::view_model::chart_drawing::{Drawing, Mark};
use crate::view_model::chart_series::{
    TEXTURE_TILE, TEXTURES, class, corners, is_hollow, points_text, texture,
};

/// A drawing as an image with a name for screen readers; `id` is unique on the page.
pub fn drawing_view(
    drawing: &Drawing,
    name: String,
    series: usize,
    id: &str,
) -> impl IntoView + use<> {
    let (width, height) = (drawing.width.round(), drawing.height.round());
    let marks: Vec<_> = drawing.marks.iter().map(|mark| mark_view(mark, id)).collect();
    let textures: Vec<_> = TEXTURES
        .iter()
        .enumerate()
        .take(series)
        .map(|(index, path)| {
            view! {
                <pattern
                    id=texture_id(id, index)
                    width=TEXTURE_TILE.to_string()
                    height=TEXTURE_TILE.to_string()
                    patternUnits="userSpaceOnUse"
                >
                    <path class="chart-texture" d=*path/>
                </pattern>
            }
        })
        .collect();
    view! {
        <svg
            class="chart-svg"
            role="img"
            translate="no"
            aria-label=name
            width=width.to_string()
            height=height.to_string()
            viewBox=format!("0 0 {width} {height}")
        >
            <defs>{textures}</defs>
            {marks}
        </svg>
    }
}

fn mark_view(mark: &Mark, id: &str) -> AnyView {
    match mark {
        Mark::Bar { x, y, width, height, class: kind, series, tip } => {
            let (x, y) = (pixels(*x), pixels(*y));
            let (width, height) = (pixels(*width), pixels(*height));
            let texture = texture(*series).map(|index| {
                let fill = format!("url(#{})", texture_id(id, index));
                let (x, y) = (x.clone(), y.clone());
                let (width, height) = (width.clone(), height.clone());
                view! {
                    <rect x=x y=y width=width height=height rx="2" fill=fill pointer-events="none"/>
                }
            });
            view! {
                <rect class=format!("{kind} {}", class(*series)) x=x y=y width=width height=height rx="2">
                    <title>{tip.clone()}</title>
                </rect>
                {texture}
            }
            .into_any()
        }
        Mark::Dot { x, y, radius, series, tip } => {
            let hollow = if is_hollow(*series) { " hollow" } else { "" };
            let class = format!("chart-dot {}{hollow}", class(*series));
            let corners = corners(*series, *x, *y, *radius);
            if corners.is_empty() {
                view! {
                    <circle class=class cx=pixels(*x) cy=pixels(*y) r=pixels(*radius)>
                        <title>{tip.clone()}</title>
                    </circle>
                }
                .into_any()
            } else {
                view! {
                    <polygon class=class points=points_text(&corners)>
                        <title>{tip.clone()}</title>
                    </polygon>
                }
                .into_any()
            }
        }
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
        Mark::Path { points, series } => {
            let class = format!("chart-line {}", class(*series));
            view! { <polyline class=class points=points_text(points)/> }.into_any()
        }
        Mark::Text { x, y, anchor, class, text } => view! {
            <text class=*class x=pixels(*x) y=pixels(*y) text-anchor=anchor.name()>
                {text.clone()}
            </text>
        }
        .into_any(),
    }
}

fn texture_id(id: &str, index: usize) -> String {
    format!("{id}-texture-{index}")
}

fn pixels(length: f64) -> String {
    format!("{length:.1}")
}
