//! Files made of the rows that the page has.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use wherefore_engine::session::{Cell, ResultColumn, ResultSet};

use super::decimal::Decimal;
use crate::texts;

/// First characters that spreadsheets interpret as the start of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Decimal digits that a JSON number keeps in every reader.
const SAFE_DIGITS: usize = 15;

/// Maximum length of a question in a file name, in characters.
const SLUG_CHARACTERS: usize = 60;

/// RFC 4180: a header, quoted texts, unquoted numbers, NULL as an empty field and empty text as `""`.
///
/// Texts that a spreadsheet would run as a formula get a leading apostrophe. If rows or parts of cells are missing, a
/// last line with a single field says so.
pub fn csv(result: &ResultSet) -> String {
    let quoted = |text: &str| format!("\"{}\"", guarded(text).replace('"', "\"\""));
    let line = |fields: Vec<String>| fields.join(",") + "\r\n";
    let mut file = line(result.columns.iter().map(|column| quoted(&column.name)).collect());
    for row in &result.rows {
        let fields = row.iter().zip(&result.columns).map(|(cell, column)| match cell {
            Cell::Text(text) if !is_number(text, column) => quoted(text),
            other => plain(other),
        });
        file += &line(fields.collect());
    }
    for note in missing(result) {
        file.extend(["\"[", note.as_str(), "]\"\r\n"]);
    }
    file
}

/// Tab-separated values with a header, for the clipboard; line breaks and tabs within cells become spaces.
pub fn tsv(result: &ResultSet) -> String {
    let field = |text: &str| guarded(text).replace(['\t', '\r', '\n'], " ");
    let line = |fields: Vec<String>| fields.join("\t") + "\n";
    let mut file = line(result.columns.iter().map(|column| field(&column.name)).collect());
    for row in &result.rows {
        let fields = row.iter().zip(&result.columns).map(|(cell, column)| match cell {
            Cell::Text(text) if !is_number(text, column) => field(text),
            other => plain(other),
        });
        file += &line(fields.collect());
    }
    file
}

/// JSON: the question, its statement, and the rows as objects; numbers that readers would round are texts.
pub fn json(question: &str, sql: &str, result: &ResultSet) -> String {
    #[derive(Serialize)]
    struct File<'a> {
        question: &'a str,
        sql: &'a str,
        rows: Vec<Row<'a>>,
        truncated: bool,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        missing: Vec<String>,
    }
    let names = unique_names(&result.columns);
    let rows =
        result.rows.iter().map(|cells| Row { names: &names, columns: &result.columns, cells });
    let file = File {
        question,
        sql,
        rows: rows.collect(),
        truncated: result.truncated,
        missing: missing(result),
    };
    // Maps of texts and numbers always serialise.
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

/// File name from the words of a question and a date: `orders-by-status-2025-03-01.csv`.
pub fn file_name(question: &str, date: &str, extension: &str) -> String {
    let lower = question.to_lowercase();
    let mut slug = String::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let length = slug.chars().count() + word.chars().count();
        if length >= SLUG_CHARACTERS && !slug.is_empty() {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(word.chars().take(SLUG_CHARACTERS));
    }
    if slug.is_empty() {
        slug.push_str("result");
    }
    format!("{slug}-{date}.{extension}")
}

/// What the rows leave out, in words.
pub fn missing(result: &ResultSet) -> Vec<String> {
    let cut = match result.cut_count {
        0 => None,
        count => Some(texts::cut_in_file(count as usize)),
    };
    let truncated = result.truncated.then(|| texts::truncated_file(result.rows.len()));
    cut.into_iter().chain(truncated).collect()
}

/// A row as an object.
struct Row<'a> {
    names: &'a [String],
    columns: &'a [ResultColumn],
    cells: &'a [Cell],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for ((name, column), cell) in self.names.iter().zip(self.columns).zip(self.cells) {
            match cell {
                Cell::Text(text) if is_number(text, column) && digits(text) <= SAFE_DIGITS => {
                    map.serialize_entry(name, &text.parse::<serde_json::Number>().ok())?;
                }
                Cell::Number(value) if !value.is_finite() => {
                    map.serialize_entry(name, &value.to_string())?;
                }
                cell => map.serialize_entry(name, cell)?,
            }
        }
        map.end()
    }
}

/// Names of the columns; a repeated name gets its position.
fn unique_names(columns: &[ResultColumn]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let mut name = column.name.clone();
        while names.contains(&name) {
            name = format!("{name}_{}", index + 1);
        }
        names.push(name);
    }
    names
}

fn guarded(text: &str) -> String {
    let guard = if text.starts_with(FORMULA) { "'" } else { "" };
    format!("{guard}{text}")
}

fn plain(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Boolean(value) => value.to_string(),
        Cell::Integer(value) => value.to_string(),
        Cell::Number(value) => value.to_string(),
        Cell::Text(text) => text.clone(),
    }
}

