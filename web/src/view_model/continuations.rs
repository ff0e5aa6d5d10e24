//! Follow-ups that go on from an answer: its rows counted, by month, of a year, or the first of them.

use wherefore_engine::catalog::{Catalog, Column, DataType};
use wherefore_engine::session::ResultSet;

use super::chart_choice::is_grouped;

/// Number of groups that "top" leaves.
const TOP: usize = 5;

/// Follow-ups that may suit an answer, best first. Whether they can be answered is for the engine to say.
pub fn continuations(sql: &str, result: &ResultSet, catalog: &Catalog, today: &str) -> Vec<String> {
    let is_figure = result.rows.len() == 1 && result.columns.len() == 1;
    let is_limited = sql.lines().any(|line| line.starts_with("LIMIT"));
    let is_list = !is_grouped(sql) && !is_figure;
    let year = latest_year(catalog, today).map(|year| match (year, today.get(..4)) {
        (year, Some(this)) if year == this => "this year".to_owned(),
        (year, _) => format!("in {year}"),
    });
    // The best few by month are no months.
    let by_month = (!is_limited).then(|| "by month".to_owned());
    let count = (is_list && result.rows.len() > 1).then(|| "how many".to_owned());
    let top = (is_grouped(sql) && result.rows.len() > TOP).then(|| format!("top {TOP}"));
    [count, by_month, year, top].into_iter().flatten().collect()
}

/// Year of the latest day up to today in any column.
fn latest_year<'a>(catalog: &'a Catalog, today: &str) -> Option<&'a str> {
    let is_day =
        |column: &&Column| matches!(column.data_type, DataType::Date | DataType::Timestamp);
    let columns = catalog.tables.iter().flat_map(|table| &table.columns).filter(is_day);
    let days = columns.flat_map(|column| [&column.minimum, &column.maximum]).flatten();
    let past = days.filter(|day| day.get(..10).is_some_and(|day| day <= today));
    past.max()?.get(..4)
}

#[cfg(test)]
mod tests {
    use super::continuations;
    use wherefore_engine::catalog::Catalog;
    use wherefore_engine::session::{Cell, ResultSet};

    fn catalog(latest: &str) -> Catalog {
        serde_json::from_value(serde_json::json!({
            "name": "shop",
            "tables": [{ "name": "orders", "columns": [
                { "name": "day", "data_type": "date", "minimum": "2016-01-01", "maximum": latest },
            ] }],
        }))
        .expect("a catalog")
    }

    fn rows(count: usize, columns: usize) -> ResultSet {
        let row = vec![Cell::default(); columns];
        let column = serde_json::json!({ "name": "a" });
        let columns = vec![column; columns];
        let mut result: ResultSet =
            serde_json::from_value(serde_json::json!({ "columns": columns, "rows": [] }))
                .expect("a result");
        result.rows = vec![row; count];
        result
    }

    #[test]
    fn what_is_suggested_suits_the_answer() {
        let of = |sql: &str, result: &ResultSet, latest: &str| {
            continuations(sql, result, &catalog(latest), "2026-11-26").join(", ")
        };
        let (list, figure, groups) = ("SELECT *", "SELECT count(*)", "SELECT a\nGROUP BY a");
        assert_eq!(of(list, &rows(9, 3), "2026-02-01"), "how many, by month, this year");
        assert_eq!(of(figure, &rows(1, 1), "2018-05-06"), "by month, in 2018");
        assert_eq!(of(groups, &rows(9, 2), "2027-01-01"), "by month, in 2016, top 5");
        let best = "SELECT a\nGROUP BY a\nLIMIT 10";
        assert_eq!(of(best, &rows(10, 2), "2026-02-01"), "this year, top 5");
    }
}
