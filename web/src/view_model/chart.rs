//! Charts as plain data: kind, titles, series and points.

use wherefore_engine::ClauseKind;
use wherefore_english::capitalised;

use super::locale::Locale;
use super::sql_tokens::reads_groups;
use crate::engine_client::View;
use crate::texts;

/// Kind of a chart.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ChartKind {
    /// A bar for each category.
    #[default]
    Bars,
    /// For each category, a bar for each series.
    Grouped,
    /// A line over periods for each series, in ascending order.
    Line,
    /// A dot for each category at two measures.
    Scatter,
    /// For each category, a bar that is divided by series.
    Stacked,
    /// A bar for each category as a part of 100 %.
    Whole,
}

impl ChartKind {
    /// Name in the list of kinds.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bars => texts::bars(),
            Self::Grouped => texts::grouped_bars(),
            Self::Line => texts::line(),
            Self::Scatter => texts::scatter_plot(),
            Self::Stacked => texts::stacked_bars(),
            Self::Whole => texts::parts_of_whole(),
        }
    }
}

/// A point of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Category or period, as displayed in the table.
    pub label: String,
    /// The same in files of data: dates as they are stored.
    pub stored: String,
    /// Index of the series.
    pub series: usize,
    /// Position on the horizontal axis of lines and scatter plots; order of the categories of bars.
    pub x: f64,
    /// The measure.
    pub y: f64,
    /// The measure as displayed in the table.
    pub shown: String,
}

/// Words of a view that name a chart better than the names of columns.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Wording {
    /// The reading of the question, for a chart without the page around it.
    pub heading: Option<String>,
    /// What the rows are groups of, such as `customer`.
    pub groups: Vec<String>,
    /// Whether the question asks for the order of the rows.
    pub is_order_asked: bool,
}

impl Wording {
    /// Words of a view whose statement was composed.
    pub fn of(view: &View) -> Self {
        let of = |kind: ClauseKind| {
            view.understanding.account.clauses.iter().filter(move |clause| clause.kind == kind)
        };
        // Where figures of groups are averaged, the words name those groups, too, which are no rows of the result.
        let is_nested = view.sql.as_deref().is_some_and(reads_groups);
        let groups = of(ClauseKind::Group).filter(|_| !is_nested);
        let groups = groups.filter_map(|clause| clause.text.strip_prefix("for each "));
        let is_order_asked = of(ClauseKind::Order).any(|clause| clause.default.is_none());
        let heading = view.confirmation.as_deref().map(|said| said.trim_end_matches('.'));
        let groups = groups.map(str::to_owned).collect();
        Self { heading: heading.map(capitalised), groups, is_order_asked }
    }
}

/// A chart of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Kind.
    pub kind: ChartKind,
    /// Name in the list of charts that fit the result.
    pub name: String,
    /// Title on the page, such as `Number of orders by status`.
    pub title: String,
    /// Title in a file, which names the conditions, too.
    pub heading: String,
    /// Title of the categories, the periods, or the horizontal axis.
    pub x_title: String,
    /// Title of the measure.
    pub y_title: String,
    /// Title of the series.
    pub series_title: String,
    /// Names of the series; empty if there is only one.
    pub series: Vec<String>,
    /// Points, in drawing order.
    pub points: Vec<Point>,
    /// The content in one sentence.
    pub summary: String,
}

impl Chart {
    /// The categories in drawing order, each with its points.
    pub fn categories(&self) -> Vec<(&str, Vec<&Point>)> {
        let mut categories: Vec<(&str, Vec<&Point>)> = Vec::new();
        for point in &self.points {
            match categories.iter_mut().find(|(label, _)| *label == point.label) {
                Some((_, points)) => points.push(point),
                None => categories.push((&point.label, vec![point])),
            }
        }
        for (_, points) in &mut categories {
            points.sort_by_key(|point| point.series);
        }
        categories
    }

    /// What stands behind the figures of an axis: the sign of percentages, if they are some.
    pub(super) fn tick_suffix(&self) -> String {
        let is_percent = self.points.first().is_some_and(|point| point.shown.ends_with('%'));
        Locale::with(|locale| if is_percent { locale.percent.clone() } else { String::new() })
    }

    /// A point in words, such as `2025-03, open: 12`.
    pub fn tip(&self, point: &Point) -> String {
        match self.series.get(point.series) {
            Some(series) => format!("{}, {series}: {}", point.label, point.shown),
            None => format!("{}: {}", point.label, point.shown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Wording;
    use crate::engine_client::View;
    use wherefore_engine::{Clause, ClauseKind};

    #[test]
    fn groups_whose_figures_are_averaged_name_no_axis() {
        let text = "for each order".to_owned();
        let group = Clause { kind: ClauseKind::Group, text, spans: Vec::new(), default: None };
        let mut view = View::default();
        view.understanding.account.clauses = vec![group];
        view.sql = Some("SELECT c, count(*) FROM orders GROUP BY c".to_owned());
        assert_eq!(Wording::of(&view).groups, ["order"]);
        view.sql = Some("SELECT c, avg(v) FROM (SELECT c, v FROM o) AS x GROUP BY c".to_owned());
        assert!(Wording::of(&view).groups.is_empty());
    }
}
