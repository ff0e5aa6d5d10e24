//! What a chart says in words.

use super::chart::{Chart, ChartKind, Point};

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
    let extremes = format!(
        "highest at {} ({}), lowest at {} ({})",
        most.shown,
        place(most),
        least.shown,
        place(least)
    );
    let extremes = if least.y < most.y { extremes } else { format!("all at {}", most.shown) };
    let count = points.len();
    let (first, last) = (&points[0].label, &points[count - 1].label);
    let categories = chart.categories().len();
    let series = (chart.series.len(), chart.series.join(", "));
    let said = match chart.kind {
        ChartKind::Bars => format!("Bar chart of {shown}: {count} bars, {extremes}"),
        ChartKind::Whole => format!("Bar chart of {shown}: {count} parts of 100%, {extremes}"),
        ChartKind::Scatter => format!("Scatter plot of {shown}: {count} dots, {extremes}"),
        ChartKind::Line if chart.series.is_empty() => {
            format!("Line chart of {shown}: {count} points from {first} to {last}, {extremes}")
        }
        ChartKind::Line => {
            let (lines, names) = series;
            format!(
                "Line chart of {shown}: {lines} lines ({names}) from {first} to {last}, {extremes}"
            )
        }
        ChartKind::Grouped => {
            let (bars, names) = series;
            format!(
                "Bar chart of {shown}: {categories} groups of up to {bars} bars ({names}), {extremes}"
            )
        }
        ChartKind::Stacked => {
            let (parts, names) = series;
            format!(
                "Stacked bar chart of {shown}: {categories} bars of up to {parts} parts ({names}), {extremes}"
            )
        }
    };
    match left_out {
        0 => format!("{said}."),
        1 => format!("{said}; 1 row without a number is left out."),
        rows => format!("{said}; {rows} rows without a number are left out."),
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
