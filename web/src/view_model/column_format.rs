//! How the cells of a result column are displayed: kind, unit and decimal places.

use wherefore_engine::catalog::{Catalog, DataType};
use wherefore_engine::session::{Cell, ResultColumn, ResultSet};
use wherefore_english::{heading, name_words};

use super::decimal::{Decimal, without_noise};
use super::locale::Locale;
use super::moments::MomentPrecision;
use super::units::{is_currency, is_money, tables_of, unit_of};

/// Numbers with more decimal places than this are the result of a calculation and are rounded.
const STORED_PLACES: usize = 4;
/// Decimal places of amounts of money and of rounded numbers.
const PLACES: usize = 2;
/// Maximum number of decimal places of a column whose numbers are all less than one.
const SMALL_PLACES: usize = 6;

/// Last words of names whose numbers are names, not quantities.
const CODE_WORDS: [&str; 26] = [
    "id",
    "ids",
    "key",
    "code",
    "no",
    "nr",
    "number",
    "sku",
    "ean",
    "isbn",
    "iban",
    "zip",
    "postcode",
    "phone",
    "fax",
    "year",
    "month",
    "week",
    "quarter",
    "hour",
    "index",
    "version",
    "latitude",
    "longitude",
    "lat",
    "lng",
];

/// Kind of the cells of a column.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ColumnKind {
    /// Keys, years and codes: numbers that are displayed digit by digit.
    Code,
    /// Dates and timestamps.
    Moment(MomentPrecision),
    /// Quantities, displayed with separators and this number of decimal places.
    Quantity {
        /// Decimal places.
        places: usize,
    },
    /// Everything else, displayed as it is.
    Text,
}

/// How the cells of a column are displayed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ColumnFormat {
    /// Name in the statement.
    pub name: String,
    /// The name as a heading, without the unit.
    pub title: String,
    /// Unit such as `EUR`, `%` or `cm²`.
    pub unit: Option<String>,
    /// Kind of the cells.
    pub kind: ColumnKind,
    /// Whether the cells are right-aligned.
    pub numeric: bool,
}

impl ColumnFormat {
    /// Format of a column; `tables` are the tables of the statement, whose columns give the unit.
    pub fn of(column: &ResultColumn, cells: &[&Cell], catalog: &Catalog, tables: &[&str]) -> Self {
        let numeric = matches!(column.data_type, DataType::Integer | DataType::Number);
        let words = name_words(&column.name);
        let is_code = is_code(&words);
        let unit = (numeric && !is_code).then(|| unit_of(&words, catalog, tables)).flatten();
        let kind = match column.data_type {
            DataType::Integer | DataType::Number if is_code => ColumnKind::Code,
            DataType::Integer | DataType::Number => {
                ColumnKind::Quantity { places: places(column, cells, &words, unit.as_deref()) }
            }
            DataType::Date | DataType::Timestamp => {
                let texts = cells.iter().filter_map(|cell| match cell {
                    Cell::Text(text) => Some(text.as_str()),
                    _ => None,
                });
                ColumnKind::Moment(MomentPrecision::of(texts))
            }
            _ => ColumnKind::Text,
        };
        let title = heading(title_without_unit(&words, unit.as_deref()));
        Self { name: column.name.clone(), title, unit, kind, numeric }
    }

    /// Title with the unit in parentheses; without it, if each cell shows it.
    pub fn label(&self) -> String {
        match self.unit.as_deref() {
            None | Some("%") => self.title.clone(),
            Some(unit) => format!("{} ({unit})", self.title),
        }
    }

    /// CSS class of the cells.
    pub fn class(&self) -> &'static str {
        match self.kind {
            _ if self.numeric => "numeric",
            ColumnKind::Moment(_) => "moment",
            _ => "",
        }
    }

    /// Whether the cells are numbers or moments, which are shown whole.
    pub fn is_figure(&self) -> bool {
        !self.class().is_empty()
    }

    /// Whether the cells are percentages.
    pub fn is_percent(&self) -> bool {
        self.unit.as_deref() == Some("%")
    }

    /// A number in the format of the column, and the unit where each cell shows it.
    pub fn number(&self, decimal: &Decimal<'_>, exact: &str) -> String {
        match self.kind {
            ColumnKind::Quantity { places } if self.is_percent() => {
                let number = decimal.rounded(places);
                Locale::with(|locale| format!("{number}{}", locale.percent))
            }
            ColumnKind::Quantity { places } => decimal.rounded(places),
            _ => exact.to_owned(),
        }
    }
}

/// Formats of all columns of a result.
pub fn formats_of(result: &ResultSet, sql: &str, catalog: &Catalog) -> Vec<ColumnFormat> {
    let tables = tables_of(sql, catalog);
    let columns = result.columns.iter().enumerate();
    columns
        .map(|(index, column)| {
            let cells: Vec<&Cell> = result.rows.iter().filter_map(|row| row.get(index)).collect();
            ColumnFormat::of(column, &cells, catalog, &tables)
        })
        .collect()
}

/// The number of a cell in decimal notation, without the noise of binary fractions.
pub fn decimal_text(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Integer(value) => Some(value.to_string()),
        Cell::Number(value) => Some(without_noise(*value)),
        Cell::Text(text) => Some(text.clone()),
        Cell::Null | Cell::Boolean(_) => None,
    }
}

