//! Rows of MySQL as cells, with the type of each column.

use mysql_async::consts::{ColumnFlags, ColumnType};
use mysql_async::{Column, Row, Value};
use wherefore_engine::catalog::DataType;
use wherefore_engine::session::{Cell, ResultColumn};
use wherefore_sql::NativeColumn;

use crate::database::limits::{integer_cell, number_cell};

/// Number of the character set of bytes that are no text.
const BINARY: u16 = 63;

/// How the values of a column are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Format {
    /// Bits as a number; one bit is a boolean.
    Bits,
    Boolean,
    /// Only the size is shown.
    Bytes,
    Date,
    /// An exact decimal, which stays text.
    Decimal,
    Float,
    Integer,
    Text,
    Time,
    Timestamp,
}

/// A column of a result.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) column: ResultColumn,
    pub(super) format: Format,
}

/// Shapes of the columns of a result, with the names and types that the statement has on PostgreSQL.
pub(super) fn shapes(columns: &[Column], native: &[NativeColumn]) -> Vec<Shape> {
    let native = (native.len() == columns.len()).then_some(native);
    columns
        .iter()
        .enumerate()
        .map(|(index, column)| shape(column, native.map(|native| &native[index])))
        .collect()
}

fn shape(column: &Column, native: Option<&NativeColumn>) -> Shape {
    let meant = native.and_then(|native| native.data_type);
    let format = match (format(column), meant) {
        (Format::Integer, Some(DataType::Boolean)) => Format::Boolean,
        // A sum of integers is an exact decimal without a fraction.
        (Format::Decimal, Some(DataType::Integer)) => Format::Integer,
        (Format::Date, Some(DataType::Timestamp)) => Format::Timestamp,
        (own, _) => own,
    };
    let data_type = match format {
        Format::Bits if column.column_length() == 1 => DataType::Boolean,
        Format::Bits | Format::Integer => DataType::Integer,
        Format::Boolean => DataType::Boolean,
        Format::Bytes => DataType::Binary,
        Format::Date => DataType::Date,
        Format::Decimal | Format::Float => DataType::Number,
        Format::Time => DataType::Time,
        Format::Timestamp => DataType::Timestamp,
        Format::Text if column.column_type() == ColumnType::MYSQL_TYPE_JSON => DataType::Json,
        Format::Text => match meant {
            Some(
                family @ (DataType::Date
                | DataType::Json
                | DataType::Time
                | DataType::Timestamp
                | DataType::Uuid),
            ) => family,
            _ => DataType::Text,
        },
    };
    let name = match native {
        Some(native) if !native.name.is_empty() => native.name.clone(),
        _ => column.name_str().into_owned(),
    };
    Shape { column: ResultColumn { name, data_type }, format }
}

fn format(column: &Column) -> Format {
    use ColumnType as T;
    match column.column_type() {
        T::MYSQL_TYPE_TINY
        | T::MYSQL_TYPE_SHORT
        | T::MYSQL_TYPE_INT24
        | T::MYSQL_TYPE_LONG
        | T::MYSQL_TYPE_LONGLONG
        | T::MYSQL_TYPE_YEAR => Format::Integer,
        T::MYSQL_TYPE_DECIMAL | T::MYSQL_TYPE_NEWDECIMAL => Format::Decimal,
        T::MYSQL_TYPE_FLOAT | T::MYSQL_TYPE_DOUBLE => Format::Float,
        T::MYSQL_TYPE_BIT => Format::Bits,
        T::MYSQL_TYPE_DATE | T::MYSQL_TYPE_NEWDATE => Format::Date,
        T::MYSQL_TYPE_TIME | T::MYSQL_TYPE_TIME2 => Format::Time,
        T::MYSQL_TYPE_DATETIME
        | T::MYSQL_TYPE_DATETIME2
        | T::MYSQL_TYPE_TIMESTAMP
        | T::MYSQL_TYPE_TIMESTAMP2 => Format::Timestamp,
        T::MYSQL_TYPE_GEOMETRY | T::MYSQL_TYPE_VECTOR => Format::Bytes,
        T::MYSQL_TYPE_TINY_BLOB
        | T::MYSQL_TYPE_MEDIUM_BLOB
        | T::MYSQL_TYPE_LONG_BLOB
        | T::MYSQL_TYPE_BLOB
        | T::MYSQL_TYPE_VARCHAR
        | T::MYSQL_TYPE_VAR_STRING
        | T::MYSQL_TYPE_STRING
            if column.character_set() == BINARY
                && !column.flags().intersects(ColumnFlags::ENUM_FLAG | ColumnFlags::SET_FLAG) =>
        {
            Format::Bytes
        }
        _ => Format::Text,
    }
}

