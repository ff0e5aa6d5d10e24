//! Positions of horizontal bars for each category and series, side by side or in one line.

use super::chart::Chart;
use super::chart_bars::{BAR, extent};
use super::chart_drawing::{Anchor, BASELINE, Drawing, GAP, LINE, Mark, NARROW, shortened, width};
use super::chart_plot::ticks;
use super::scale::Scale;

/// Thickness of a bar beside others of its category.
const SIDE_BAR: f64 = 13.0;
/// Distance between bars of one category.
const SIDE_GAP: f64 = 3.0;
/// Distance between categories.
const CATEGORY_GAP: f64 = 12.0;

impl Drawing {
    /// For each category, a bar for each series with its value at the end.
    pub(super) fn grouped(&mut self, chart: &Chart) {
        let is_narrow = self.width < NARROW;
        let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(width).fold(0.0, f64::max);
        let values = widest(&mut chart.points.iter().map(|point| point.shown.as_str())) + GAP;
        let has_negative = chart.points.iter().any(|point| point.y < 0.0);
        let labels = self.label_width(chart);
        let left = if is_narrow { 0.0 } else { labels } + if has_negative { values } else { 0.0 };
        let length = (self.width - left - values).max(1.0);
        let (least, most) = extent(chart.points.iter().map(|point| point.y), false);
        let at = |value: f64| left + length * (value - least) / (most - least);

        self.bar_titles(chart, if is_narrow { None } else { Some(left) });
        let top = self.height;
        for (label, points) in chart.categories() {
            self.category(label, labels, SIDE_BAR);
            for point in points {
                let (start, end) = (at(0.0).min(at(point.y)), at(0.0).max(at(point.y)));
                self.marks.push(Mark::Bar {
                    x: start,
                    y: self.height,
                    width: (end - start).max(1.0),
                    height: SIDE_BAR,
                    class: "chart-bar",
                    series: point.series,
                    tip: chart.tip(point),
                });
                let is_left = point.y < 0.0;
                let (x, anchor) =
                    if is_left { (start - 6.0, Anchor::End) } else { (end + 6.0, Anchor::Start) };
                let baseline = self.height + SIDE_BAR / 2.0 + 4.5;
                self.text(x, baseline, anchor, "chart-value", point.shown.clone());
                self.height += SIDE_BAR + SIDE_GAP;
            }
            self.height += CATEGORY_GAP - SIDE_GAP;
        }
        if has_negative {
            let to = (at(0.0), self.height);
            self.marks.push(Mark::Line { from: (at(0.0), top), to, class: "chart-axis" });
        }
    }

    /// For each category, a bar that is divided by series, below an axis.
    pub(super) fn stacked(&mut self, chart: &Chart) {
        let is_narrow = self.width < NARROW;
        let labels = self.label_width(chart);
        let categories = chart.categories();
        let sums = categories.iter().map(|(_, points)| points.iter().map(|point| point.y).sum());
        let scale = Scale::of(sums, true, if is_narrow { 3 } else { 6 });
        let suffix = chart.tick_suffix();
        let ticks = ticks(&scale, &suffix);
        // The first and the last text of the axis reach beyond its ends.
        let half = |tick: Option<&(f64, String)>| tick.map_or(0.0, |(_, text)| width(text) / 2.0);
        let left = if is_narrow { half(ticks.first()) } else { labels.max(half(ticks.first())) };
        let length = (self.width - left - half(ticks.last())).max(1.0);
        let at = |value: f64| left + length * scale.share(value);

        self.bar_titles(chart, if is_narrow { None } else { Some(left) });
        for (value, text) in &ticks {
            let baseline = self.height + BASELINE;
            self.text(at(*value), baseline, Anchor::Middle, "chart-muted", text.clone());
        }
        self.height += LINE + 2.0;
        let (top, grid) = (self.height, self.marks.len());
        self.height += GAP;
        for (label, points) in &categories {
            self.category(label, labels, BAR);
            let mut sum = 0.0;
            for point in points {
                let (start, end) = (at(sum), at(sum + point.y));
                sum += point.y;
                self.marks.push(Mark::Bar {
                    x: start,
                    y: self.height,
                    width: (end - start).max(0.5),
                    height: BAR,
                    class: "chart-bar chart-part",
                    series: point.series,
                    tip: chart.tip(point),
                });
            }
            self.height += BAR + GAP;
        }
        // Lines behind the bars.
        let lines = ticks.iter().map(|(value, _)| Mark::Line {
            from: (at(*value), top),
            to: (at(*value), self.height),
            class: if value.abs() < f64::EPSILON { "chart-axis" } else { "chart-grid" },
        });
        self.marks.splice(grid..grid, lines.collect::<Vec<_>>());
    }

