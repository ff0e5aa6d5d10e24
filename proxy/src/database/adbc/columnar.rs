//! Record batches of a driver as those of all Arrow results, column by column.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, Float32Type, Float64Type,
    TimestampMicrosecondType,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType as ArrowType, SchemaRef};

use super::rows::{Format, Rows, Shape, text_length};
use super::times::{DAYS, MICROSECONDS};
use crate::database::limits::{NULL_BYTES, NUMBER_BYTES, QUOTES};

/// Characters of a date.
const DATE: usize = "2024-05-01".len();
/// Characters of a timestamp.
const TIMESTAMP: usize = "2024-05-01 10:00:00".len();

/// A batch in the types of a result.
pub(super) struct Converted {
    /// The rows.
    pub(super) rows: RecordBatch,
    /// Size of all cells, in bytes.
    pub(super) bytes: usize,
    /// Bytes of the longest text that can be cut.
    pub(super) longest: usize,
}

/// Converts a batch. An error says which column has a value that its type cannot hold.
pub(super) fn converted(
    batch: &RecordBatch,
    shapes: &[Shape],
    schema: &SchemaRef,
) -> Result<Converted, String> {
    if batch.num_columns() != shapes.len() {
        return Err("a batch has other columns than the result".to_owned());
    }
    let (mut bytes, mut longest) = (0, 0);
    let mut columns = Vec::with_capacity(shapes.len());
    for (index, (column, shape)) in batch.columns().iter().zip(shapes).enumerate() {
        let to = schema.field(index).data_type();
        let column = match plain(column, shape, to) {
            Ok(Some(column)) => column,
            Ok(None) => texts(batch, index, shapes)?,
            Err(error) => return Err(format!("column {}: {error}", shape.column.name)),
        };
        bytes += size(&column);
        if text_length(shape, 0).is_some() {
            longest = longest.max(longest_text(&column));
        }
        columns.push(column);
    }
    let rows = RecordBatch::try_new(Arc::clone(schema), columns);
    Ok(Converted { rows: rows.map_err(|error| error.to_string())?, bytes, longest })
}

/// A column in its type of the result; `None` if it becomes text value by value.
fn plain(column: &ArrayRef, shape: &Shape, to: &ArrowType) -> Result<Option<ArrayRef>, ArrowError> {
    let strictly = CastOptions { safe: false, ..CastOptions::default() };
    let misfit = || ArrowError::CastError("it has values of several types".to_owned());
    Ok(match (to, shape.format) {
        (ArrowType::Float64, _) => Some(match column.as_primitive_opt::<Float32Type>() {
            // The shortest text of the value has the digits that were stored.
            Some(values) => Arc::new(
                values
                    .unary::<_, Float64Type>(|value| value.to_string().parse().unwrap_or(f64::NAN)),
            ),
            None => cast_with_options(column, to, &strictly)?,
        }),
        (ArrowType::Date32, _) => {
            let days = cast_with_options(column, to, &strictly)?;
            let fits = all::<Date32Type>(&days, |days| DAYS.contains(&i64::from(days)));
            Some(fits.then_some(days).ok_or_else(misfit)?)
        }
        (ArrowType::Timestamp(..), _) => {
            let moments = cast_with_options(column, to, &strictly)?;
            let fits = all::<TimestampMicrosecondType>(&moments, |it| MICROSECONDS.contains(&it));
            Some(fits.then_some(moments).ok_or_else(misfit)?)
        }
        (ArrowType::Utf8, Format::Decimal) => column.as_primitive_opt().and_then(decimals),
        (ArrowType::Utf8, Format::Text) | (ArrowType::Boolean | ArrowType::Int64, _) => {
            Some(cast_with_options(column, to, &strictly)?)
        }
        _ => None,
    })
}

/// Whether all values of a column fit.
fn all<T: ArrowPrimitiveType>(column: &ArrayRef, fits: impl Fn(T::Native) -> bool) -> bool {
    column.as_primitive_opt::<T>().is_some_and(|values| match values.null_count() {
        0 => values.values().iter().all(|value| fits(*value)),
        _ => values.iter().flatten().all(fits),
    })
}

/// Decimals as text with all digits of their scale; `None` for those without a fraction.
fn decimals(values: &PrimitiveArray<Decimal128Type>) -> Option<ArrayRef> {
    let scale = usize::try_from(values.scale()).ok().filter(|scale| *scale > 0)?;
    let mut texts = StringBuilder::with_capacity(values.len(), values.len() * 12);
    let (mut digits, mut text) = (itoa::Buffer::new(), String::new());
    for value in values {
        let Some(value) = value else {
            texts.append_null();
            continue;
        };
        let size = value.unsigned_abs();
        // Most values have few digits, which are written faster.
        let digits = u64::try_from(size)
            .map_or_else(|_| size.to_string(), |it| digits.format(it).to_owned());
        text.clear();
        if value < 0 {
            text.push('-');
        }
        let whole = digits.len().saturating_sub(scale);
        text.push_str(if whole == 0 { "0" } else { &digits[..whole] });
        text.push('.');
        text.extend(std::iter::repeat_n('0', scale.saturating_sub(digits.len())));
        text.push_str(&digits[whole..]);
        texts.append_value(&text);
    }
    Some(Arc::new(texts.finish()))
}

