//! Rows of Arrow batches as cells, with the type of each column.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal128Type, Decimal256Type, Float16Type, Float32Type, Float64Type,
    IntervalMonthDayNanoType, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{DataType as ArrowType, Field, IntervalUnit, Schema};
use wherefore_engine::catalog::DataType;
use wherefore_engine::session::{Cell, ResultColumn};
use wherefore_sql::NativeColumn;

use super::times;
use crate::database::limits::{integer_cell, number_cell};

/// How the values of a column are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Format {
    Boolean,
    /// Only the size is shown.
    Bytes,
    Date,
    /// An exact decimal, which stays text.
    Decimal,
    Float,
    Integer,
    Interval,
    /// Whole numbers of any size.
    Large,
    Text,
    Time,
    Timestamp,
    /// Timestamp with a time zone.
    Zoned,
    /// Lists, structures and whatever else has only a text.
    Other,
}

/// A column of a result.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) column: ResultColumn,
    pub(super) format: Format,
}

/// Shapes of the columns of a result, with the names and types that the statement has on PostgreSQL.
pub(super) fn shapes(schema: &Schema, native: &[NativeColumn]) -> Vec<Shape> {
    let native = (native.len() == schema.fields().len()).then_some(native);
    let fields = schema.fields().iter().enumerate();
    fields.map(|(index, field)| shape(field, native.map(|native| &native[index]))).collect()
}

fn shape(field: &Field, native: Option<&NativeColumn>) -> Shape {
    let meant = native.and_then(|native| native.data_type);
    let format = match format(field.data_type()) {
        // The sum of integers is a number without a fraction.
        Format::Large if meant == Some(DataType::Number) => Format::Decimal,
        own => own,
    };
    let data_type = match format {
        Format::Boolean => DataType::Boolean,
        Format::Bytes => DataType::Binary,
        Format::Date => DataType::Date,
        Format::Decimal | Format::Float => DataType::Number,
        Format::Integer | Format::Large => DataType::Integer,
        Format::Time => DataType::Time,
        Format::Timestamp | Format::Zoned => DataType::Timestamp,
        Format::Interval | Format::Other => DataType::Other,
        Format::Text => match meant {
            Some(family @ (DataType::Json | DataType::Uuid)) => family,
            _ => DataType::Text,
        },
    };
    let name = match native {
        Some(native) if !native.name.is_empty() => native.name.clone(),
        _ => field.name().clone(),
    };
    Shape { column: ResultColumn { name, data_type }, format }
}

fn format(data_type: &ArrowType) -> Format {
    use ArrowType as T;
    match data_type {
        T::Boolean => Format::Boolean,
        T::Int8 | T::Int16 | T::Int32 | T::Int64 | T::UInt8 | T::UInt16 | T::UInt32 | T::UInt64 => {
            Format::Integer
        }
        T::Float16 | T::Float32 | T::Float64 => Format::Float,
        T::Decimal128(_, 0) | T::Decimal256(_, 0) => Format::Large,
        T::Decimal128(..) | T::Decimal256(..) => Format::Decimal,
        T::Utf8 | T::LargeUtf8 | T::Utf8View => Format::Text,
        T::Dictionary(_, values) => match format(values) {
            Format::Text => Format::Text,
            _ => Format::Other,
        },
        T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_) => Format::Bytes,
        T::Date32 | T::Date64 => Format::Date,
        T::Time32(_) | T::Time64(_) => Format::Time,
        T::Timestamp(_, None) => Format::Timestamp,
        T::Timestamp(_, Some(_)) => Format::Zoned,
        T::Interval(IntervalUnit::MonthDayNano) => Format::Interval,
        _ => Format::Other,
    }
}

/// A batch whose cells are read row by row.
pub(super) struct Rows<'a> {
    shapes: &'a [Shape],
    columns: Vec<ArrayRef>,
}

impl<'a> Rows<'a> {
    /// The rows of a batch. An error says which column is unreadable.
    pub(super) fn of(batch: &RecordBatch, shapes: &'a [Shape]) -> Result<Self, String> {
        if batch.num_columns() != shapes.len() {
            return Err("a batch has other columns than the result".to_owned());
        }
        let columns = batch.columns().iter().zip(shapes).map(|(column, shape)| {
            let read = plain(column, shape.format);
            read.map_err(|error| format!("column {}: {error}", shape.column.name))
        });
        Ok(Self { shapes, columns: columns.collect::<Result<_, _>>()? })
    }

    /// Cells of a row.
    pub(super) fn row(&self, row: usize) -> Vec<Cell> {
        let columns = self.columns.iter().zip(self.shapes);
        columns.map(|(column, shape)| cell(column, row, shape.format)).collect()
    }
}

/// A column in one of the types that cells are read from.
fn plain(column: &ArrayRef, format: Format) -> Result<ArrayRef, arrow_schema::ArrowError> {
    use arrow_schema::TimeUnit;
    let to = match (format, column.data_type()) {
        (Format::Integer, ArrowType::UInt64)
        | (Format::Date, _)
        | (Format::Float, ArrowType::Float32) => return Ok(Arc::clone(column)),
        (Format::Integer, _) => ArrowType::Int64,
        (Format::Float, _) => ArrowType::Float64,
        (Format::Text, _) => ArrowType::Utf8,
        (Format::Bytes, ArrowType::FixedSizeBinary(_)) => ArrowType::Binary,
        (Format::Bytes, _) => ArrowType::LargeBinary,
        (Format::Time, _) => ArrowType::Time64(TimeUnit::Nanosecond),
        _ => return Ok(Arc::clone(column)),
    };
    if *column.data_type() == to { Ok(Arc::clone(column)) } else { cast(column, &to) }
}

