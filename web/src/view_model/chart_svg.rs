//! A drawing as an SVG file.

use std::fmt::Write;

use super::chart::Chart;
use super::chart_drawing::{Drawing, Mark};

/// Width of a saved file in CSS pixels.
const FILE_WIDTH: f64 = 800.0;

/// Space around the drawing in a file, in CSS pixels.
const FILE_MARGIN: f64 = 16.0;

/// Style of a saved file, which has no style sheet of the page: the colours of the light theme.
const FILE_STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#1c1f22}\
.chart-title{font-size:15px;font-weight:600}\
.chart-muted{fill:#5a6067}\
.chart-bar,.chart-dot{fill:#2a5c8c}\
.chart-track{fill:#f0f0ed;stroke:#82867f}\
.chart-line{fill:none;stroke:#2a5c8c;stroke-width:2;stroke-linejoin:round}\
.chart-axis{stroke:#82867f}\
.chart-grid{stroke:#dedfd9}";

/// An SVG file with its own style.
pub fn file(chart: &Chart) -> String {
    let drawing = Drawing::of(chart, &chart.heading, FILE_WIDTH);
    let (width, height) = (drawing.width + 2.0 * FILE_MARGIN, drawing.height + 2.0 * FILE_MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"-{FILE_MARGIN:.0} -{FILE_MARGIN:.0} {width:.0} {height:.0}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<style>{FILE_STYLE}</style>\n\
         <rect x=\"-{FILE_MARGIN:.0}\" y=\"-{FILE_MARGIN:.0}\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         {}</svg>\n",
        escaped(&chart.heading),
        escaped(&chart.summary),
        marks(&drawing.marks)
    )
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
        Mark::Dot { x, y, radius, tip } => write!(
            svg,
            "<circle class=\"chart-dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"><title>{}</title></circle>",
            escaped(tip)
        ),
        Mark::Line { from, to, class } => write!(
            svg,
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        ),
        Mark::Path { points } => {
            svg.push_str("<polyline class=\"chart-line\" points=\"");
            for (x, y) in points {
                write!(svg, "{x:.1},{y:.1} ")?;
            }
            svg.push_str("\"/>");
            Ok(())
        }
        Mark::Bar { x, y, width, height, class, tip } => write!(
            svg,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\">\
             <title>{}</title></rect>",
            escaped(tip)
        ),
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
        let point = |x: f64| Point { label: HOSTILE.into(), x, y: x, shown: HOSTILE.into() };
        Chart {
            kind,
            title: HOSTILE.into(),
            heading: HOSTILE.into(),
            x_title: HOSTILE.into(),
            y_title: HOSTILE.into(),
            points: vec![point(1.0), point(2.0)],
            summary: HOSTILE.into(),
        }
    }

    #[test]
    fn no_text_of_the_data_becomes_markup() {
        for kind in [ChartKind::Bars, ChartKind::Line, ChartKind::Scatter, ChartKind::Whole] {
            let svg = file(&chart(kind));
            assert!(!svg.contains("<script"), "{svg}");
            assert!(!svg.contains("onload='"), "{svg}");
            assert!(!svg.contains('\u{1}'), "{svg}");
            let opened = svg.matches("<title>").count();
            assert_eq!(opened, svg.matches("</title>").count(), "{svg}");
        }
    }

    #[test]
    fn text_reads_the_same_after_escaping() {
        assert_eq!(escaped("a<b> & \"c\" 'd'\n"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; ");
    }
}
