//! CSV (RFC 4180): a header, quoted texts, unquoted numbers, NULL as an empty field and empty text as `""`.
//!
//! If rows are missing, cells are cut or the statement fails, a last line with a single field says so, which cannot be mistaken for a row of
//! several columns.

use wherefore_engine::session::{Cell, ResultColumn};

use super::summary::missing;
use super::writer::{Broken, Writer};
use crate::database::{DatabaseError, RunEnd};

/// First characters that spreadsheets interpret as the start of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Writes CSV.
pub(super) struct Csv {
    numeric: Vec<bool>,
    guard_formulas: bool,
}

impl Csv {
    /// A CSV writer for these columns.
    pub(super) fn new(columns: &[ResultColumn], guard_formulas: bool) -> Self {
        let numeric = columns.iter().map(|column| column.data_type.is_numeric()).collect();
        Self { numeric, guard_formulas }
    }

    fn text(&self, line: &mut String, text: &str) {
        let guard = if self.guard_formulas && text.starts_with(FORMULA) { "'" } else { "" };
        line.extend(["\"", guard, &text.replace('"', "\"\""), "\""]);
    }
}

impl Writer<Vec<ResultColumn>, Vec<Vec<Cell>>> for Csv {
    fn start(&mut self, columns: &Vec<ResultColumn>) -> Result<Vec<u8>, DatabaseError> {
        let mut line = String::new();
        for (index, column) in columns.iter().enumerate() {
            if index > 0 {
                line.push(',');
            }
            self.text(&mut line, &column.name);
        }
        line.push_str("\r\n");
        Ok(line.into_bytes())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<Vec<u8>, DatabaseError> {
        let mut lines = String::new();
        for row in rows {
            for (index, cell) in row.iter().enumerate() {
                if index > 0 {
                    lines.push(',');
                }
                match cell {
                    Cell::Null => {}
                    Cell::Boolean(value) => lines.push_str(&value.to_string()),
                    Cell::Integer(value) => lines.push_str(&value.to_string()),
                    Cell::Number(value) => lines.push_str(&value.to_string()),
                    Cell::Text(text) if self.numeric[index] && is_numeral(text) => {
                        lines.push_str(text);
                    }
                    Cell::Text(text) => {
                        self.text(&mut lines, text);
                    }
                }
            }
            lines.push_str("\r\n");
        }
        Ok(lines.into_bytes())
    }

    fn end(&mut self, end: &RunEnd) -> Result<Vec<u8>, DatabaseError> {
        let mut lines = String::new();
        for missing in missing(end) {
            lines.extend(["\"[", &missing, "]\"\r\n"]);
        }
        Ok(lines.into_bytes())
    }

    fn broken(&mut self, error: &DatabaseError) -> Broken {
        Broken::Aborted(interrupted(error).into_bytes())
    }
}

/// Last line of an export that failed.
fn interrupted(error: &DatabaseError) -> String {
    let reason = error.to_string().replace(['\r', '\n'], " ").replace('"', "\"\"");
    format!("\"[interrupted: rows are missing, because {reason}]\"\r\n")
}

/// Whether a text is a plain number: digits with an optional sign and point.
pub(super) fn is_numeral(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    all(whole) && all(fraction)
}

#[cfg(test)]
mod tests {
    use wherefore_engine::catalog::DataType;

    use super::*;

    fn written(data_type: DataType, guard: bool, cells: &[Cell]) -> String {
        let column = ResultColumn { name: "c".into(), data_type };
        let mut writer = Csv::new(&[column], guard);
        let rows = cells.iter().map(|cell| vec![cell.clone()]).collect();
        String::from_utf8(writer.rows(rows).unwrap()).unwrap()
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_made_text() {
        for (text, expected) in [
            ("=1+1", "\"'=1+1\"\r\n"),
            ("+1", "\"'+1\"\r\n"),
            ("-1", "\"'-1\"\r\n"),
            ("@SUM(A1)", "\"'@SUM(A1)\"\r\n"),
            ("\t=1", "\"'\t=1\"\r\n"),
            ("\r=1", "\"'\r=1\"\r\n"),
            ("a=1", "\"a=1\"\r\n"),
            ("", "\"\"\r\n"),
            ("say \"hi\",\r\nbye", "\"say \"\"hi\"\",\r\nbye\"\r\n"),
        ] {
            assert_eq!(
                written(DataType::Text, true, &[Cell::Text(text.into())]),
                expected,
                "{text:?}"
            );
        }
        assert_eq!(written(DataType::Text, false, &[Cell::Text("=1".into())]), "\"=1\"\r\n");
    }

    #[test]
    fn numbers_stay_numbers_and_null_stays_apart_from_empty() {
        let cells = [Cell::Integer(-5), Cell::Text("-12.30".into()), Cell::Null, Cell::Number(0.5)];
        assert_eq!(written(DataType::Number, true, &cells), "-5\r\n-12.30\r\n\r\n0.5\r\n");
        let hostile = [Cell::Text("-1+cmd".into()), Cell::Text("-".into())];
        assert_eq!(written(DataType::Number, true, &hostile), "\"'-1+cmd\"\r\n\"'-\"\r\n");
    }
}
