//! Positions of the axes, lines and dots of a chart.

use super::chart::{Chart, ChartKind};
use super::chart_drawing::{Anchor, BASELINE, Drawing, GAP, LINE, Mark, NARROW, shortened, width};
use super::decimal::Decimal;
use super::scale::Scale;
use crate::texts;

/// Height of the plot of a line or scatter plot.
const PLOT_HEIGHT: f64 = 220.0;
/// With more points than this, the dots of a line are small.
const LARGE_DOTS: usize = 40;

impl Drawing {
    /// Axes with a line or with dots.
    pub(super) fn plot(&mut self, chart: &Chart) {
        let is_line = chart.kind == ChartKind::Line;
        let suffix = chart.tick_suffix();
        let values = || chart.points.iter().map(|point| point.y);
        let y_scale = Scale::of(values(), starts_at_zero(values()), 5);
        let y_ticks: Vec<(f64, String)> = ticks(&y_scale, &suffix);
        let left = y_ticks.iter().map(|(_, text)| width(text)).fold(0.0, f64::max) + GAP;
        let right = self.width - GAP;

        let y_title = shortened(&chart.y_title, self.width);
        self.text(0.0, self.height + BASELINE, Anchor::Start, "chart-muted", y_title);
        let top = self.height + LINE + GAP;
        let bottom = top + PLOT_HEIGHT;
        let y_at = |value: f64| bottom - PLOT_HEIGHT * y_scale.share(value);
        for (value, text) in &y_ticks {
            let y = y_at(*value);
            let class = if is_zero(*value) { "chart-axis" } else { "chart-grid" };
            self.marks.push(Mark::Line { from: (left, y), to: (right, y), class });
            self.text(left - GAP, y + 4.0, Anchor::End, "chart-muted", text.clone());
        }

        let xs = || chart.points.iter().map(|point| point.x);
        let (least, most, x_ticks) = if is_line {
            let labels = chart.points.iter().map(|point| (point.x, point.label.clone()));
            let mut labels: Vec<(f64, String)> = labels.collect();
            labels.dedup_by(|next, kept| next.1 == kept.1);
            let (least, most) = extent_of(xs());
            (least, most, labels)
        } else {
            let scale =
                Scale::of(xs(), starts_at_zero(xs()), if self.width < NARROW { 3 } else { 6 });
            (scale.least, scale.most, ticks(&scale, ""))
        };
        // Dots at both ends stay inside the plot.
        let inset = if is_line { GAP } else { 0.0 };
        let x_at =
            |x: f64| left + inset + (right - left - 2.0 * inset) * (x - least) / (most - least);
        self.x_ticks(&x_ticks, &x_at, bottom);
        let series_count = if is_line { chart.series.len().max(1) } else { 0 };
        for series in 0..series_count {
            let points = chart.points.iter().filter(|point| point.series == series);
            let points = points.map(|point| (x_at(point.x), y_at(point.y))).collect();
            self.marks.push(Mark::Path { points, series });
        }
        let radius = match (is_line, chart.points.len() > LARGE_DOTS * series_count) {
            (true, true) => 2.0,
            (true, false) => 3.5,
            (false, _) => 5.0,
        };
        for point in &chart.points {
            let (x, y, series) = (x_at(point.x), y_at(point.y), point.series);
            self.marks.push(Mark::Dot { x, y, radius, series, tip: chart.tip(point) });
        }
        let x_title = shortened(&chart.x_title, right - left);
        let middle = f64::midpoint(left, right);
        self.text(middle, bottom + 2.0 * LINE + 2.0, Anchor::Middle, "chart-muted", x_title);
        self.height = bottom + 2.0 * LINE + GAP;
    }

    /// As many labels of the horizontal axis as fit side by side, the first and the last among them.
    fn x_ticks(&mut self, ticks: &[(f64, String)], x_at: &dyn Fn(f64) -> f64, bottom: f64) {
        let mut free_from = f64::NEG_INFINITY;
        let place = |value: f64, text: &str| {
            let text = shortened(text, self.width / 2.0);
            let (x, half) = (x_at(value), width(&text) / 2.0);
            (x, half, x.min(self.width - half).max(half), text)
        };
        let last = ticks.last().map_or(f64::INFINITY, |(value, text)| {
            let (_, half, middle, _) = place(*value, text);
            middle - half - 2.0 * GAP
        });
        let places: Vec<_> = ticks.iter().map(|(value, text)| place(*value, text)).collect();
        let count = places.len();
        for (at, (x, half, middle, text)) in places.into_iter().enumerate() {
            let is_in_the_way = at > 0 && at + 1 < count && middle + half > last;
            if middle - half < free_from || is_in_the_way {
                continue;
            }
            free_from = middle + half + 2.0 * GAP;
            self.marks.push(Mark::Line {
                from: (x, bottom),
                to: (x, bottom + 4.0),
                class: "chart-axis",
            });
            self.text(middle, bottom + LINE - 2.0, Anchor::Middle, "chart-muted", text);
        }
    }
}

