//! A drawing as an SVG file.

use std::fmt::Write;

use super::chart::Chart;
use super::chart_drawing::{Drawing, Mark};
use super::chart_series::{
    TEXTURE_TILE, TEXTURES, class, corners, is_hollow, points_text, texture,
};

/// Width of a saved file in CSS pixels.
const FILE_WIDTH: f64 = 800.0;

/// Space around the drawing in a file, in CSS pixels.
const FILE_MARGIN: f64 = 16.0;

/// Style of a saved file, which has no style sheet of the page: the colours of the light theme.
const FILE_STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#1c1f22}\
.chart-title{font-size:15px;font-weight:600}\
.chart-muted{fill:#5a6067}\
.chart-bar,.chart-dot{fill:var(--series);stroke:none}\
.chart-bar,.chart-dot,.chart-line{--series:#2a5c8c}\
.chart-part{stroke:#fff}\
.chart-dot.hollow{fill:#fff;stroke:var(--series);stroke-width:1.5}\
.chart-track{fill:#f0f0ed;stroke:#82867f}\
.chart-texture{fill:none;stroke:#fff;stroke-width:1.5;stroke-linecap:round;stroke-opacity:.65}\
.chart-line{fill:none;stroke:var(--series);stroke-width:2;stroke-linejoin:round}\
.chart-axis{stroke:#82867f}\
.chart-grid{stroke:#dedfd9}\
.series-1{--series:#c96a10}.series-2{--series:#1b7f5c}.series-3{--series:#8a3d8f}\
.series-4{--series:#8a6d00}.series-5{--series:#c2334d}.series-6{--series:#3b82c4}.series-7{--series:#5a6067}\
.chart-line.series-1{stroke-dasharray:7 3}.chart-line.series-2{stroke-dasharray:2 3}\
.chart-line.series-3{stroke-dasharray:9 3 2 3}.chart-line.series-4{stroke-dasharray:12 4}\
.chart-line.series-5{stroke-dasharray:5 2 2 2 2 2}.chart-line.series-6{stroke-dasharray:4 4}\
.chart-line.series-7{stroke-dasharray:1 4}";

/// An SVG file with its own style.
pub fn file(chart: &Chart) -> String {
    let (drawing, width, height) = sized(chart);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"-{FILE_MARGIN:.0} -{FILE_MARGIN:.0} {width:.0} {height:.0}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<style>{FILE_STYLE}</style>\n{}\
         <rect x=\"-{FILE_MARGIN:.0}\" y=\"-{FILE_MARGIN:.0}\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         {}</svg>\n",
        escaped(&chart.heading),
        escaped(&chart.summary),
        textures(chart.series.len()),
        marks(&drawing.marks)
    )
}

/// Width and height of a file in CSS pixels.
pub fn file_size(chart: &Chart) -> (f64, f64) {
    let (_, width, height) = sized(chart);
    (width, height)
}

fn sized(chart: &Chart) -> (Drawing, f64, f64) {
    let drawing = Drawing::of(chart, &chart.heading, FILE_WIDTH);
    let (width, height) = (drawing.width + 2.0 * FILE_MARGIN, drawing.height + 2.0 * FILE_MARGIN);
    (drawing, width.round(), height.round())
}

/// Definitions of the textures of some series.
fn textures(series: usize) -> String {
    let pattern = |(index, path): (usize, &&str)| {
        format!(
            "<pattern id=\"texture-{index}\" width=\"{TEXTURE_TILE}\" height=\"{TEXTURE_TILE}\" \
             patternUnits=\"userSpaceOnUse\"><path class=\"chart-texture\" d=\"{path}\"/></pattern>"
        )
    };
    let patterns: String = TEXTURES.iter().enumerate().take(series).map(pattern).collect();
    if patterns.is_empty() { patterns } else { format!("<defs>{patterns}</defs>\n") }
}

fn marks(marks: &[Mark]) -> String {
    let mut svg = String::new();
    for mark in marks {
        // Writing to a string cannot fail.
        let _ = write_mark(&mut svg, mark);
    }
    svg
}

fn write_mark(svg: &mut String, mark: &Mark) -> std::fmt::Result {
    match mark {
        Mark::Dot { x, y, radius, series, tip } => {
            let corners = corners(*series, *x, *y, *radius);
            let hollow = if is_hollow(*series) { " hollow" } else { "" };
            let (class, tip) = (class(*series), escaped(tip));
            if corners.is_empty() {
                write!(
                    svg,
                    "<circle class=\"chart-dot {class}{hollow}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\">\
                     <title>{tip}</title></circle>"
                )
            } else {
                write!(
                    svg,
                    "<polygon class=\"chart-dot {class}{hollow}\" points=\"{}\"><title>{tip}</title></polygon>",
                    points_text(&corners)
                )
            }
        }
        Mark::Line { from, to, class } => write!(
            svg,
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        ),
        Mark::Path { points, series } => write!(
            svg,
            "<polyline class=\"chart-line {}\" points=\"{}\"/>",
            class(*series),
            points_text(points)
        ),
        Mark::Bar { x, y, width, height, class: kind, series, tip } => {
            let place = format!(
                "x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\""
            );
            write!(
                svg,
                "<rect class=\"{kind} {}\" {place}><title>{}</title></rect>",
                class(*series),
                escaped(tip)
            )?;
            match texture(*series) {
                Some(index) => write!(
                    svg,
                    "<rect {place} fill=\"url(#texture-{index})\" pointer-events=\"none\"/>"
                ),
                None => Ok(()),
            }
        }
        Mark::Text { x, y, anchor, class, text } => {
            let anchor = anchor.name();
            write!(
                svg,
                "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
                escaped(text)
            )
        }
    }
}

/// A text as content or as a quoted attribute of XML; characters that XML forbids are left out.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::{escaped, file};
    use crate::view_model::chart::{Chart, ChartKind, Point};

    const HOSTILE: &str = "</title><script>alert(1)</script>\" onload='x' &\u{1}";

    fn chart(kind: ChartKind) -> Chart {
        let point = |series: usize| Point {
            stored: String::new(),
            label: HOSTILE.into(),
            series,
            x: series as f64,
            y: 1.0 + series as f64,
            shown: HOSTILE.into(),
        };
        Chart {
            kind,
            name: String::new(),
            title: HOSTILE.into(),
            heading: HOSTILE.into(),
            x_title: HOSTILE.into(),
            y_title: HOSTILE.into(),
            series_title: HOSTILE.into(),
            series: vec![HOSTILE.into(), HOSTILE.into()],
            points: vec![point(0), point(1)],
            summary: HOSTILE.into(),
        }
    }

    #[test]
    fn no_text_of_the_data_becomes_markup() {
        for kind in [
            ChartKind::Bars,
            ChartKind::Grouped,
            ChartKind::Line,
            ChartKind::Scatter,
            ChartKind::Stacked,
            ChartKind::Whole,
        ] {
            let svg = file(&chart(kind));
            assert!(!svg.contains("<script"), "{svg}");
            assert!(!svg.contains("onload='"), "{svg}");
            assert!(!svg.contains('\u{1}'), "{svg}");
            let opened = svg.matches("<title>").count();
            assert_eq!(opened, svg.matches("</title>").count(), "{svg}");
        }
    }

    #[test]
    fn each_texture_that_is_used_is_defined_once() {
        let svg = file(&chart(ChartKind::Stacked));
        assert_eq!(svg.matches("id=\"texture-1\"").count(), 1, "{svg}");
        assert!(svg.contains("fill=\"url(#texture-1)\""), "{svg}");
        assert!(!svg.contains("url(#texture-2)"), "{svg}");
    }

    #[test]
    fn text_reads_the_same_after_escaping() {
        assert_eq!(escaped("a<b> & \"c\" 'd'\n"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; ");
    }
}
