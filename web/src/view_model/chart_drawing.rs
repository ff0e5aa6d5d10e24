//! Positions of the marks and texts of a chart, in CSS pixels from the top left.

use super::chart::{Chart, ChartKind, Point};

/// Charts narrower than this have their labels above the bars.
pub(super) const NARROW: f64 = 520.0;
/// Width per character of labels, the average of a wide font.
const CHARACTER: f64 = 7.8;
/// Width per character of the title.
const TITLE_CHARACTER: f64 = 9.4;
/// Height of a line of text.
pub(super) const LINE: f64 = 20.0;
/// Distance from the top of a line of text to its baseline.
pub(super) const BASELINE: f64 = 14.0;
/// Distance between neighbouring parts.
pub(super) const GAP: f64 = 8.0;
/// Thickness of a bar.
const BAR: f64 = 18.0;
/// Thickness of each of many bars.
const THIN_BAR: f64 = 14.0;
/// With more bars than this, bars are thin.
const THICK_BARS: usize = 20;
/// Distance between bars with their labels beside them.
const BAR_GAP: f64 = 6.0;
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

/// A part of a drawing; classes name its style.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A dot with a tooltip.
    Dot { x: f64, y: f64, radius: f64, tip: String },
    /// A straight line.
    Line { from: (f64, f64), to: (f64, f64), class: &'static str },
    /// A line through points.
    Path { points: Vec<(f64, f64)> },
    /// A rectangle with a tooltip.
    Bar { x: f64, y: f64, width: f64, height: f64, class: &'static str, tip: String },
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
        match chart.kind {
            ChartKind::Bars | ChartKind::Whole => drawing.bars(chart),
            ChartKind::Line | ChartKind::Scatter => drawing.plot(chart),
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

    /// Horizontal bars with their values at the ends.
    fn bars(&mut self, chart: &Chart) {
        let is_whole = chart.kind == ChartKind::Whole;
        let is_narrow = self.width < NARROW;
        let thickness = if chart.points.len() > THICK_BARS { THIN_BAR } else { BAR };
        let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(width).fold(0.0, f64::max);
        let labels = widest(&mut chart.points.iter().map(|point| point.label.as_str()));
        let values = widest(&mut chart.points.iter().map(|point| point.shown.as_str())) + GAP;
        let has_negative = chart.points.iter().any(|point| point.y < 0.0);
        let labels = labels.max(width(&chart.x_title)).min(self.width * 0.4) + GAP;
        let left = if is_narrow { 0.0 } else { labels } + if has_negative { values } else { 0.0 };
        let length = (self.width - left - values).max(1.0);
        let (least, most) = extent(chart.points.iter().map(|point| point.y), is_whole);
        let at = |value: f64| left + length * (value - least) / (most - least);

        self.bar_titles(chart, if is_narrow { None } else { Some(left) });
        let top = self.height;
        for point in &chart.points {
            let label_width = if is_narrow { self.width } else { labels - GAP };
            let label = shortened(&point.label, label_width);
            let baseline = if is_narrow { BASELINE } else { thickness / 2.0 + 4.5 };
            self.text(0.0, self.height + baseline, Anchor::Start, "chart-text", label);
            if is_narrow {
                self.height += LINE;
            }
            let (start, end) = (at(0.0).min(at(point.y)), at(0.0).max(at(point.y)));
            let bar = |x: f64, width: f64, class: &'static str, tip: String| Mark::Bar {
                x,
                y: self.height,
                width,
                height: thickness,
                class,
                tip,
            };
            if is_whole {
                let track = bar(left, length, "chart-track", String::new());
                self.marks.push(track);
            }
            let mark = bar(start, (end - start).max(1.0), "chart-bar", tip(point));
            self.marks.push(mark);
            let (x, anchor) = match (is_whole, point.y < 0.0) {
                (true, _) => (left + length + values, Anchor::End),
                (false, true) => (start - 6.0, Anchor::End),
                (false, false) => (end + 6.0, Anchor::Start),
            };
            let shown = point.shown.clone();
            let baseline = self.height + thickness / 2.0 + 4.5;
            self.text(x, baseline, anchor, "chart-value", shown);
            self.height += thickness + if is_narrow { GAP } else { BAR_GAP };
        }
        if has_negative {
            let to = (at(0.0), self.height);
            self.marks.push(Mark::Line { from: (at(0.0), top), to, class: "chart-axis" });
        }
    }

    /// Titles of the categories and of the measure, in one line if they fit.
    fn bar_titles(&mut self, chart: &Chart, bars_at: Option<f64>) {
        let x_title = shortened(&chart.x_title, bars_at.unwrap_or(self.width) - GAP);
        let y_title = &chart.y_title;
        let fits = width(&x_title) + width(y_title) + 2.0 * GAP < self.width;
        let y_at = bars_at.unwrap_or(0.0);
        let below = bars_at.is_none() && !fits;
        self.text(0.0, self.height + BASELINE, Anchor::Start, "chart-muted", x_title);
        if below {
            self.height += LINE;
        }
        let (x, anchor) = match bars_at {
            None if !below => (self.width, Anchor::End),
            _ => (y_at, Anchor::Start),
        };
        let y_title = shortened(y_title, self.width - y_at);
        self.text(x, self.height + BASELINE, anchor, "chart-muted", y_title);
        self.height += LINE + 2.0;
    }
}

/// Range of the bars, which includes zero; of shares, 0 to 100.
fn extent(values: impl Iterator<Item = f64>, is_whole: bool) -> (f64, f64) {
    let (least, most) = values
        .fold((0.0, 0.0), |(least, most): (f64, f64), value| (least.min(value), most.max(value)));
    match (is_whole, most > least) {
        (true, _) => (0.0, 100.0),
        (false, true) => (least, most),
        (false, false) => (0.0, 1.0),
    }
}

pub(super) fn tip(point: &Point) -> String {
    format!("{}: {}", point.label, point.shown)
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
        };
        Chart {
            kind,
            title: "A title".into(),
            heading: String::new(),
            x_title: "Group".into(),
            y_title: "Measure".into(),
            points: values.iter().enumerate().map(point).collect(),
            summary: String::new(),
        }
    }

    const LONG: &str = "a label that is longer than any chart is wide, and then some more words";
    const KINDS: [ChartKind; 4] =
        [ChartKind::Bars, ChartKind::Line, ChartKind::Scatter, ChartKind::Whole];

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
                let drawing = Drawing::of(&chart, &chart.title, width);
                for mark in &drawing.marks {
                    let (left, right, y) = match mark {
                        Mark::Dot { x, y, radius, .. } => (x - radius, x + radius, *y),
                        Mark::Line { from, to, .. } => (from.0, to.0, to.1),
                        Mark::Path { points } => (points[0].0, points[2].0, points[0].1),
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
