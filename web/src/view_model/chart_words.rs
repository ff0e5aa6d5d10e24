//! What a chart says in words.

use super::chart::{Chart, ChartKind, Point};
use crate::texts;

/// One sentence with the kind of the chart, what it shows, and the largest and the smallest measure.
pub(super) fn summary(chart: &Chart, shown: &str, left_out: usize) -> String {
    let points = &chart.points;
    let by_measure = |left: &&Point, right: &&Point| left.y.total_cmp(&right.y);
    // Of several equal points, the first in both cases.
    let least = points.iter().min_by(by_measure);
    let most = points.iter().rev().max_by(by_measure);
    let (Some(least), Some(most)) = (least, most) else { return String::new() };
    let shown = lower_first(shown);
    let place = |point: &Point| match chart.series.get(point.series) {
        Some(series) => format!("{}, {series}", point.label),
        None => point.label.clone(),
    };
    let extremes = if least.y < most.y {
        texts::extremes(&most.shown, &place(most), &least.shown, &place(least))
    } else {
        texts::all_at(&most.shown)
    };
    let (first, last) = (&points[0].label, &points[points.len() - 1].label);
    let count = points.len().to_string();
    let categories = chart.categories().len().to_string();
    let (series, names) = (chart.series.len().to_string(), chart.series.join(", "));
    let said = match chart.kind {
        ChartKind::Bars => texts::said_bars(&shown, &count, &extremes),
        ChartKind::Whole => texts::said_whole(&shown, &count, &extremes),
        ChartKind::Scatter => texts::said_scatter(&shown, &count, &extremes),
        ChartKind::Line if chart.series.is_empty() => {
            texts::said_line(&shown, &count, first, last, &extremes)
        }
        ChartKind::Line => texts::said_lines(&shown, &series, &names, first, last, &extremes),
        ChartKind::Grouped => texts::said_grouped(&shown, &categories, &series, &names, &extremes),
        ChartKind::Stacked => texts::said_stacked(&shown, &categories, &series, &names, &extremes),
    };
    match left_out {
        0 => format!("{said}."),
        rows => texts::rows_left_out(&said, rows),
    }
}

/// A title inside a sentence; initialisms keep their capitals.
pub(super) fn lower_first(title: &str) -> String {
    let mut characters = title.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(_), Some(second)) if second.is_uppercase() => title.to_owned(),
        (Some(first), _) => first.to_lowercase().chain(characters).collect(),
        (None, _) => String::new(),
    }
}
