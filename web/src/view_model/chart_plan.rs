//! Charts that are to be made of the columns of a result.

use wherefore_engine::session::{Cell, ResultSet};
use wherefore_english::{capitalised, list};

use super::cell_text::CellText;
use super::chart::{Chart, ChartKind, Point, Wording};
use super::chart_words::{lower_first, summary};
use super::column_format::{ColumnFormat, ColumnKind, decimal_text};
use super::order::{by_value, count_distinct, sorted};
use crate::texts;

/// Number of categories, and of bars, that a chart can show.
const POINTS: std::ops::RangeInclusive<usize> = 2..=60;
/// Number of series that can be told apart.
pub(super) const SERIES: std::ops::RangeInclusive<usize> = 2..=8;

/// Columns by their part in a chart.
pub(super) struct Roles<'a> {
    pub(super) result: &'a ResultSet,
    pub(super) formats: &'a [ColumnFormat],
    /// Columns that name a group.
    pub(super) names: Vec<usize>,
    /// Columns of quantities.
    pub(super) measures: Vec<usize>,
}

/// What the series of a chart are.
pub(super) enum Series {
    /// The values of a column.
    Column(usize),
    /// Several measures.
    Measures,
    /// There is only one.
    One,
}

/// A chart to be made.
pub(super) struct Plan {
    pub(super) kind: ChartKind,
    /// Columns whose values make the label of a category.
    pub(super) categories: Vec<usize>,
    /// Column of the measure; of several, the first.
    pub(super) measure: usize,
    pub(super) series: Series,
}

impl Plan {
    /// The chart; `None` if the points do not suit its kind.
    pub(super) fn chart(&self, roles: &Roles<'_>, wording: &Wording) -> Option<Chart> {
        let (series_title, series) = self.series(roles, wording);
        let mut points = self.points(roles, &series);
        if self.kind != ChartKind::Scatter {
            points = sorted(points, |left, right| left.x.total_cmp(&right.x));
        }
        if self.has_own_bars() && !wording.is_order_asked {
            points = by_value(points);
        }
        if !self.is_sensible(roles, &points, series.len()) {
            return None;
        }
        let formats = roles.formats;
        let columns = || self.grouping().map(|at| lower_first(&formats[at].title)).collect();
        let groups: Vec<String> =
            if wording.groups.is_empty() { columns() } else { wording.groups.clone() };
        let groups = groups.join(&format!(" {} ", texts::and()));
        let (x, y) = (&formats[roles.measures[0]], &formats[self.measure]);
        let categories = match self.series {
            Series::Column(_) => group_title(self.categories[0], roles, wording),
            _ => capitalised(&groups),
        };
        let (x_title, title, measures) = match (self.kind, &self.series) {
            (ChartKind::Scatter, _) => {
                let both = |y: &str, x: &str| list(&[y.to_owned(), lower_first(x)], texts::and());
                let title = texts::by_groups(&both(&y.title, &x.title), &groups);
                (x.label(), title, both(&y.label(), &x.label()))
            }
            (_, Series::Measures) => {
                let names: Vec<String> = series.iter().map(|name| lower_first(name)).collect();
                let names = capitalised(&list(&names, texts::and()));
                (categories, texts::by_groups(&names, &groups), names)
            }
            _ => (categories, texts::by_groups(&y.title, &groups), y.label()),
        };
        let y_title = match self.series {
            Series::Measures => y.unit.clone().unwrap_or_default(),
            _ => y.label(),
        };
        let fetched = roles.result.rows.len() * self.figures(roles);
        let name = self.name(roles, &y.title);
        let mut chart = Chart {
            kind: self.kind,
            name,
            heading: wording.heading.clone().unwrap_or_else(|| title.clone()),
            title,
            x_title,
            y_title,
            series_title,
            series,
            points,
            summary: String::new(),
        };
        let left_out = fetched - chart.points.len();
        chart.summary = summary(&chart, &texts::by_groups(&measures, &groups), left_out);
        Some(chart)
    }

    /// Whether each category has one bar.
    fn has_own_bars(&self) -> bool {
        matches!(self.kind, ChartKind::Bars | ChartKind::Whole)
            && matches!(self.series, Series::One)
    }

    /// Name in the list of charts; it says of which measure, if there are several.
    fn name(&self, roles: &Roles<'_>, measure: &str) -> String {
        let name = match (self.kind, &self.series) {
            (ChartKind::Line, Series::Column(_) | Series::Measures) => texts::lines(),
            (kind, _) => kind.name(),
        };
        let is_one = matches!(self.kind, ChartKind::Bars | ChartKind::Line)
            && matches!(self.series, Series::One);
        if is_one && roles.measures.len() > 1 {
            return texts::chart_of(name, &lower_first(measure));
        }
        name.to_owned()
    }

