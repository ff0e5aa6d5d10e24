//! Which chart suits a result, and what it says in words.

use wherefore_engine::ClauseKind;
use wherefore_engine::session::{Cell, ResultSet, View};
use wherefore_english::capitalised;

use super::cell_text::CellText;
use super::column_format::{ColumnFormat, ColumnKind, decimal_text};
use super::periods::positions;
use super::sql_tokens::{SqlTokenKind, tokenize};

/// Number of points that a chart can show.
const POINTS: std::ops::RangeInclusive<usize> = 2..=60;

/// Kind of a chart.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ChartKind {
    /// A bar for each category, in the order of the rows.
    Bars,
    /// A line over periods, in ascending order.
    Line,
    /// A dot for each category at two measures.
    Scatter,
    /// A bar for each category as a part of 100 %.
    Whole,
}

/// A point of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Category or period.
    pub label: String,
    /// Position on the horizontal axis of lines and scatter plots.
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
}

impl Wording {
    /// Words of a view whose statement was composed.
    pub fn of(view: &View) -> Self {
        let clauses = view.understanding.account.clauses.iter();
        let groups = clauses.filter(|clause| clause.kind == ClauseKind::Group);
        let groups = groups.filter_map(|clause| clause.text.strip_prefix("for each "));
        let heading = view.confirmation.as_deref().map(|said| said.trim_end_matches('.'));
        Self { heading: heading.map(capitalised), groups: groups.map(str::to_owned).collect() }
    }
}

/// A chart of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Kind.
    pub kind: ChartKind,
    /// Title on the page, such as `Number of orders by status`.
    pub title: String,
    /// Title in a file, which names the conditions, too.
    pub heading: String,
    /// Title of the categories, the periods, or the horizontal axis.
    pub x_title: String,
    /// Title of the measure.
    pub y_title: String,
    /// Points, in drawing order.
    pub points: Vec<Point>,
    /// The content in one sentence.
    pub summary: String,
}

impl Chart {
    /// The chart that suits a result; `None` if the table alone says more.
    pub fn suggest(
        result: &ResultSet,
        formats: &[ColumnFormat],
        sql: &str,
        wording: &Wording,
    ) -> Option<Self> {
        if result.truncated || result.cut_count > 0 || !is_grouped(sql) {
            return None;
        }
        let roles = Roles::of(result, formats);
        let kind = roles.kind(formats)?;
        let mut points = roles.points(kind, result, formats);
        if kind == ChartKind::Line {
            points.sort_by(|left, right| left.x.total_cmp(&right.x));
        }
        let is_sensible = POINTS.contains(&points.len()) && has_distinct_labels(&points);
        let is_part = |point: &Point| (0.0..=100.0).contains(&point.y);
        if !is_sensible || kind == ChartKind::Whole && !points.iter().all(is_part) {
            return None;
        }
        let columns = || roles.names.iter().map(|at| lower_first(&formats[*at].title)).collect();
        let groups: Vec<String> =
            if wording.groups.is_empty() { columns() } else { wording.groups.clone() };
        let groups = groups.join(" and ");
        let y = &formats[roles.y(kind)?];
        let x = &formats[*roles.measures.first()?];
        let (x_title, title, measures) = match kind {
            ChartKind::Scatter => {
                let title = format!("{} and {} by {groups}", y.title, lower_first(&x.title));
                (x.label(), title, format!("{} and {}", y.label(), lower_first(&x.label())))
            }
            _ => (capitalised(&groups), format!("{} by {groups}", y.title), y.label()),
        };
        let left_out = result.rows.len() - points.len();
        let summary = summary(kind, &format!("{measures} by {groups}"), &points, left_out);
        let heading = wording.heading.clone().unwrap_or_else(|| title.clone());
        Some(Self { kind, title, heading, x_title, y_title: y.label(), points, summary })
    }
}

/// Indices of the columns by their part in a chart.
struct Roles {
    /// Columns that name a group.
    names: Vec<usize>,
    /// Columns of quantities.
    measures: Vec<usize>,
    /// Positions of the groups, if their only column holds periods.
    periods: Option<Vec<f64>>,
}

