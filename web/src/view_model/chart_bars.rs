//! Positions of horizontal bars, one for each category.

use super::chart::{Chart, ChartKind};
use super::chart_drawing::{Anchor, BASELINE, Drawing, GAP, LINE, Mark, NARROW, shortened, width};

/// Thickness of a bar.
pub(super) const BAR: f64 = 18.0;
/// Thickness of each of many bars.
const THIN_BAR: f64 = 14.0;
/// With more bars than this, bars are thin.
const THICK_BARS: usize = 20;
/// Distance between bars with their labels beside them.
pub(super) const BAR_GAP: f64 = 6.0;

impl Drawing {
    /// Horizontal bars with their values at the ends.
    pub(super) fn bars(&mut self, chart: &Chart) {
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
                series: 0,
                tip,
            };
            if is_whole {
                let track = bar(left, length, "chart-track", String::new());
                self.marks.push(track);
            }
            let mark = bar(start, (end - start).max(1.0), "chart-bar", chart.tip(point));
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
    pub(super) fn bar_titles(&mut self, chart: &Chart, bars_at: Option<f64>) {
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
pub(super) fn extent(values: impl Iterator<Item = f64>, is_whole: bool) -> (f64, f64) {
    let (least, most) = values
        .fold((0.0, 0.0), |(least, most): (f64, f64), value| (least.min(value), most.max(value)));
    match (is_whole, most > least) {
        (true, _) => (0.0, 100.0),
        (false, true) => (least, most),
        (false, false) => (0.0, 1.0),
    }
}