    /// Width of the labels of categories beside their bars.
    fn label_width(&self, chart: &Chart) -> f64 {
        let labels = chart.points.iter().map(|point| width(&point.label)).fold(0.0, f64::max);
        labels.max(width(&chart.x_title)).min(self.width * 0.4) + GAP
    }

    /// The label of a category, above or beside its first bar.
    fn category(&mut self, label: &str, labels: f64, thickness: f64) {
        let is_narrow = self.width < NARROW;
        let label = shortened(label, if is_narrow { self.width } else { labels - GAP });
        let baseline = if is_narrow { BASELINE } else { thickness / 2.0 + 4.5 };
        self.text(0.0, self.height + baseline, Anchor::Start, "chart-text", label);
        if is_narrow {
            self.height += LINE;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::view_model::chart::{Chart, ChartKind, Point};
    use crate::view_model::chart_drawing::{Drawing, Mark};

    /// Category, series and value of each point.
    fn chart(kind: ChartKind, values: &[(&str, usize, f64)]) -> Chart {
        let point = |(label, series, y): &(&str, usize, f64)| Point {
            stored: String::new(),
            label: (*label).to_owned(),
            series: *series,
            x: 0.0,
            y: *y,
            shown: y.to_string(),
        };
        Chart {
            kind,
            series: vec!["open".into(), "paid".into()],
            points: values.iter().map(point).collect(),
            ..Chart::default()
        }
    }

    /// Position, line and width of each bar, without the legend.
    fn bars(chart: &Chart) -> Vec<(f64, f64, f64)> {
        let drawing = Drawing::of(chart, "A title", 800.0);
        let bar = |mark: &Mark| match mark {
            Mark::Bar { x, y, width, tip, .. } if !tip.is_empty() => Some((*x, *y, *width)),
            _ => None,
        };
        drawing.marks.iter().filter_map(bar).collect()
    }

    #[test]
    fn parts_of_a_bar_follow_each_other_in_the_order_of_the_series() {
        let values = [("a", 1, 30.0), ("a", 0, 10.0), ("b", 1, 20.0)];
        let bars = bars(&chart(ChartKind::Stacked, &values));
        assert!((bars[0].2 * 3.0 - bars[1].2).abs() < 1e-6, "{bars:?}");
        assert!((bars[0].0 + bars[0].2 - bars[1].0).abs() < 1e-6, "{bars:?}");
        assert!((bars[0].1 - bars[1].1).abs() < 1e-6 && bars[2].1 > bars[1].1, "{bars:?}");
        assert!((bars[2].0 - bars[0].0).abs() < 1e-6, "{bars:?}");
    }

    #[test]
    fn bars_of_a_category_are_below_each_other_and_start_at_zero() {
        let bars = bars(&chart(ChartKind::Grouped, &[("a", 0, -10.0), ("a", 1, 20.0)]));
        assert!((bars[0].0 + bars[0].2 - bars[1].0).abs() < 1e-6, "{bars:?}");
        assert!((bars[0].2 * 2.0 - bars[1].2).abs() < 1e-6, "{bars:?}");
        assert!(bars[1].1 > bars[0].1, "{bars:?}");
    }

    #[test]
    fn the_tooltip_names_category_series_and_value() {
        let drawing = Drawing::of(&chart(ChartKind::Stacked, &[("a", 1, 30.0)]), "", 400.0);
        let has = |mark: &Mark| matches!(mark, Mark::Bar { tip, .. } if tip == "a, paid: 30");
        assert!(drawing.marks.iter().any(has));
    }
}