impl Roles {
    fn of(result: &ResultSet, formats: &[ColumnFormat]) -> Self {
        let is_measure = |at: &usize| matches!(formats[*at].kind, ColumnKind::Quantity { .. });
        let (measures, mut names): (Vec<usize>, Vec<usize>) =
            (0..formats.len()).partition(is_measure);
        // A key says nothing to a person where there is a name.
        let is_code = |at: &usize| formats[*at].kind == ColumnKind::Code;
        if !names.iter().all(is_code) {
            names.retain(|at| !is_code(at));
        }
        let periods = match names.as_slice() {
            [only] => {
                let texts: Vec<String> = result.rows.iter().map(|row| exact(&row[*only])).collect();
                positions(texts.iter().map(String::as_str))
            }
            _ => None,
        };
        Self { names, measures, periods }
    }

    /// The rules: periods give a line, shares parts of a whole, one measure bars, two measures a scatter plot.
    fn kind(&self, formats: &[ColumnFormat]) -> Option<ChartKind> {
        let is_share = |at: usize| {
            formats[at].is_percent() && formats[at].name.to_lowercase().contains("share")
        };
        match (self.names.as_slice(), self.measures.as_slice(), &self.periods) {
            ([], _, _) => None,
            (_, [_], Some(_)) => Some(ChartKind::Line),
            // Growth beside its figure is of another unit.
            (_, [_, growth], Some(_)) if formats[*growth].is_percent() => Some(ChartKind::Line),
            (_, [measure], None) if is_share(*measure) => Some(ChartKind::Whole),
            (_, [_], None) => Some(ChartKind::Bars),
            (_, [_, _], None) => Some(ChartKind::Scatter),
            _ => None,
        }
    }

    /// Column of the vertical axis.
    fn y(&self, kind: ChartKind) -> Option<usize> {
        let y =
            if kind == ChartKind::Scatter { self.measures.last() } else { self.measures.first() };
        y.copied()
    }

    /// Points of all rows whose measures are numbers.
    fn points(&self, kind: ChartKind, result: &ResultSet, formats: &[ColumnFormat]) -> Vec<Point> {
        let rows = result.rows.iter().enumerate();
        let point = |(index, row): (usize, &Vec<Cell>)| {
            let at = self.y(kind)?;
            let y = number(&row[at])?;
            let x = match kind {
                ChartKind::Scatter => number(&row[*self.measures.first()?])?,
                _ => self.periods.as_ref().map_or(index as f64, |periods| periods[index]),
            };
            let names = self.names.iter().map(|at| shown(&row[*at], &formats[*at]));
            let is_person = self.names.iter().any(|at| formats[*at].title.ends_with("irst name"));
            let label = names.collect::<Vec<_>>().join(if is_person { " " } else { ", " });
            Some(Point { label, x, y, shown: shown(&row[at], &formats[at]) })
        };
        rows.filter_map(point).collect()
    }
}

/// Whether the rows of a statement are groups: it has `GROUP BY` outside parentheses.
fn is_grouped(sql: &str) -> bool {
    let mut depth = 0_i32;
    for (kind, text) in tokenize(sql) {
        match kind {
            SqlTokenKind::Symbol if text == "(" => depth += 1,
            SqlTokenKind::Symbol if text == ")" => depth -= 1,
            SqlTokenKind::Keyword if depth == 0 && text.eq_ignore_ascii_case("group") => {
                return true;
            }
            _ => {}
        }
    }
    false
}

fn has_distinct_labels(points: &[Point]) -> bool {
    let mut labels: Vec<&str> = points.iter().map(|point| point.label.as_str()).collect();
    labels.sort_unstable();
    labels.windows(2).all(|pair| pair[0] != pair[1])
}

fn number(cell: &Cell) -> Option<f64> {
    let value: f64 = decimal_text(cell)?.parse().ok()?;
    value.is_finite().then_some(value)
}

fn exact(cell: &Cell) -> String {
    match cell {
        Cell::Boolean(value) => value.to_string(),
        cell => decimal_text(cell).unwrap_or_default(),
    }
}

fn shown(cell: &Cell, format: &ColumnFormat) -> String {
    match CellText::of(cell, format) {
        CellText::Empty => "empty".to_owned(),
        CellText::Null => "NULL".to_owned(),
        CellText::Text { shown, .. } => shown,
    }
}

/// A title inside a sentence; initialisms keep their capitals.
fn lower_first(title: &str) -> String {
    let mut characters = title.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(_), Some(second)) if second.is_uppercase() => title.to_owned(),
        (Some(first), _) => first.to_lowercase().chain(characters).collect(),
        (None, _) => String::new(),
    }
}

