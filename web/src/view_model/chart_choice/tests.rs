use super::charts;
use crate::view_model::chart::{Chart, ChartKind, Wording};
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
    charts(result, &formats, sql, &Wording::default()).into_iter().next()
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
    let negative = grouped("share_percent", &[("a", -1.0), ("b", 2.0)]);
    assert_eq!(kind(&negative), Some(ChartKind::Bars));
    let too_large = grouped("share_percent", &[("a", 1.0), ("b", 101.0)]);
    assert_eq!(kind(&too_large), Some(ChartKind::Bars));
}

#[test]
fn a_key_beside_a_name_is_left_out_of_the_label() {
    let columns =
        [("customer_id", DataType::Integer), ("name", DataType::Text), ("total", DataType::Number)];
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
        ..Wording::default()
    };
    let chart = charts(&rows, &formats, GROUPED, &wording).remove(0);
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

/// Two groups and a number.
fn two_groups(names: (&str, &str), measure: &str, rows: &[(&str, &str, f64)]) -> ResultSet {
    let columns =
        [(names.0, DataType::Text), (names.1, DataType::Text), (measure, DataType::Number)];
    let row = |(one, other, number): &(&str, &str, f64)| {
        vec![text(one), text(other), Cell::Number(*number)]
    };
    result(&columns, rows.iter().map(row).collect())
}

fn kinds(result: &ResultSet) -> Vec<ChartKind> {
    let formats = formats_of(result, GROUPED, &Catalog::default());
    let all = charts(result, &formats, GROUPED, &Wording::default());
    all.into_iter().map(|chart| chart.kind).collect()
}

const CROSSED: [(&str, &str, f64); 6] = [
    ("Graz", "open", 1.0),
    ("Graz", "paid", 2.0),
    ("Linz", "paid", 3.0),
    ("Linz", "open", 4.0),
    ("Wels", "paid", 5.0),
    ("Wels", "open", 6.0),
];

#[test]
fn two_groups_give_a_series_for_each_value_of_the_smaller() {
    use ChartKind::{Bars, Grouped, Stacked};
    let rows = two_groups(("city", "status"), "orders", &CROSSED);
    assert_eq!(kinds(&rows), [Stacked, Grouped, Bars]);
    let chart = suggest(&rows, GROUPED).unwrap();
    assert_eq!((chart.series_title.as_str(), chart.x_title.as_str()), ("Status", "City"));
    assert_eq!(chart.series, ["open", "paid"]);
    assert_eq!(chart.title, "Orders by city and status");
    let categories: Vec<&str> = chart.categories().iter().map(|(label, _)| *label).collect();
    assert_eq!(categories, ["Graz", "Linz", "Wels"]);
    assert_eq!(
        chart.summary,
        "Stacked bar chart of orders by city and status: 3 bars of up to 2 parts (open, paid), highest at 6 (Wels, \
         open), lowest at 1 (Graz, open)."
    );
}

#[test]
fn the_groups_of_the_question_name_the_series() {
    let rows = two_groups(("name", "status"), "orders", &CROSSED);
    let titles = |groups: [&str; 2]| {
        let formats = formats_of(&rows, GROUPED, &Catalog::default());
        let wording = Wording { groups: groups.map(str::to_owned).into(), ..Wording::default() };
        let chart = charts(&rows, &formats, GROUPED, &wording).remove(0);
        (chart.x_title, chart.series_title)
    };
    assert_eq!(titles(["city", "status"]), ("City".into(), "Status".into()));
    // The words of the other column are not those of this one.
    assert_eq!(titles(["status", "city"]), ("Name".into(), "City".into()));
}

#[test]
fn periods_of_two_groups_are_the_axis_and_not_the_series() {
    use ChartKind::{Bars, Grouped, Line, Stacked};
    let rows: Vec<(&str, &str, f64)> = [
        ("open", "2025-02", 1.0),
        ("paid", "2025-02", 2.0),
        ("open", "2025-01", 3.0),
        ("paid", "2025-01", 4.0),
    ]
    .into();
    let rows = two_groups(("status", "month"), "orders", &rows);
    assert_eq!(kinds(&rows), [Line, Stacked, Grouped, Bars]);
    let chart = suggest(&rows, GROUPED).unwrap();
    assert_eq!((chart.x_title.as_str(), chart.name.as_str()), ("Month", "Lines"));
    assert_eq!(chart.points[0].label, "2025-01");
}

