//! Units of result columns, found by their names.

use wherefore_engine::catalog::{Catalog, Column};
use wherefore_english::name_words;

use super::sql_tokens::{SqlTokenKind, tokenize};

/// Words before the name of what was calculated.
const CALCULATIONS: [&str; 13] = [
    "total", "sum", "average", "avg", "mean", "median", "highest", "lowest", "largest", "smallest",
    "maximum", "minimum", "max",
];

/// Words of amounts of money.
const MONEY: [&str; 18] = [
    "amount", "balance", "budget", "charge", "cost", "costs", "earnings", "fee", "income", "price",
    "profit", "revenue", "salary", "sales", "spend", "subtotal", "turnover", "wage",
];

/// Symbols of currencies that stand for a code.
const SYMBOLS: [&str; 5] = ["$", "€", "£", "¥", "₹"];

/// Whether a unit is a currency: a symbol, or a code of three capitals.
pub fn is_currency(unit: &str) -> bool {
    let is_code = unit.len() == 3 && unit.bytes().all(|byte| byte.is_ascii_uppercase());
    is_code || SYMBOLS.contains(&unit)
}

/// Whether a name says that its numbers are amounts of money.
pub fn is_money(words: &str) -> bool {
    !is_count(words) && words.split(' ').any(|word| MONEY.contains(&word))
}

/// Names in a statement that are tables of the catalog.
pub fn tables_of<'a>(sql: &str, catalog: &'a Catalog) -> Vec<&'a str> {
    let names: Vec<&str> = tokenize(sql)
        .into_iter()
        .filter(|(kind, _)| *kind == SqlTokenKind::Name)
        .map(|(_, name)| name.trim_matches(['"', '`']))
        .collect();
    let tables = catalog.tables.iter().map(|table| table.name.as_str());
    tables.filter(|table| names.contains(table)).collect()
}

/// Unit of a column with these words: of a metric, or of a column of the tables, with or without a calculation.
///
/// `None` also if columns of the same name have different units.
pub fn unit_of(words: &str, catalog: &Catalog, tables: &[&str]) -> Option<String> {
    let last = words.rsplit(' ').next().unwrap_or(words);
    if ["percent", "percentage", "pct"].contains(&last) {
        return Some("%".to_owned());
    }
    if is_count(words) {
        return None;
    }
    let (first, rest) = words.split_once(' ').unwrap_or(("", words));
    let calculated = CALCULATIONS.contains(&first).then_some(rest);
    let of_dates = |words: &str| {
        let (unit, rest) = words.split_once(' ')?;
        let is_duration = ["days", "hours", "minutes", "months", "years"].contains(&unit);
        (is_duration && rest.starts_with("from ")).then(|| unit.to_owned())
    };
    [Some(words), calculated].into_iter().flatten().find_map(|words| {
        of_metric(words, catalog)
            .or_else(|| of_column(words, catalog, tables))
            .or_else(|| of_dates(words))
    })
}

fn is_count(words: &str) -> bool {
    words.starts_with("number of ") || words.contains(" number of ") || words == "count"
}

fn of_metric(words: &str, catalog: &Catalog) -> Option<String> {
    let metric = catalog.metrics.iter().find(|metric| name_words(&metric.name) == words)?;
    metric.unit.clone()
}

fn of_column(words: &str, catalog: &Catalog, tables: &[&str]) -> Option<String> {
    // Names in statements lose digits at their end: `average_area_cm` of the column `area_cm2`.
    let plain =
        |name: &str| name_words(name).trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let wanted = plain(words);
    let tables = catalog.tables.iter().filter(|table| tables.contains(&table.name.as_str()));
    let mut units = tables
        .flat_map(|table| &table.columns)
        .filter(|column| plain(&column.name) == wanted)
        .map(|column: &Column| column.unit.as_deref());
    let unit = units.next()??;
    units.all(|other| other == Some(unit)).then(|| unit.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{is_currency, is_money, tables_of, unit_of};
    use wherefore_engine::catalog::{Catalog, Column, Metric, Table};

    fn catalog() -> Catalog {
        let column = |name: &str, unit: &str| Column {
            name: name.into(),
            unit: Some(unit.into()),
            ..Column::default()
        };
        let table = |name: &str, columns: Vec<Column>| Table {
            name: name.into(),
            columns,
            ..Table::default()
        };
        Catalog {
            tables: vec![
                table("orders", vec![column("total_amount", "EUR"), column("weight", "kg")]),
                table("wounds", vec![column("area_cm2", "cm²"), column("weight", "g")]),
            ],
            metrics: vec![Metric {
                name: "net revenue".into(),
                unit: Some("USD".into()),
                ..Metric::default()
            }],
            ..Catalog::default()
        }
    }

    fn unit(words: &str, tables: &[&str]) -> Option<String> {
        unit_of(words, &catalog(), tables)
    }

    #[test]
    fn a_column_of_the_statement_gives_its_unit_to_what_is_calculated_of_it() {
        assert_eq!(unit("total amount", &["orders"]).as_deref(), Some("EUR"));
        assert_eq!(unit("average total amount", &["orders"]).as_deref(), Some("EUR"));
        assert_eq!(unit("average area cm", &["wounds"]).as_deref(), Some("cm²"));
    }

    #[test]
    fn a_metric_gives_its_unit() {
        assert_eq!(unit("net revenue", &[]).as_deref(), Some("USD"));
        assert_eq!(unit("total net revenue", &[]).as_deref(), Some("USD"));
    }

    #[test]
    fn a_column_of_another_table_gives_none() {
        assert_eq!(unit("total amount", &["wounds"]), None);
    }

    #[test]
    fn columns_that_differ_give_none() {
        assert_eq!(unit("weight", &["orders"]).as_deref(), Some("kg"));
        assert_eq!(unit("weight", &["orders", "wounds"]), None);
    }

    #[test]
    fn counts_have_no_unit_and_are_no_money() {
        assert_eq!(unit("number of total amount", &["orders"]), None);
        assert!(!is_money("number of sales"));
        assert!(is_money("unit price"));
    }

    #[test]
    fn times_between_dates_and_percentages_name_their_unit() {
        assert_eq!(
            unit("average days from order date to shipped date", &[]).as_deref(),
            Some("days")
        );
        assert_eq!(unit("growth percent", &[]).as_deref(), Some("%"));
    }

    #[test]
    fn codes_and_symbols_are_currencies() {
        assert!(["EUR", "$"].into_iter().all(is_currency));
        assert!(!["kg", "min", "units", "%"].into_iter().any(is_currency));
    }

    #[test]
    fn only_names_outside_texts_are_tables() {
        let catalog = catalog();
        assert_eq!(tables_of("SELECT 'wounds' FROM \"orders\"", &catalog), ["orders"]);
    }
}