/// One sentence with the kind of the chart, what it shows, and the largest and the smallest measure.
fn summary(kind: ChartKind, shown: &str, points: &[Point], left_out: usize) -> String {
    let count = points.len();
    let by_measure = |left: &&Point, right: &&Point| left.y.total_cmp(&right.y);
    // Of several equal points, the first in both cases.
    let least = points.iter().min_by(by_measure);
    let most = points.iter().rev().max_by(by_measure);
    let (Some(least), Some(most)) = (least, most) else { return String::new() };
    let shown = lower_first(shown);
    let extremes = format!(
        "highest at {} ({}), lowest at {} ({})",
        most.shown, most.label, least.shown, least.label
    );
    let extremes = if least.y < most.y { extremes } else { format!("all at {}", most.shown) };
    let said = match kind {
        ChartKind::Bars => format!("Bar chart of {shown}: {count} bars, {extremes}"),
        ChartKind::Whole => format!("Bar chart of {shown}: {count} parts of 100%, {extremes}"),
        ChartKind::Scatter => format!("Scatter plot of {shown}: {count} dots, {extremes}"),
        ChartKind::Line => {
            let (first, last) = (&points[0].label, &points[count - 1].label);
            format!("Line chart of {shown}: {count} points from {first} to {last}, {extremes}")
        }
    };
    match left_out {
        0 => format!("{said}."),
        1 => format!("{said}; 1 row without a number is left out."),
        rows => format!("{said}; {rows} rows without a number are left out."),
    }
}

#[cfg(test)]
mod tests {
    use super::{Chart, ChartKind, Wording};
    use crate::view_model::column_format::formats_of;
    use wherefore_engine::catalog::{Catalog, DataType};
    use wherefore_engine::session::{Cell, ResultColumn, ResultSet};

    const GROUPED: &str = "SELECT a, count(*) FROM t GROUP BY a";

    fn result(columns: &[(&str, DataType)], rows: Vec<Vec<Cell>>) -> ResultSet {
        let columns = columns.iter();
        let columns = columns
            .map(|(name, data_type)| ResultColumn { name: (*name).into(), data_type: *data_type });
        ResultSet { columns: columns.collect(), rows, ..ResultSet::default() }
    }

    fn text(text: &str) -> Cell {
        Cell::Text(text.into())
    }

    /// Two columns: a group, and a number.
    fn grouped(measure: &str, rows: &[(&str, f64)]) -> ResultSet {
        let rows = rows.iter().map(|(group, number)| vec![text(group), Cell::Number(*number)]);
        result(&[("group", DataType::Text), (measure, DataType::Number)], rows.collect())
    }

    fn suggest(result: &ResultSet, sql: &str) -> Option<Chart> {
        let formats = formats_of(result, sql, &Catalog::default());
        Chart::suggest(result, &formats, sql, &Wording::default())
    }

    fn kind(result: &ResultSet) -> Option<ChartKind> {
        suggest(result, GROUPED).map(|chart| chart.kind)
    }

    #[test]
    fn each_shape_of_a_result_has_its_kind_of_chart() {
        let rows = [("a", 1.0), ("b", 2.0)];
        assert_eq!(kind(&grouped("total", &rows)), Some(ChartKind::Bars));
        assert_eq!(kind(&grouped("share_percent", &rows)), Some(ChartKind::Whole));
        assert_eq!(kind(&grouped("growth_percent", &rows)), Some(ChartKind::Bars));
        let months = [("2025-01", 1.0), ("2025-02", 2.0)];
        assert_eq!(kind(&grouped("total", &months)), Some(ChartKind::Line));
        assert_eq!(kind(&grouped("share_percent", &months)), Some(ChartKind::Line));
        let columns =
            [("name", DataType::Text), ("orders", DataType::Integer), ("total", DataType::Number)];
        let row = |name| vec![text(name), Cell::Integer(1), Cell::Number(2.0)];
        assert_eq!(kind(&result(&columns, vec![row("a"), row("b")])), Some(ChartKind::Scatter));
    }

    #[test]
    fn years_as_numbers_are_periods() {
        let columns = [("year", DataType::Integer), ("total", DataType::Number)];
        let row = |year| vec![Cell::Integer(year), Cell::Number(2.0)];
        assert_eq!(kind(&result(&columns, vec![row(2024), row(2025)])), Some(ChartKind::Line));
    }

    #[test]
    fn raw_rows_have_no_chart() {
        let rows = grouped("total", &[("a", 1.0), ("b", 2.0)]);
        for sql in [
            "SELECT a, b FROM t",
            "SELECT a, b FROM t WHERE a IN (SELECT a FROM u GROUP BY a)",
            "SELECT a, 'group by' FROM t",
        ] {
            assert_eq!(suggest(&rows, sql), None, "{sql}");
        }
    }