fn cell(column: &ArrayRef, row: usize, format: Format) -> Cell {
    if column.is_null(row) {
        return Cell::Null;
    }
    let read = match format {
        Format::Boolean => column.as_boolean_opt().map(|it| Cell::Boolean(it.value(row))),
        Format::Bytes => {
            let large = column.as_binary_opt::<i64>().map(|it| it.value(row).len());
            let length =
                large.or_else(|| column.as_binary_opt::<i32>().map(|it| it.value(row).len()));
            length.map(|length| Cell::Text(format!("{length} bytes")))
        }
        Format::Date => {
            let days = column.as_primitive_opt::<Date32Type>().map(|it| i64::from(it.value(row)));
            let millis = column.as_primitive_opt::<Date64Type>().map(|it| it.value(row));
            let days = days.or_else(|| millis.map(|millis| millis.div_euclid(86_400_000)));
            days.and_then(times::date).map(Cell::Text)
        }
        Format::Decimal => decimal(column, row).map(Cell::Text),
        Format::Float => float(column, row),
        Format::Integer => match column.as_primitive_opt::<UInt64Type>() {
            Some(values) => Some(match i64::try_from(values.value(row)) {
                Ok(value) => integer_cell(value),
                Err(_) => Cell::Text(values.value(row).to_string()),
            }),
            None => column
                .as_primitive_opt::<arrow_array::types::Int64Type>()
                .map(|it| integer_cell(it.value(row))),
        },
        Format::Interval => column
            .as_primitive_opt::<IntervalMonthDayNanoType>()
            .map(|it| it.value(row))
            .map(|it| Cell::Text(times::interval(it.months, it.days, it.nanoseconds))),
        Format::Large => decimal(column, row)
            .map(|text| text.parse::<i64>().map_or(Cell::Text(text), integer_cell)),
        Format::Text => {
            column.as_string_opt::<i32>().map(|it| Cell::Text(it.value(row).to_owned()))
        }
        Format::Time => column
            .as_primitive_opt::<arrow_array::types::Time64NanosecondType>()
            .map(|it| Cell::Text(times::time(it.value(row)))),
        Format::Timestamp => times::moment(column, row).map(Cell::Text),
        Format::Zoned => times::moment(column, row)
            .map(
                |text| {
                    if text.contains(' ') { text.replacen(' ', "T", 1) + "+00:00" } else { text }
                },
            )
            .map(Cell::Text),
        Format::Other => None,
    };
    read.unwrap_or_else(|| Cell::Text(shown(column, row)))
}

fn float(column: &ArrayRef, row: usize) -> Option<Cell> {
    if let Some(values) = column.as_primitive_opt::<Float32Type>() {
        // The shortest text of the value has the digits that were stored.
        return values.value(row).to_string().parse().ok().map(number_cell);
    }
    let half = column.as_primitive_opt::<Float16Type>().map(|it| f64::from(it.value(row)));
    half.or_else(|| column.as_primitive_opt::<Float64Type>().map(|it| it.value(row)))
        .map(number_cell)
}

fn decimal(column: &ArrayRef, row: usize) -> Option<String> {
    let usual = column.as_primitive_opt::<Decimal128Type>().map(|it| it.value_as_string(row));
    usual.or_else(|| column.as_primitive_opt::<Decimal256Type>().map(|it| it.value_as_string(row)))
}

/// The text of any value.
fn shown(column: &ArrayRef, row: usize) -> String {
    let options = FormatOptions::default().with_null("NULL");
    let formatter = ArrayFormatter::try_new(column.as_ref(), &options);
    formatter.ok().and_then(|it| it.value(row).try_to_string().ok()).unwrap_or_default()
}

/// Length of the whole text of a column, if it can be cut; `None` if it is never cut.
pub(super) fn text_length(shape: &Shape, length: usize) -> Option<usize> {
    matches!(shape.format, Format::Text | Format::Decimal | Format::Other).then_some(length)
}

#[cfg(test)]
mod tests {
    use arrow_array::{Decimal128Array, Float32Array, Int8Array, UInt64Array};

    use super::*;

    fn first(column: impl Array + 'static) -> (Cell, DataType) {
        let batch = RecordBatch::try_from_iter([("c", Arc::new(column) as ArrayRef)]).unwrap();
        let shapes = shapes(&batch.schema(), &[]);
        let rows = Rows::of(&batch, &shapes).unwrap();
        (rows.row(0).remove(0), shapes[0].column.data_type)
    }

    #[test]
    fn numbers_keep_their_digits() {
        assert_eq!(first(Int8Array::from(vec![-1])), (Cell::Integer(-1), DataType::Integer));
        let large = Cell::Text("18446744073709551615".into());
        assert_eq!(first(UInt64Array::from(vec![u64::MAX])), (large, DataType::Integer));
        assert_eq!(first(Float32Array::from(vec![0.1])), (Cell::Number(0.1), DataType::Number));
        let sum = Decimal128Array::from(vec![12]).with_precision_and_scale(38, 0).unwrap();
        assert_eq!(first(sum), (Cell::Integer(12), DataType::Integer));
        let price = Decimal128Array::from(vec![1230]).with_precision_and_scale(10, 2).unwrap();
        assert_eq!(first(price), (Cell::Text("12.30".into()), DataType::Number));
    }
}
