//! Cells as Arrow batches, and the schema conventions of all Arrow results.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType as ArrowType, Field, Schema, SchemaRef, TimeUnit};
use jiff::civil::{Date, DateTime};
use wherefore_engine::catalog::DataType;
use wherefore_engine::session::{Cell, ResultColumn};

use super::DatabaseError;

/// Metadata key that holds the data type of a column, which may differ from its Arrow type.
const FAMILY: &str = "wherefore.data_type";
const EPOCH: Date = Date::constant(1970, 1, 1);

/// Field of a column of an Arrow result.
pub(super) fn field(name: &str, arrow: ArrowType, family: DataType) -> Field {
    let family = serde_json::to_value(family).ok();
    let family = family.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    Field::new(name, arrow, true).with_metadata(HashMap::from([(FAMILY.to_owned(), family)]))
}

/// Error for a value that does not match its column.
pub(super) fn unreadable(error: &dyn Display) -> DatabaseError {
    DatabaseError::statement(format!("cannot write the rows as Arrow: {error}"))
}

/// Arrow schema of columns, given their first rows. Values that no Arrow type represents exactly are text.
pub(super) fn schema(columns: &[ResultColumn], rows: &[Vec<Cell>]) -> SchemaRef {
    let fields = columns.iter().enumerate().map(|(index, column)| {
        let all = |fits: fn(&str) -> bool| {
            rows.iter().all(|row| match &row[index] {
                Cell::Null => true,
                Cell::Text(text) => fits(text),
                _ => false,
            })
        };
        let arrow = match column.data_type {
            DataType::Boolean => ArrowType::Boolean,
            DataType::Integer => ArrowType::Int64,
            DataType::Number => ArrowType::Float64,
            DataType::Date if all(|text| text.parse::<Date>().is_ok()) => ArrowType::Date32,
            DataType::Timestamp if all(|text| moment(text).is_some()) => {
                ArrowType::Timestamp(TimeUnit::Microsecond, None)
            }
            _ => ArrowType::Utf8,
        };
        field(&column.name, arrow, column.data_type)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Cells as a record batch. A cell that does not match its column is an error and is never converted.
pub(super) fn batch(schema: &SchemaRef, rows: &[Vec<Cell>]) -> Result<RecordBatch, DatabaseError> {
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
    for (index, field) in schema.fields().iter().enumerate() {
        let cells = rows.iter().map(|row| &row[index]);
        let misfit = || {
            let name = field.name();
            unreadable(&format!(
                "column {name} has values of several types, which Arrow does not support; use NDJSON or CSV"
            ))
        };
        arrays.push(match field.data_type() {
            ArrowType::Boolean => {
                let mut values = BooleanBuilder::with_capacity(rows.len());
                for cell in cells {
                    values.append_option(match cell {
                        Cell::Null => None,
                        Cell::Boolean(value) => Some(*value),
                        _ => return Err(misfit()),
                    });
                }
                Arc::new(values.finish())
            }
            ArrowType::Int64 => {
                let mut values = Int64Builder::with_capacity(rows.len());
                for cell in cells {
                    values.append_option(match cell {
                        Cell::Null => None,
                        Cell::Integer(value) => Some(*value),
                        Cell::Text(text) => Some(text.parse().map_err(|_| misfit())?),
                        _ => return Err(misfit()),
                    });
                }
                Arc::new(values.finish())
            }
            ArrowType::Float64 => {
                let mut values = Float64Builder::with_capacity(rows.len());
                for cell in cells {
                    values.append_option(match cell {
                        Cell::Null => None,
                        Cell::Integer(value) => Some(*value as f64),
                        Cell::Number(value) => Some(*value),
                        Cell::Text(text) => Some(text.parse().map_err(|_| misfit())?),
                        Cell::Boolean(_) => return Err(misfit()),
                    });
                }
                Arc::new(values.finish())
            }
            ArrowType::Date32 => {
                let mut values = Date32Builder::with_capacity(rows.len());
                for cell in cells {
                    values.append_option(match cell {
                        Cell::Null => None,
                        Cell::Text(text) => Some(days(text).ok_or_else(misfit)?),
                        _ => return Err(misfit()),
                    });
                }
                Arc::new(values.finish())
            }
            ArrowType::Timestamp(..) => {
                let mut values = TimestampMicrosecondBuilder::with_capacity(rows.len());
                for cell in cells {
                    values.append_option(match cell {
                        Cell::Null => None,
                        Cell::Text(text) => Some(moment(text).ok_or_else(misfit)?),
                        _ => return Err(misfit()),
                    });
                }
                Arc::new(values.finish())
            }
            _ => {
                let mut values = StringBuilder::new();
                for cell in cells {
                    match cell {
                        Cell::Null => values.append_null(),
                        Cell::Boolean(value) => values.append_value(value.to_string()),
                        Cell::Integer(value) => values.append_value(value.to_string()),
                        Cell::Number(value) => values.append_value(value.to_string()),
                        Cell::Text(text) => values.append_value(text),
                    }
                }
                Arc::new(values.finish())
            }
        });
    }
    RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|error| unreadable(&error))
}

/// Days since 1970.
fn days(text: &str) -> Option<i32> {
    Some(text.parse::<Date>().ok()?.since(EPOCH).ok()?.get_days())
}

/// Microseconds since 1970 of a timestamp without a time zone.
fn moment(text: &str) -> Option<i64> {
    if text.ends_with('Z') || text.get(10..).is_some_and(|time| time.contains(['+', '-'])) {
        return None;
    }
    let moment: DateTime = text.parse().ok()?;
    let since = moment.duration_since(EPOCH.to_datetime(jiff::civil::Time::midnight()));
    i64::try_from(since.as_micros()).ok()
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;

    fn column(data_type: DataType) -> ResultColumn {
        ResultColumn { name: "c".into(), data_type }
    }

    fn text(text: &str) -> Vec<Cell> {
        vec![Cell::Text(text.to_owned())]
    }

    #[test]
    fn dates_and_moments_count_from_1970() {
        assert_eq!(days("1970-01-02"), Some(1));
        assert_eq!(days("1969-12-31"), Some(-1));
        assert_eq!(days("9999-12-31"), Some(2_932_896));
        assert_eq!(moment("1970-01-01 00:00:01.5"), Some(1_500_000));
        assert_eq!(moment("1970-01-01T00:00:00Z"), None, "a zone is not dropped");
    }

    #[test]
    fn a_moment_with_a_zone_stays_the_text_it_is() {
        let rows = [text("2024-05-01T10:00:00+02:00")];
        let schema = schema(&[column(DataType::Timestamp)], &rows);
        assert_eq!(schema.field(0).data_type(), &ArrowType::Utf8);
        assert_eq!(schema.field(0).metadata()[FAMILY], "timestamp");
    }

    #[test]
    fn null_stays_apart_from_empty_and_large_numbers_keep_their_digits() {
        let rows = [text("9007199254740993"), vec![Cell::Null]];
        let integers = schema(&[column(DataType::Integer)], &rows);
        let batch_of_integers = batch(&integers, &rows).unwrap();
        assert!(batch_of_integers.column(0).is_null(1));
        let texts = schema(&[column(DataType::Text)], &[]);
        let batch_of_texts = batch(&texts, &[text(""), vec![Cell::Null]]).unwrap();
        assert!(!batch_of_texts.column(0).is_null(0));
        assert!(batch_of_texts.column(0).is_null(1));
    }

    #[test]
    fn a_cell_that_fits_no_more_is_an_error() {
        let integers = schema(&[column(DataType::Integer)], &[]);
        let error = batch(&integers, &[text("several")]).unwrap_err();
        assert!(error.to_string().contains("column c"), "{error}");
    }
}