#[test]
fn what_does_not_add_up_is_not_stacked() {
    use ChartKind::{Bars, Grouped};
    let rows = two_groups(("city", "status"), "average_price", &CROSSED);
    assert_eq!(kinds(&rows), [Grouped, Bars]);
    let mut negative = CROSSED;
    negative[0].2 = -1.0;
    assert_eq!(kinds(&two_groups(("city", "status"), "profit", &negative)), [Grouped, Bars]);
}

#[test]
fn two_names_of_the_same_thing_are_no_series() {
    let rows = [("a", "x", 1.0), ("b", "y", 2.0), ("c", "z", 3.0)];
    assert_eq!(kinds(&two_groups(("code_name", "city"), "orders", &rows)), [ChartKind::Bars]);
}

#[test]
fn more_series_than_can_be_told_apart_are_none() {
    let names: Vec<String> = (0..18).map(|index| format!("s{}", index % 9)).collect();
    let rows: Vec<(&str, &str, f64)> = names
        .iter()
        .enumerate()
        .map(|(index, name)| (if index < 9 { "a" } else { "b" }, name.as_str(), 1.0))
        .collect();
    let chart = suggest(&two_groups(("city", "status"), "orders", &rows), GROUPED).unwrap();
    assert_eq!((chart.series_title.as_str(), chart.series.len()), ("City", 2));
    let many: Vec<(&str, &str, f64)> = names
        .iter()
        .flat_map(|one| names[..9].iter().map(move |other| (one.as_str(), other.as_str(), 1.0)))
        .take(81)
        .collect();
    assert_eq!(kinds(&two_groups(("city", "status"), "orders", &many)), []);
}

#[test]
fn measures_of_one_unit_stand_side_by_side() {
    use ChartKind::{Grouped, Line, Scatter};
    let all = |names: [&str; 2]| {
        let columns =
            [("group", DataType::Text), ("revenue", DataType::Number), ("cost", DataType::Number)];
        let row = |name| vec![text(name), Cell::Number(2.0), Cell::Number(1.0)];
        let rows = result(&columns, names.into_iter().map(row).collect());
        let mut formats = formats_of(&rows, GROUPED, &Catalog::default());
        for format in &mut formats[1..] {
            format.unit = Some("EUR".to_owned());
        }
        charts(&rows, &formats, GROUPED, &Wording::default())
    };
    let kinds = |all: &[Chart]| all.iter().map(|chart| chart.kind).collect::<Vec<_>>();
    let of_groups = all(["a", "b"]);
    assert_eq!(kinds(&of_groups), [Grouped, Scatter]);
    assert_eq!(of_groups[0].series, ["Revenue", "Cost"]);
    assert_eq!(of_groups[0].title, "Revenue and cost by group");
    assert_eq!(of_groups[0].y_title, "EUR");
    assert_eq!(kinds(&all(["2025-01", "2025-02"])), [Line, Grouped]);
}

#[test]
fn each_of_two_measures_can_be_shown_alone() {
    let columns =
        [("name", DataType::Text), ("orders", DataType::Integer), ("total", DataType::Number)];
    let row = |name| vec![text(name), Cell::Integer(1), Cell::Number(2.0)];
    let rows = result(&columns, vec![row("a"), row("b")]);
    let formats = formats_of(&rows, GROUPED, &Catalog::default());
    let all = charts(&rows, &formats, GROUPED, &Wording::default());
    let names: Vec<&str> = all.iter().map(|chart| chart.name.as_str()).collect();
    assert_eq!(names, ["Scatter plot", "Bars of orders", "Bars of total"]);
    assert_eq!(all[2].title, "Total by name");
}