fn is_code(words: &str) -> bool {
    let is_count = words.starts_with("number of ");
    !is_count && words.rsplit(' ').next().is_some_and(|last| CODE_WORDS.contains(&last))
}

/// Number of decimal places that fits all cells of a column.
fn places(column: &ResultColumn, cells: &[&Cell], words: &str, unit: Option<&str>) -> usize {
    let texts: Vec<String> = cells.iter().filter_map(|cell| decimal_text(cell)).collect();
    let numbers: Vec<Decimal<'_>> = texts.iter().filter_map(|text| Decimal::parse(text)).collect();
    let needed = numbers.iter().map(Decimal::places).max().unwrap_or(0);
    let all_small = numbers.iter().all(Decimal::is_fraction);
    let zeros = numbers.iter().map(Decimal::leading_zeros).min().unwrap_or(0);
    if unit == Some("%") {
        return needed.min(1);
    }
    let is_money = unit.map_or_else(|| is_money(words), is_currency);
    if is_money && needed == 0 && column.data_type == DataType::Integer {
        return 0;
    }
    match needed {
        _ if needed > PLACES && all_small => (zeros + PLACES).min(SMALL_PLACES).min(needed),
        _ if is_money => PLACES,
        0..=STORED_PLACES => needed,
        _ => PLACES,
    }
}

/// The words of a name without a unit at their end: `weight kg` gives `weight`.
fn title_without_unit<'a>(words: &'a str, unit: Option<&str>) -> &'a str {
    let Some((rest, last)) = words.rsplit_once(' ') else { return words };
    let is_unit = match unit {
        Some("%") => ["percent", "percentage", "pct"].contains(&last),
        Some(unit) => last == unit.to_lowercase() || last == unit.to_lowercase().replace('²', "2"),
        None => false,
    };
    if is_unit { rest } else { words }
}

#[cfg(test)]
mod tests {
    use super::{ColumnFormat, ColumnKind};
    use wherefore_engine::catalog::{Catalog, Column, DataType, Table};
    use wherefore_engine::session::{Cell, ResultColumn};

    fn format(name: &str, data_type: DataType, unit: Option<&str>, cells: &[Cell]) -> ColumnFormat {
        let stored =
            Column { name: name.into(), unit: unit.map(str::to_owned), ..Column::default() };
        let table = Table { name: "t".into(), columns: vec![stored], ..Table::default() };
        let catalog = Catalog { tables: vec![table], ..Catalog::default() };
        let column = ResultColumn { name: name.into(), data_type };
        let cells: Vec<&Cell> = cells.iter().collect();
        ColumnFormat::of(&column, &cells, &catalog, &["t"])
    }

    fn places(name: &str, unit: Option<&str>, numbers: &[f64]) -> usize {
        let cells: Vec<Cell> = numbers.iter().map(|number| Cell::Number(*number)).collect();
        match format(name, DataType::Number, unit, &cells).kind {
            ColumnKind::Quantity { places } => places,
            kind => panic!("{kind:?}"),
        }
    }

    #[test]
    fn keys_years_and_codes_are_no_quantities() {
        for name in ["customer_id", "CustomerId", "year", "calendar_month", "order_number", "zip"] {
            let kind = format(name, DataType::Integer, None, &[Cell::Integer(1)]).kind;
            assert_eq!(kind, ColumnKind::Code, "{name}");
        }
        for name in ["number_of_years", "quantity", "monthly_fee"] {
            let kind = format(name, DataType::Integer, None, &[Cell::Integer(1)]).kind;
            assert_eq!(kind, ColumnKind::Quantity { places: 0 }, "{name}");
        }
    }

    #[test]
    fn money_has_two_places() {
        assert_eq!(places("total", Some("EUR"), &[85_085.5, 7.0]), 2);
        assert_eq!(places("unit_price", None, &[1.5]), 2);
        assert_eq!(places("average_total", Some("EUR"), &[1.0 / 3.0 + 5.0]), 2);
    }

    #[test]
    fn whole_money_of_an_integer_column_has_no_places() {
        let kind = format("salary", DataType::Integer, Some("EUR"), &[Cell::Integer(9)]).kind;
        assert_eq!(kind, ColumnKind::Quantity { places: 0 });
    }

    #[test]
    fn other_columns_have_the_places_of_the_longest_stored_number() {
        assert_eq!(places("weight", None, &[1.25, 2.0, 3.125]), 3);
        assert_eq!(places("rating", None, &[4.0, 5.0]), 0);
    }

    #[test]
    fn calculated_fractions_are_rounded() {
        assert_eq!(places("average_rating", None, &[10.0 / 3.0]), 2);
        assert_eq!(places("ratio", None, &[0.001_234_56, 0.002_5]), 4);
    }

    #[test]
    fn percentages_have_one_place_and_no_unit_in_the_heading() {
        let column = format("share_percent", DataType::Number, None, &[Cell::Number(100.0 / 3.0)]);
        assert_eq!(column.kind, ColumnKind::Quantity { places: 1 });
        assert_eq!(column.label(), "Share");
    }

    #[test]
    fn the_unit_stands_once_in_the_heading() {
        let label = |name, unit| format(name, DataType::Number, Some(unit), &[]).label();
        assert_eq!(label("total_amount", "EUR"), "Total amount (EUR)");
        assert_eq!(label("weight_kg", "kg"), "Weight (kg)");
        assert_eq!(label("area_cm2", "cm²"), "Area (cm²)");
    }
}