fn is_number(text: &str, column: &ResultColumn) -> bool {
    column.data_type.is_numeric() && Decimal::parse(text).is_some()
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::{csv, file_name, json, tsv};
    use wherefore_engine::catalog::DataType;
    use wherefore_engine::session::{Cell, ResultColumn, ResultSet};

    fn result(columns: &[(&str, DataType)], rows: Vec<Vec<Cell>>) -> ResultSet {
        let columns = columns.iter();
        let columns = columns
            .map(|(name, data_type)| ResultColumn { name: (*name).into(), data_type: *data_type });
        ResultSet { columns: columns.collect(), rows, ..ResultSet::default() }
    }

    fn text(text: &str) -> Cell {
        Cell::Text(text.into())
    }

    #[test]
    fn a_formula_becomes_text_in_csv() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            let file = csv(&result(&[("c", DataType::Text)], vec![vec![text(formula)]]));
            assert_eq!(file, format!("\"c\"\r\n\"'{formula}\"\r\n"));
        }
        let named = csv(&result(&[("=c", DataType::Text)], Vec::new()));
        assert_eq!(named, "\"'=c\"\r\n");
    }

    #[test]
    fn a_negative_number_is_no_formula() {
        let cells = vec![vec![Cell::Integer(-5)], vec![text("-12.30")], vec![text("-1+cmd")]];
        let file = csv(&result(&[("n", DataType::Number)], cells));
        assert_eq!(file, "\"n\"\r\n-5\r\n-12.30\r\n\"'-1+cmd\"\r\n");
    }

    #[test]
    fn null_stays_apart_from_empty_and_quotes_are_doubled() {
        let rows = vec![vec![Cell::Null, text("")], vec![text("say \"hi\",\r\nbye"), text("é")]];
        let file = csv(&result(&[("a", DataType::Text), ("b", DataType::Text)], rows));
        assert_eq!(file, "\"a\",\"b\"\r\n,\"\"\r\n\"say \"\"hi\"\",\r\nbye\",\"é\"\r\n");
    }

    #[test]
    fn missing_rows_are_told_in_each_file() {
        let mut cut = result(&[("n", DataType::Integer)], vec![vec![Cell::Integer(1)]]);
        cut.truncated = true;
        assert!(csv(&cut).ends_with("\"[truncated: only the first row is included]\"\r\n"));
        let file: serde_json::Value = serde_json::from_str(&json("q", "s", &cut)).unwrap();
        assert_eq!(file["truncated"], true);
        assert_eq!(file["missing"][0], "truncated: only the first row is included");
    }

    #[test]
    fn numbers_that_would_be_rounded_are_texts_in_json() {
        let rows = vec![
            vec![text("9007199254740993")],
            vec![text("85085.50")],
            vec![Cell::Number(f64::INFINITY)],
            vec![Cell::Null],
        ];
        let file = json("q", "s", &result(&[("n", DataType::Number)], rows));
        let file: serde_json::Value = serde_json::from_str(&file).unwrap();
        let rows = &file["rows"];
        assert_eq!(rows[0]["n"], "9007199254740993");
        assert_eq!(rows[1]["n"].as_f64(), Some(85_085.5));
        assert_eq!(rows[2]["n"], "inf");
        assert!(rows[3]["n"].is_null());
    }

    #[test]
    fn json_keeps_the_order_of_columns_and_both_of_equal_names() {
        let columns = [("b", DataType::Text), ("a", DataType::Text), ("b", DataType::Text)];
        let file = json("q", "s", &result(&columns, vec![vec![text("1"), text("2"), text("3")]]));
        let at = |part: &str| file.find(part).expect(part);
        assert!(at("\"b\": \"1\"") < at("\"a\": \"2\""));
        assert!(at("\"a\": \"2\"") < at("\"b_3\": \"3\""));
    }

    #[test]
    fn the_clipboard_has_one_line_per_row() {
        let rows = vec![vec![text("a\tb\nc"), Cell::Null], vec![text("=1"), text("x")]];
        let file = tsv(&result(&[("p", DataType::Text), ("q", DataType::Text)], rows));
        assert_eq!(file, "p\tq\na b c\t\n'=1\tx\n");
    }

    #[test]
    fn a_file_name_has_only_words_of_the_question() {
        assert_eq!(
            file_name("Orders, by status?", "2025-03-01", "csv"),
            "orders-by-status-2025-03-01.csv"
        );
        assert_eq!(file_name("../../etc/<b>", "2025-03-01", "json"), "etc-b-2025-03-01.json");
        assert_eq!(file_name("?!", "2025-03-01", "csv"), "result-2025-03-01.csv");
        assert!(file_name(&"word ".repeat(50), "", "").len() < 70);
        assert!(file_name(&"é".repeat(500), "", "").chars().count() < 70);
    }
}
