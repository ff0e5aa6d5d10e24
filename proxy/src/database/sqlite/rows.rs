//! Rows of SQLite as cells, with the type of each column.

use rusqlite::types::ValueRef;
use rusqlite::{Row, Statement};
use wherefore_engine::catalog::DataType;
use wherefore_engine::session::{Cell, ResultColumn};

use crate::database::limits::{integer_cell, number_cell};

/// Maximum length of a character in UTF-8, in bytes.
const CHARACTER: usize = 4;

/// Columns of a statement. Expressions have no declared type and are [`DataType::Other`] until rows are read.
pub(super) fn columns(statement: &Statement<'_>) -> Vec<ResultColumn> {
    statement
        .columns()
        .map(|column| ResultColumn {
            name: column.name().to_owned(),
            data_type: DataType::from_declaration(column.decl_type().unwrap_or_default()),
        })
        .collect()
}

/// Cells of a row. Of longer texts, a few bytes beyond this size are kept.
pub(super) fn cells(
    row: &Row<'_>,
    columns: &[ResultColumn],
    cell_bytes: usize,
) -> rusqlite::Result<Vec<Cell>> {
    columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            Ok(match row.get_ref(index)? {
                ValueRef::Null => Cell::Null,
                ValueRef::Integer(value)
                    if column.data_type == DataType::Boolean && (0..=1).contains(&value) =>
                {
                    Cell::Boolean(value == 1)
                }
                ValueRef::Integer(value) => integer_cell(value),
                ValueRef::Real(value) => number_cell(value),
                ValueRef::Text(bytes) => {
                    // A character that is split here lies beyond the size.
                    let kept = &bytes[..bytes.len().min(cell_bytes + CHARACTER)];
                    Cell::Text(String::from_utf8_lossy(kept).into_owned())
                }
                ValueRef::Blob(bytes) => Cell::Text(format!("{} bytes", bytes.len())),
            })
        })
        .collect()
}

/// Length of a stored text in bytes; `None` for values of other types.
pub(super) fn text_length(row: &Row<'_>, column: usize) -> Option<usize> {
    match row.get_ref(column) {
        Ok(ValueRef::Text(bytes)) => Some(bytes.len()),
        _ => None,
    }
}

/// Corrects the type of each column by its cells, since SQLite stores a type with each value.
pub(crate) fn refine_types(columns: &mut [ResultColumn], rows: &[Vec<Cell>]) {
    for (index, column) in columns.iter_mut().enumerate() {
        let cells = || rows.iter().map(|row| &row[index]).filter(|cell| **cell != Cell::Null);
        if cells().next().is_none() {
            continue;
        }
        let all = |test: fn(&Cell) -> bool| cells().all(test);
        let declared = column.data_type;
        column.data_type = if all(|cell| matches!(cell, Cell::Boolean(_))) {
            DataType::Boolean
        } else if all(is_integer) {
            if declared == DataType::Number { DataType::Number } else { DataType::Integer }
        } else if all(|cell| is_integer(cell) || matches!(cell, Cell::Number(_))) {
            DataType::Number
        } else if matches!(
            declared,
            DataType::Binary | DataType::Json | DataType::Uuid | DataType::Time
        ) {
            declared
        } else {
            temporal(cells()).unwrap_or(DataType::Text)
        };
    }
}

fn is_integer(cell: &Cell) -> bool {
    match cell {
        Cell::Integer(_) => true,
        Cell::Text(text) => {
            text.len() > 15 && text.parse::<i64>().is_ok_and(|value| integer_cell(value) == *cell)
        }
        _ => false,
    }
}

fn temporal<'a>(cells: impl Iterator<Item = &'a Cell>) -> Option<DataType> {
    let mut found = DataType::Date;
    for cell in cells {
        let Cell::Text(text) = cell else { return None };
        match temporal_text(text)? {
            DataType::Date => {}
            other => found = other,
        }
    }
    Some(found)
}

/// Type of a text in ISO format: a date or a timestamp.
pub(crate) fn temporal_text(text: &str) -> Option<DataType> {
    let date = text.get(..10)?;
    date.parse::<jiff::civil::Date>().ok()?;
    let rest = &text[10..];
    if rest.is_empty() {
        return Some(DataType::Date);
    }
    let time = rest.strip_prefix([' ', 'T'])?;
    let time = time.trim_end_matches('Z');
    let time = time.split(['+', '-']).next().unwrap_or(time);
    let clock = if time.len() == 5 { format!("{time}:00") } else { time.to_owned() };
    clock.parse::<jiff::civil::Time>().ok().map(|_| DataType::Timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_iso_texts_are_temporal() {
        for (text, expected) in [
            ("2024-02-29", Some(DataType::Date)),
            ("2023-02-29", None),
            ("2024-02-29 10:11:12", Some(DataType::Timestamp)),
            ("2024-02-29T10:11:12.5Z", Some(DataType::Timestamp)),
            ("2024-02-29 10:11", Some(DataType::Timestamp)),
            ("2024-02-29 25:11:12", None),
            ("2/29/2024", None),
            ("2024-02-2é", None),
            ("", None),
        ] {
            assert_eq!(temporal_text(text), expected, "{text}");
        }
    }

    #[test]
    fn types_follow_stored_values() {
        let column = |data_type| ResultColumn { name: "c".into(), data_type };
        let mut columns =
            [column(DataType::Other), column(DataType::Number), column(DataType::Timestamp)];
        let rows = [
            vec![Cell::Integer(1), Cell::Integer(2), Cell::Text("1/2/2024".into())],
            vec![Cell::Number(1.5), Cell::Null, Cell::Null],
        ];
        refine_types(&mut columns, &rows);
        assert_eq!(
            columns.map(|column| column.data_type),
            [DataType::Number, DataType::Number, DataType::Text]
        );
    }
}
