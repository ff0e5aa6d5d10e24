//! Output formats of rows: cells, or Arrow batches.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType as ArrowType, Field, Schema, SchemaRef};
use wherefore_engine::catalog::DataType;
use wherefore_engine::session::{Cell, ResultColumn};

use super::rows::{Format, Shape};
use crate::database::{DatabaseError, arrow};

/// Output format of rows.
pub(super) trait Rows: Default + Send + 'static {
    /// Columns.
    type Header: Send + 'static;
    /// Rows.
    type Batch: Send + 'static;

    /// Columns, given their first rows.
    fn header(&mut self, shapes: &[Shape], rows: &[Vec<Cell>]) -> Self::Header;

    /// Rows in this format.
    fn batch(&self, rows: Vec<Vec<Cell>>) -> Result<Self::Batch, DatabaseError>;
}

/// Rows as cells.
#[derive(Default)]
pub(super) struct Cells;

impl Rows for Cells {
    type Header = Vec<ResultColumn>;
    type Batch = Vec<Vec<Cell>>;

    fn header(&mut self, shapes: &[Shape], _: &[Vec<Cell>]) -> Vec<ResultColumn> {
        shapes.iter().map(|shape| shape.column.clone()).collect()
    }

    fn batch(&self, rows: Vec<Vec<Cell>>) -> Result<Vec<Vec<Cell>>, DatabaseError> {
        Ok(rows)
    }
}

/// Rows as Arrow batches.
#[derive(Default)]
pub(super) struct Batches(Option<SchemaRef>);

impl Rows for Batches {
    type Header = SchemaRef;
    type Batch = RecordBatch;

    fn header(&mut self, shapes: &[Shape], rows: &[Vec<Cell>]) -> SchemaRef {
        Arc::clone(self.0.insert(schema(shapes, rows)))
    }

    fn batch(&self, rows: Vec<Vec<Cell>>) -> Result<RecordBatch, DatabaseError> {
        let schema =
            self.0.as_ref().ok_or_else(|| arrow::unreadable(&"the result has no columns"))?;
        arrow::batch(schema, &rows)
    }
}

/// Arrow schema of columns, given their first rows. Exact decimals, and integers beyond 64 bits with a sign, are text.
fn schema(shapes: &[Shape], rows: &[Vec<Cell>]) -> SchemaRef {
    let columns: Vec<ResultColumn> = shapes.iter().map(|shape| shape.column.clone()).collect();
    let guessed = arrow::schema(&columns, rows);
    let fields = shapes.iter().zip(guessed.fields()).enumerate().map(|(index, (shape, field))| {
        let is_too_large = |row: &Vec<Cell>| {
            matches!(&row[index], Cell::Text(text) if text.parse::<i64>().is_err())
        };
        let is_text = shape.format == Format::Decimal
            || shape.column.data_type == DataType::Integer && rows.iter().any(is_too_large);
        if is_text {
            arrow::field(&shape.column.name, ArrowType::Utf8, shape.column.data_type)
        } else {
            Field::clone(field)
        }
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_arrow_would_round_is_text() {
        let shape = |format, data_type| Shape {
            column: ResultColumn { name: "c".to_owned(), data_type },
            format,
        };
        let shapes = [
            shape(Format::Decimal, DataType::Number),
            shape(Format::Integer, DataType::Integer),
            shape(Format::Date, DataType::Date),
        ];
        let text = |text: &str| Cell::Text(text.to_owned());
        let types = |rows: &[Vec<Cell>]| {
            let schema = schema(&shapes, rows);
            schema.fields().iter().map(|field| field.data_type().clone()).collect::<Vec<_>>()
        };
        let usual = [vec![text("1.50"), Cell::Integer(1), text("2024-01-31")]];
        assert_eq!(types(&usual), [ArrowType::Utf8, ArrowType::Int64, ArrowType::Date32]);
        let odd = [vec![text("1"), text("18446744073709551615"), text("0000-00-00")]];
        assert_eq!(types(&odd), [const { ArrowType::Utf8 }; 3]);
    }
}