/// A column as text, in the way of cells.
fn texts(batch: &RecordBatch, index: usize, shapes: &[Shape]) -> Result<ArrayRef, String> {
    use wherefore_engine::session::Cell;
    let only = batch.project(&[index]).map_err(|error| error.to_string())?;
    let rows = Rows::of(&only, std::slice::from_ref(&shapes[index]))?;
    let mut texts = StringBuilder::new();
    for row in 0..batch.num_rows() {
        match rows.row(row).pop() {
            None | Some(Cell::Null) => texts.append_null(),
            Some(Cell::Boolean(value)) => texts.append_value(value.to_string()),
            Some(Cell::Integer(value)) => texts.append_value(value.to_string()),
            Some(Cell::Number(value)) => texts.append_value(value.to_string()),
            Some(Cell::Text(text)) => texts.append_value(text),
        }
    }
    Ok(Arc::new(texts.finish()))
}

/// Size of the cells of a converted column, as the limits count it.
fn size(column: &ArrayRef) -> usize {
    let (nulls, values) = (column.null_count(), column.len() - column.null_count());
    let of_values = match column.data_type() {
        ArrowType::Boolean => values * NULL_BYTES,
        ArrowType::Date32 => values * (DATE + QUOTES),
        ArrowType::Timestamp(..) => values * (TIMESTAMP + QUOTES),
        ArrowType::Utf8 => {
            let offsets = column.as_string::<i32>().value_offsets();
            let text = offsets.last().zip(offsets.first()).map_or(0, |(end, start)| end - start);
            usize::try_from(text).unwrap_or_default() + values * QUOTES
        }
        _ => values * NUMBER_BYTES,
    };
    nulls * NULL_BYTES + of_values
}

fn longest_text(column: &ArrayRef) -> usize {
    let Some(texts) = column.as_string_opt::<i32>() else { return 0 };
    let lengths = texts.value_offsets().windows(2).map(|pair| pair[1] - pair[0]);
    usize::try_from(lengths.max().unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use arrow_array::{
        Date32Array, Decimal128Array, Float32Array, StringArray, TimestampNanosecondArray,
        UInt64Array,
    };
    use wherefore_engine::session::Cell;

    use super::super::rows::shapes;
    use super::super::stream::schema;
    use super::*;
    use crate::database::arrow;

    fn batch(columns: Vec<ArrayRef>) -> RecordBatch {
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        RecordBatch::try_from_iter(names.into_iter().zip(columns)).unwrap()
    }

    fn cells(batch: &RecordBatch, shapes: &[Shape]) -> Vec<Vec<Cell>> {
        let rows = Rows::of(batch, shapes).unwrap();
        (0..batch.num_rows()).map(|row| rows.row(row)).collect()
    }

    #[test]
    fn columns_have_the_values_that_cells_would_have() {
        let values = [Some(0), Some(-5), Some(1_234), None, Some(i128::from(u64::MAX) * 1_000)];
        let prices = Decimal128Array::from_iter(values).with_precision_and_scale(38, 2).unwrap();
        let sums = Decimal128Array::from(vec![1, -2, 3, 4, 5]).with_precision_and_scale(38, 0);
        let nanoseconds = vec![Some(1_500_000_000), Some(-1_000), None, Some(0), Some(7)];
        let batch = batch(vec![
            Arc::new(prices),
            Arc::new(sums.unwrap()),
            Arc::new(Float32Array::from(vec![0.1, 2.0, -7.25, 1e30, 0.0])),
            Arc::new(Date32Array::from(vec![Some(0), Some(-1), None, Some(19_844), Some(1)])),
            Arc::new(TimestampNanosecondArray::from(nanoseconds)),
            Arc::new(StringArray::from(vec![Some("one"), None, Some(""), Some("ä"), Some("x")])),
            Arc::new(UInt64Array::from(vec![1, 2, 3, 4, 5])),
        ]);
        let shapes = shapes(&batch.schema(), &[]);
        let rows = cells(&batch, &shapes);
        let schema = schema(&shapes, &rows);
        let found = converted(&batch, &shapes, &schema).unwrap();
        assert_eq!(found.rows, arrow::batch(&schema, &rows).unwrap());
        assert_eq!(found.rows.column(0).as_string::<i32>().value(1), "-0.05");
        assert_eq!(found.longest, "184467440737095516150.00".len());
    }

    #[test]
    fn a_value_that_fits_no_more_is_an_error() {
        let first =
            batch(vec![Arc::new(UInt64Array::from(vec![1])), Arc::new(Date32Array::from(vec![1]))]);
        let shapes = shapes(&first.schema(), &[]);
        let schema = schema(&shapes, &cells(&first, &shapes));
        for (number, day) in [(u64::MAX, 1), (1, i32::MAX)] {
            let later = batch(vec![
                Arc::new(UInt64Array::from(vec![number])),
                Arc::new(Date32Array::from(vec![day])),
            ]);
            let error = converted(&later, &shapes, &schema).err().unwrap();
            assert!(error.starts_with("column "), "{error}");
        }
    }
}
