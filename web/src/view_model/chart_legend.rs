//! The legend of a chart with several series.

use super::chart::{Chart, ChartKind};
use super::chart_drawing::{Anchor, BASELINE, Drawing, GAP, LINE, Mark, shortened, width};

/// Width of the sample of a series.
const SAMPLE: f64 = 22.0;
/// Distance between a sample and its name.
const SAMPLE_GAP: f64 = 6.0;

impl Drawing {
    /// The title of the series, and a sample and the name of each, in as many lines as they need.
    pub(super) fn legend(&mut self, chart: &Chart) {
        let mut x = 0.0;
        if !chart.series_title.is_empty() {
            let title = shortened(&format!("{}:", chart.series_title), self.width / 2.0);
            x = width(&title) + GAP;
            self.text(0.0, self.height + BASELINE, Anchor::Start, "chart-muted", title);
        }
        for (series, name) in chart.series.iter().enumerate() {
            let name = shortened(name, self.width - SAMPLE - SAMPLE_GAP);
            let wide = SAMPLE + SAMPLE_GAP + width(&name);
            if x > 0.0 && x + wide > self.width {
                x = 0.0;
                self.height += LINE;
            }
            self.sample(chart.kind, series, x);
            let at = x + SAMPLE + SAMPLE_GAP;
            self.text(at, self.height + BASELINE, Anchor::Start, "chart-text", name);
            x += wide + 2.0 * GAP;
        }
        self.height += LINE + GAP;
    }

    fn sample(&mut self, kind: ChartKind, series: usize, x: f64) {
        let middle = self.height + BASELINE - 4.5;
        if kind == ChartKind::Line {
            self.marks.push(Mark::Path { points: vec![(x, middle), (x + SAMPLE, middle)], series });
            let (x, tip) = (x + SAMPLE / 2.0, String::new());
            self.marks.push(Mark::Dot { x, y: middle, radius: 3.5, series, tip });
        } else {
            self.marks.push(Mark::Bar {
                x,
                y: middle - 6.0,
                width: SAMPLE,
                height: 12.0,
                class: "chart-bar",
                series,
                tip: String::new(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::view_model::chart::{Chart, ChartKind, Point};
    use crate::view_model::chart_drawing::{Drawing, Mark};

    #[test]
    fn each_series_has_a_sample_of_its_own_form_and_its_name() {
        for kind in [ChartKind::Grouped, ChartKind::Line, ChartKind::Stacked] {
            let points = [0, 1, 2].map(|series| Point { series, y: 1.0, ..Point::default() });
            let chart = Chart {
                kind,
                series_title: "Status".into(),
                series: vec!["open".into(), "paid".into(), "a".repeat(200)],
                points: points.into(),
                ..Chart::default()
            };
            let drawing = Drawing::of(&chart, "A title", 280.0);
            for wanted in ["Status:", "open", "paid"] {
                let has = |mark: &Mark| matches!(mark, Mark::Text { text, .. } if text == wanted);
                assert!(drawing.marks.iter().any(has), "{kind:?} {wanted}");
            }
            for wanted in 0..3 {
                let is_sample = |mark: &Mark| match mark {
                    Mark::Dot { series, tip, .. } | Mark::Bar { series, tip, .. } => {
                        *series == wanted && tip.is_empty()
                    }
                    _ => false,
                };
                assert!(drawing.marks.iter().any(is_sample), "{kind:?} {wanted}");
            }
        }
    }
}