/// Range of some values; never empty.
fn extent_of(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    if most > least { (least, most) } else { (least, least + 1.0) }
}

/// Whether an axis starts at zero: unless the values differ by less than a fifth of the largest.
fn starts_at_zero(values: impl Iterator<Item = f64>) -> bool {
    let (least, most) = extent_of(values);
    least < most * 0.8
}

/// Ticks with their texts; millions and billions are abbreviated.
pub(super) fn ticks(scale: &Scale, suffix: &str) -> Vec<(f64, String)> {
    let largest = scale.most.abs().max(scale.least.abs());
    let (unit, letter) = match largest {
        1e9.. => (1e9, texts::billion()),
        1e6.. => (1e6, texts::million()),
        _ => (1.0, ""),
    };
    let places = if unit > 1.0 { 1 } else { scale.places };
    let text = |value: f64| {
        let plain = format!("{:.places$}", value / unit);
        let shown = Decimal::parse(&plain).map(|decimal| decimal.rounded(places));
        let space = if letter.is_empty() { "" } else { " " };
        format!("{}{space}{letter}{suffix}", shown.unwrap_or(plain))
    };
    scale.ticks.iter().map(|tick| (*tick, text(*tick))).collect()
}

fn is_zero(value: f64) -> bool {
    value.abs() < f64::EPSILON
}

#[cfg(test)]
mod tests {
    use super::{Scale, ticks};
    use crate::view_model::chart::{Chart, ChartKind, Point};
    use crate::view_model::chart_drawing::{Drawing, Mark};

    const CHARACTER: f64 = 7.8;

    fn line(values: &[(&str, f64)]) -> Chart {
        let point = |(index, (label, y)): (usize, &(&str, f64))| Point {
            label: (*label).to_owned(),
            x: index as f64,
            y: *y,
            shown: y.to_string(),
            ..Point::default()
        };
        Chart {
            kind: ChartKind::Line,
            x_title: "Month".into(),
            y_title: "Measure".into(),
            points: values.iter().enumerate().map(point).collect(),
            ..Chart::default()
        }
    }

    #[test]
    fn a_line_rises_with_its_values() {
        let drawing = Drawing::of(&line(&[("a", 1.0), ("b", 5.0)]), "A title", 800.0);
        let path = drawing.marks.iter().find_map(|mark| match mark {
            Mark::Path { points, .. } => Some(points.clone()),
            _ => None,
        });
        let path = path.expect("a path");
        assert!(path[0].0 < path[1].0 && path[0].1 > path[1].1, "{path:?}");
    }

    #[test]
    fn labels_of_the_axis_do_not_overlap() {
        let labels: Vec<String> = (1..=60).map(|index| format!("2025-{index:02}")).collect();
        let values: Vec<_> = labels.iter().map(|label| (label.as_str(), 1.0)).collect();
        let drawing = Drawing::of(&line(&values), "A title", 320.0);
        let at: Vec<f64> = drawing
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Text { x, text, .. } if text.starts_with("2025") => Some(*x),
                _ => None,
            })
            .collect();
        assert!(
            at.len() > 1 && at.windows(2).all(|pair| pair[1] - pair[0] >= 7.0 * CHARACTER),
            "{at:?}"
        );
    }

    #[test]
    fn the_last_label_of_the_axis_is_shown() {
        let labels: Vec<String> = (1..=11).map(|month| format!("2026-{month:02}")).collect();
        let values: Vec<_> = labels.iter().map(|label| (label.as_str(), 1.0)).collect();
        for width in [320.0, 640.0, 800.0, 1200.0] {
            let drawing = Drawing::of(&line(&values), "A title", width);
            let shown = |wanted: &str| {
                let is_it = |mark: &Mark| matches!(mark, Mark::Text { text, .. } if text == wanted);
                drawing.marks.iter().any(is_it)
            };
            assert!(shown("2026-01") && shown("2026-11"), "{width}");
        }
    }

    #[test]
    fn large_ticks_are_abbreviated() {
        let texts = |most: f64| {
            let scale = Scale::of([0.0, most].into_iter(), true, 4);
            ticks(&scale, "").into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(texts(2_000_000.0), ["0.0 M", "0.5 M", "1.0 M", "1.5 M", "2.0 M"]);
        assert_eq!(texts(20_000.0), ["0", "5,000", "10,000", "15,000", "20,000"]);
    }
}
