//! Positions of the marks and texts of a chart, in CSS pixels from the top left.

use super::chart::{Chart, ChartKind};

/// Charts narrower than this have their labels above the bars.
pub(super) const NARROW: f64 = 520.0;
/// Width per character of labels, the average of a wide font.
pub(super) const CHARACTER: f64 = 7.8;
/// Width per character of the title.
const TITLE_CHARACTER: f64 = 9.4;
/// Height of a line of text.
pub(super) const LINE: f64 = 20.0;
/// Distance from the top of a line of text to its baseline.
pub(super) const BASELINE: f64 = 14.0;
/// Distance between neighbouring parts.
pub(super) const GAP: f64 = 8.0;

/// Side of a text that is at its position.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Anchor {
    /// The left side.
    Start,
    /// The middle.
    Middle,
    /// The right side.
    End,
}

impl Anchor {
    /// Value of the attribute `text-anchor`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// A part of a drawing; classes name its style. Marks of a series differ by colour and form.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A dot with a tooltip.
    Dot { x: f64, y: f64, radius: f64, series: usize, tip: String },
    /// A straight line.
    Line { from: (f64, f64), to: (f64, f64), class: &'static str },
    /// A line through points.
    Path { points: Vec<(f64, f64)>, series: usize },
    /// A rectangle with a tooltip.
    Bar { x: f64, y: f64, width: f64, height: f64, class: &'static str, series: usize, tip: String },
    /// A text; `y` is its baseline.
    Text { x: f64, y: f64, anchor: Anchor, class: &'static str, text: String },
}

/// A chart as marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Marks in drawing order.
    pub marks: Vec<Mark>,
}

impl Drawing {
    /// Draws a chart under a title in a width.
    pub fn of(chart: &Chart, title: &str, width: f64) -> Self {
        let mut drawing = Self { width, height: 0.0, marks: Vec::new() };
        for line in wrapped(title, width / TITLE_CHARACTER) {
            drawing.height += LINE;
            let baseline = drawing.height - 4.0;
            drawing.text(0.0, baseline, Anchor::Start, "chart-title", line);
        }
        drawing.height += GAP;
        if !chart.series.is_empty() {
            drawing.legend(chart);
        }
        match chart.kind {
            ChartKind::Bars | ChartKind::Whole => drawing.bars(chart),
            ChartKind::Grouped => drawing.grouped(chart),
            ChartKind::Line | ChartKind::Scatter => drawing.plot(chart),
            ChartKind::Stacked => drawing.stacked(chart),
        }
        drawing
    }

    pub(super) fn text(
        &mut self,
        x: f64,
        y: f64,
        anchor: Anchor,
        class: &'static str,
        text: String,
    ) {
        self.marks.push(Mark::Text { x, y, anchor, class, text });
    }
}

/// Estimated width of a label.
pub(super) fn width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// A label that fits into a width, with `…` for what is left out.
pub(super) fn shortened(text: &str, width: f64) -> String {
    let most = (width / CHARACTER).max(2.0) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}

/// A text in lines of at most so many characters, at most three; longer words are cut.
fn wrapped(text: &str, characters: f64) -> Vec<String> {
    const LINES: usize = 3;
    let most = characters.max(2.0) as usize;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shortened(word, most as f64 * CHARACTER);
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < most => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines.truncate(LINES);
    lines
}

#[cfg(test)]
mod tests {
    use super::{Anchor, CHARACTER, Drawing, Mark};
    use crate::view_model::chart::{Chart, ChartKind, Point};

    fn chart(kind: ChartKind, values: &[(&str, f64)]) -> Chart {
        let point = |(index, (label, y)): (usize, &(&str, f64))| Point {
            label: (*label).to_owned(),
            x: index as f64,
            y: *y,
            shown: y.to_string(),
            ..Point::default()
        };
        Chart {
            kind,
            title: "A title".into(),
            x_title: "Group".into(),
            y_title: "Measure".into(),
            points: values.iter().enumerate().map(point).collect(),
            ..Chart::default()
        }
    }

    const LONG: &str = "a label that is longer than any chart is wide, and then some more words";
    const KINDS: [ChartKind; 6] = [
        ChartKind::Bars,
        ChartKind::Grouped,
        ChartKind::Line,
        ChartKind::Scatter,
        ChartKind::Stacked,
        ChartKind::Whole,
    ];

    fn bars(drawing: &Drawing, wanted: &str) -> Vec<(f64, f64)> {
        let bar = |mark: &Mark| match mark {
            Mark::Bar { x, width, class, .. } if *class == wanted => Some((*x, *width)),
            _ => None,
        };
        drawing.marks.iter().filter_map(bar).collect()
    }

    #[test]
    fn everything_is_inside_the_drawing() {
        let values = [(LONG, 1.0), ("b", 99.0), ("c", 45.5)];
        for kind in KINDS {
            for width in [280.0, 360.0, 800.0] {
                let mut chart = chart(kind, &values);
                chart.title = LONG.repeat(3);
                chart.y_title = LONG.to_owned();
                if matches!(kind, ChartKind::Grouped | ChartKind::Stacked) {
                    chart.series_title = LONG.to_owned();
                    chart.series = vec![LONG.to_owned(), "b".to_owned()];
                    chart.points[1].series = 1;
                }
                let drawing = Drawing::of(&chart, &chart.title, width);
                for mark in &drawing.marks {
                    let (left, right, y) = match mark {
                        Mark::Dot { x, y, radius, .. } => (x - radius, x + radius, *y),
                        Mark::Line { from, to, .. } => (from.0, to.0, to.1),
                        Mark::Path { points, .. } => (points[0].0, points[2].0, points[0].1),
                        Mark::Bar { x, y, width, height, .. } => (*x, x + width, y + height),
                        Mark::Text { x, y, anchor, text, .. } => {
                            let wide = text.chars().count() as f64 * CHARACTER;
                            match anchor {
                                Anchor::Start => (*x, x + wide, *y),
                                Anchor::Middle => (x - wide / 2.0, x + wide / 2.0, *y),
                                Anchor::End => (x - wide, *x, *y),
                            }
                        }
                    };
                    let inside = left >= -1.0 && right <= width + 1.0;
                    assert!(inside && y >= 0.0 && y <= drawing.height, "{kind:?} {width} {mark:?}");
                }
            }
        }
    }

    #[test]
    fn bars_are_as_long_as_their_values() {
        let drawing =
            Drawing::of(&chart(ChartKind::Bars, &[("a", 50.0), ("b", 100.0)]), "A title", 800.0);
        let bars = bars(&drawing, "chart-bar");
        assert!((bars[0].1 * 2.0 - bars[1].1).abs() < 1e-6, "{bars:?}");
    }

    #[test]
    fn negative_bars_end_where_positive_ones_start() {
        let drawing =
            Drawing::of(&chart(ChartKind::Bars, &[("a", -50.0), ("b", 100.0)]), "A title", 800.0);
        let bars = bars(&drawing, "chart-bar");
        assert!((bars[0].0 + bars[0].1 - bars[1].0).abs() < 1e-6, "{bars:?}");
    }

    #[test]
    fn a_share_of_half_fills_half_of_the_whole() {
        let drawing =
            Drawing::of(&chart(ChartKind::Whole, &[("a", 50.0), ("b", 10.0)]), "A title", 800.0);
        let (whole, part) = (bars(&drawing, "chart-track"), bars(&drawing, "chart-bar"));
        assert!((part[0].1 * 2.0 - whole[0].1).abs() < 1e-6, "{part:?} {whole:?}");
    }
}