    /// Columns that name the groups.
    fn grouping(&self) -> impl Iterator<Item = usize> + '_ {
        let series = match self.series {
            Series::Column(at) => Some(at),
            _ => None,
        };
        self.categories.iter().copied().chain(series)
    }

    /// Number of figures that a row has in the chart.
    fn figures(&self, roles: &Roles<'_>) -> usize {
        if matches!(self.series, Series::Measures) { roles.measures.len() } else { 1 }
    }

    /// Title and names of the series.
    fn series(&self, roles: &Roles<'_>, wording: &Wording) -> (String, Vec<String>) {
        match self.series {
            Series::One => (String::new(), Vec::new()),
            Series::Measures => {
                let names = roles.measures.iter().map(|at| roles.formats[*at].title.clone());
                (texts::measure().to_owned(), names.collect())
            }
            Series::Column(at) => {
                let format = &roles.formats[at];
                let mut names: Vec<String> = Vec::new();
                for row in &roles.result.rows {
                    let name = shown(&row[at], format);
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                (group_title(at, roles, wording), names)
            }
        }
    }

    /// Points of all figures that are numbers.
    fn points(&self, roles: &Roles<'_>, series: &[String]) -> Vec<Point> {
        let Roles { result, formats, .. } = roles;
        let periods = match self.categories.as_slice() {
            [only] => roles.positions(*only),
            _ => None,
        };
        let is_person = self.categories.iter().any(|at| formats[*at].title.ends_with("irst name"));
        let mut labels: Vec<String> = Vec::new();
        let mut points = Vec::new();
        for (index, row) in result.rows.iter().enumerate() {
            let names: Vec<_> =
                self.categories.iter().map(|at| shown(&row[*at], &formats[*at])).collect();
            let between = if is_person { " " } else { ", " };
            let label = names.join(between);
            let stored = self.categories.iter().map(|at| stored(&row[*at], &formats[*at]));
            let stored = stored.collect::<Vec<_>>().join(between);
            let place = labels.iter().position(|known| *known == label).unwrap_or_else(|| {
                labels.push(label.clone());
                labels.len() - 1
            });
            let x = match (self.kind, &periods) {
                (ChartKind::Scatter, _) => number(&row[roles.measures[0]]),
                (_, Some(periods)) => Some(periods[index]),
                (_, None) => Some(place as f64),
            };
            let figures = match self.series {
                Series::Measures => roles.measures.iter().copied().enumerate().collect(),
                Series::One => vec![(0, self.measure)],
                Series::Column(at) => {
                    let name = shown(&row[at], &formats[at]);
                    let series = series.iter().position(|known| *known == name);
                    vec![(series.unwrap_or(0), self.measure)]
                }
            };
            for (series, at) in figures {
                if let (Some(x), Some(y)) = (x, number(&row[at])) {
                    let shown = shown(&row[at], &formats[at]);
                    let (label, stored) = (label.clone(), stored.clone());
                    points.push(Point { label, stored, series, x, y, shown });
                }
            }
        }
        points
    }

    fn is_sensible(&self, roles: &Roles<'_>, points: &[Point], series: usize) -> bool {
        let places: Vec<(usize, &str)> =
            points.iter().map(|point| (point.series, point.label.as_str())).collect();
        let is_distinct = count_distinct(&places) == places.len();
        let labels: Vec<&str> = places.iter().map(|(_, label)| *label).collect();
        let all = |fits: fn(f64) -> bool| points.iter().all(|point| fits(point.y));
        let fits_kind = match self.kind {
            ChartKind::Whole => all(|y| (0.0..=100.0).contains(&y)),
            ChartKind::Stacked => all(|y| y >= 0.0) && roles.is_additive(self.measure),
            ChartKind::Grouped => POINTS.contains(&points.len()),
            _ => true,
        };
        let has_series = series == 0 || SERIES.contains(&series);
        is_distinct && fits_kind && has_series && POINTS.contains(&count_distinct(&labels))
    }
}

/// Title of a column that names groups: the words for the group where they are known, as columns are often just "Name".
fn group_title(column: usize, roles: &Roles<'_>, wording: &Wording) -> String {
    let title = |at: usize| &roles.formats[at].title;
    let mut names = roles.names.iter();
    let place = names.position(|at| *at == column);
    let group = place.and_then(|place| wording.groups.get(place));
    let known = group.filter(|group| {
        wording.groups.len() == roles.names.len()
            && !roles.names.iter().any(|at| *at != column && lower_first(title(*at)) == **group)
    });
    known.map_or_else(|| title(column).clone(), |group| capitalised(group))
}

fn number(cell: &Cell) -> Option<f64> {
    let value: f64 = decimal_text(cell)?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// A value as it is stored, for periods.
pub(super) fn exact(cell: &Cell) -> String {
    match cell {
        Cell::Boolean(value) => value.to_string(),
        cell => decimal_text(cell).unwrap_or_default(),
    }
}

/// A value in a file of data.
fn stored(cell: &Cell, format: &ColumnFormat) -> String {
    match (cell, format.kind) {
        (Cell::Text(text), ColumnKind::Moment(_)) => text.clone(),
        _ => shown(cell, format),
    }
}

/// A value as it is displayed in the table.
pub(super) fn shown(cell: &Cell, format: &ColumnFormat) -> String {
    match CellText::of(cell, format) {
        CellText::Empty => texts::empty().to_owned(),
        CellText::Null => "NULL".to_owned(),
        CellText::Text { shown, .. } => shown,
    }
}