/// Cells of a row.
pub(super) fn cells(row: Row, shapes: &[Shape]) -> Vec<Cell> {
    row.unwrap().into_iter().zip(shapes).map(|(value, shape)| cell(value, shape)).collect()
}

fn cell(value: Value, shape: &Shape) -> Cell {
    match value {
        Value::NULL => Cell::Null,
        Value::Int(number @ (0 | 1)) if shape.format == Format::Boolean => {
            Cell::Boolean(number == 1)
        }
        Value::Int(number) => integer_cell(number),
        Value::UInt(number) => match i64::try_from(number) {
            Ok(number) => cell(Value::Int(number), shape),
            Err(_) => Cell::Text(number.to_string()),
        },
        // The shortest text of the value has the digits that were stored.
        Value::Float(number) => number.to_string().parse().map_or(Cell::Null, number_cell),
        Value::Double(number) => number_cell(number),
        Value::Date(year, month, day, hour, minute, second, micros) => {
            let day = format!("{year:04}-{month:02}-{day:02}");
            Cell::Text(if shape.format == Format::Date {
                day
            } else {
                format!("{day} {hour:02}:{minute:02}:{second:02}{}", fraction(micros))
            })
        }
        Value::Time(negative, days, hours, minutes, seconds, micros) => {
            let sign = if negative { "-" } else { "" };
            let hours = u64::from(days) * 24 + u64::from(hours);
            Cell::Text(format!("{sign}{hours:02}:{minutes:02}:{seconds:02}{}", fraction(micros)))
        }
        Value::Bytes(bytes) => of_bytes(bytes, shape),
    }
}

/// Microseconds as a fraction without trailing zeros.
fn fraction(micros: u32) -> String {
    if micros == 0 {
        return String::new();
    }
    format!(".{micros:06}").trim_end_matches('0').to_owned()
}

fn of_bytes(bytes: Vec<u8>, shape: &Shape) -> Cell {
    match shape.format {
        Format::Bytes => return Cell::Text(format!("{} bytes", bytes.len())),
        Format::Bits => {
            let bits = bytes.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
            return match i64::try_from(bits) {
                Ok(bits) if shape.column.data_type == DataType::Boolean => Cell::Boolean(bits != 0),
                Ok(bits) => integer_cell(bits),
                Err(_) => Cell::Text(bits.to_string()),
            };
        }
        _ => {}
    }
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    match shape.format {
        Format::Integer => text.parse().map_or(Cell::Text(text), integer_cell),
        _ => Cell::Text(text),
    }
}

/// Length of the whole text of a column, if it can be cut; `None` if it is never cut.
pub(super) fn text_length(shape: &Shape, length: usize) -> Option<usize> {
    matches!(shape.format, Format::Text | Format::Decimal).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaped(format: Format) -> Shape {
        let column = ResultColumn { name: "c".to_owned(), data_type: DataType::Integer };
        Shape { column, format }
    }

    #[test]
    fn cells_keep_what_the_server_stored() {
        let text = |text: &str| Cell::Text(text.to_owned());
        for (value, format, expected) in [
            (Value::Int(1), Format::Boolean, Cell::Boolean(true)),
            (Value::Int(5), Format::Boolean, Cell::Integer(5)),
            (Value::UInt(u64::MAX), Format::Integer, text("18446744073709551615")),
            (Value::Float(0.1), Format::Float, Cell::Number(0.1)),
            (Value::Bytes(b"12".to_vec()), Format::Integer, Cell::Integer(12)),
            (Value::Bytes(b"12.30".to_vec()), Format::Decimal, text("12.30")),
            (Value::Bytes(vec![1, 0]), Format::Bits, Cell::Integer(256)),
            (Value::Bytes(vec![0, 255]), Format::Bytes, text("2 bytes")),
            (Value::Date(0, 0, 0, 0, 0, 0, 0), Format::Date, text("0000-00-00")),
            (
                Value::Date(2024, 5, 1, 10, 0, 0, 500_000),
                Format::Timestamp,
                text("2024-05-01 10:00:00.5"),
            ),
            (Value::Time(true, 34, 22, 59, 59, 0), Format::Time, text("-838:59:59")),
        ] {
            assert_eq!(cell(value.clone(), &shaped(format)), expected, "{value:?}");
        }
    }
}