    #[test]
    fn one_point_and_more_than_sixty_have_no_chart() {
        let names: Vec<String> = (0..61).map(|index| index.to_string()).collect();
        let rows: Vec<_> = names.iter().map(|name| (name.as_str(), 1.0)).collect();
        assert_eq!(kind(&grouped("total", &rows[..1])), None);
        assert_eq!(kind(&grouped("total", &rows[..2])), Some(ChartKind::Bars));
        assert_eq!(kind(&grouped("total", &rows[..60])), Some(ChartKind::Bars));
        assert_eq!(kind(&grouped("total", &rows)), None);
    }

    #[test]
    fn incomplete_rows_have_no_chart() {
        let mut rows = grouped("total", &[("a", 1.0), ("b", 2.0)]);
        rows.truncated = true;
        assert_eq!(kind(&rows), None);
    }

    #[test]
    fn groups_with_equal_labels_have_no_chart() {
        assert_eq!(kind(&grouped("total", &[("a", 1.0), ("a", 2.0)])), None);
    }

    #[test]
    fn parts_of_a_whole_are_between_0_and_100() {
        assert_eq!(kind(&grouped("share_percent", &[("a", -1.0), ("b", 2.0)])), None);
        assert_eq!(kind(&grouped("share_percent", &[("a", 1.0), ("b", 101.0)])), None);
    }

    #[test]
    fn a_key_beside_a_name_is_left_out_of_the_label() {
        let columns = [
            ("customer_id", DataType::Integer),
            ("name", DataType::Text),
            ("total", DataType::Number),
        ];
        let row = |key, name| vec![Cell::Integer(key), text(name), Cell::Number(2.0)];
        let chart = suggest(&result(&columns, vec![row(1, "a"), row(2, "b")]), GROUPED).unwrap();
        assert_eq!(chart.points[0].label, "a");
        assert_eq!(chart.title, "Total by name");
    }

    #[test]
    fn a_line_is_in_order_of_time_and_bars_in_order_of_rows() {
        let labels = |rows: &[(&str, f64)]| {
            let chart = suggest(&grouped("total", rows), GROUPED).expect("a chart");
            chart.points.into_iter().map(|point| point.label).collect::<Vec<_>>()
        };
        assert_eq!(labels(&[("2025-02", 1.0), ("2025-01", 2.0)]), ["2025-01", "2025-02"]);
        assert_eq!(labels(&[("b", 1.0), ("a", 2.0)]), ["b", "a"]);
    }

    #[test]
    fn the_summary_names_the_extremes_and_what_is_left_out() {
        let mut rows = grouped("total_price", &[("open", 12.0), ("paid", 1_500.5), ("lost", 3.0)]);
        rows.rows.push(vec![text("new"), Cell::Null]);
        assert_eq!(
            suggest(&rows, GROUPED).unwrap().summary,
            "Bar chart of total price by group: 3 bars, highest at 1,500.50 (paid), lowest at 3.00 (lost); 1 row \
             without a number is left out."
        );
    }

    #[test]
    fn the_groups_of_the_question_name_the_axis() {
        let rows = grouped("total_price", &[("a", 1.0), ("b", 2.0)]);
        let formats = formats_of(&rows, GROUPED, &Catalog::default());
        let wording = Wording {
            heading: Some("Total price for each product category in 2025".into()),
            groups: vec!["product category".into()],
        };
        let chart = Chart::suggest(&rows, &formats, GROUPED, &wording).unwrap();
        assert_eq!(chart.title, "Total price by product category");
        assert_eq!(chart.x_title, "Product category");
        assert_eq!(chart.heading, "Total price for each product category in 2025");
    }

    #[test]
    fn growth_beside_its_figure_is_left_to_the_table() {
        let columns = [
            ("month", DataType::Text),
            ("total", DataType::Number),
            ("growth_percent", DataType::Number),
        ];
        let row = |month, growth| vec![text(month), Cell::Number(2.0), growth];
        let rows = vec![row("2025-01", Cell::Null), row("2025-02", Cell::Number(5.0))];
        let chart = suggest(&result(&columns, rows), GROUPED).unwrap();
        assert_eq!((chart.kind, chart.points.len()), (ChartKind::Line, 2));
        assert_eq!(chart.title, "Total by month");
    }
}
