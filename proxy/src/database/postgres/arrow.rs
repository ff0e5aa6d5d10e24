//! Rows of PostgreSQL as Arrow batches, decoded from its binary format.

use std::error::Error;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Schema, SchemaRef};
use tokio_postgres::types::{FromSql, Type};
use tokio_postgres::{Row, Statement};

use super::rows::{Lengths, base, family};
use super::stream::Rows;
use crate::database::DatabaseError;
use crate::database::arrow::{field, unreadable};
use crate::database::limits::Caps;
use crate::database::stream::BATCH_ROWS;

/// Days and microseconds from 1970 to 2000, which is PostgreSQL's epoch.
const EPOCH_DAYS: i32 = 10_957;
const EPOCH_MICROSECONDS: i64 = EPOCH_DAYS as i64 * 86_400_000_000;

/// Rows as Arrow batches.
pub(super) struct ArrowRows {
    schema: SchemaRef,
    expressions: String,
    columns: Vec<Values>,
    lengths: Lengths,
    rows: usize,
}

/// Values of one column.
enum Values {
    Boolean(BooleanBuilder),
    Date(Date32Builder),
    Float4(Float64Builder),
    Float8(Float64Builder),
    Int2(Int64Builder),
    Int4(Int64Builder),
    Int8(Int64Builder),
    Oid(Int64Builder),
    /// Everything else, including exact decimals, as text of the server.
    Text(StringBuilder),
    Timestamp(TimestampMicrosecondBuilder),
}

impl Rows for ArrowRows {
    type Header = SchemaRef;
    type Batch = RecordBatch;

    fn new(described: &Statement, cell_bytes: usize) -> Self {
        let columns: Vec<Values> =
            described.columns().iter().map(|column| Values::new(base(column.type_()))).collect();
        let lengths = Lengths::of(described);
        let mut expressions = String::new();
        let mut fields = Vec::with_capacity(columns.len());
        for (index, (column, values)) in described.columns().iter().zip(&columns).enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            let expression = match values {
                Values::Text(_) => lengths.text(index, column.type_(), cell_bytes),
                _ => format!("c{index}"),
            };
            expressions.extend([comma, &expression]);
            fields.push(field(
                column.name(),
                values.data_type(column.type_()),
                family(column.type_()),
            ));
        }
        expressions.push_str(&lengths.expressions(cell_bytes));
        Self { schema: Arc::new(Schema::new(fields)), expressions, columns, lengths, rows: 0 }
    }

    fn wrapped(&self, sql: &str) -> String {
        let names: Vec<String> = (0..self.columns.len()).map(|index| format!("c{index}")).collect();
        format!(
            "SELECT {} FROM (\n{sql}\n) AS checked({}) LIMIT $1",
            self.expressions,
            names.join(", ")
        )
    }

    fn header(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn take(&mut self, row: &Row, caps: &mut Caps) -> Result<Option<usize>, DatabaseError> {
        let failed = |error: tokio_postgres::Error| unreadable(&error);
        let mut texts = Vec::with_capacity(self.columns.len());
        for (index, values) in self.columns.iter().enumerate() {
            texts.push(match values {
                Values::Text(_) => row.try_get::<_, Option<&str>>(index).map_err(failed)?,
                _ => None,
            });
        }
        let most = caps.cell_bytes();
        let is_cut = |index: usize, text: &str| text.len() > most && self.lengths.is_long(index);
        let sizes = texts.iter().enumerate().map(|(index, text)| match text {
            Some(text) if is_cut(index, text) => most,
            Some(text) => text.len(),
            None => 8,
        });
        let bytes = sizes.sum();
        if !caps.take_bytes(bytes) {
            return Ok(None);
        }
        for (index, (values, text)) in self.columns.iter_mut().zip(texts).enumerate() {
            match (values, text) {
                (Values::Text(values), Some(text)) if is_cut(index, text) => {
                    values.append_value(format!("{}…", caps.shortened(text)));
                    let whole = self.lengths.whole(row, index);
                    caps.note_cut(index, whole.unwrap_or(text.len()));
                }
                (Values::Text(values), text) => values.append_option(text),
                (values, _) => values.take(row, index).map_err(failed)?,
            }
        }
        self.rows += 1;
        Ok(Some(bytes))
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>, DatabaseError> {
        if self.rows == 0 {
            return Ok(None);
        }
        self.rows = 0;
        let arrays = self.columns.iter_mut().map(Values::finish).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
            .map(Some)
            .map_err(|error| unreadable(&error))
    }
}

impl Values {
    fn new(data_type: &Type) -> Self {
        match *data_type {
            Type::BOOL => Self::Boolean(BooleanBuilder::with_capacity(BATCH_ROWS)),
            Type::DATE => Self::Date(Date32Builder::with_capacity(BATCH_ROWS)),
            Type::FLOAT4 => Self::Float4(Float64Builder::with_capacity(BATCH_ROWS)),
            Type::FLOAT8 => Self::Float8(Float64Builder::with_capacity(BATCH_ROWS)),
            Type::INT2 => Self::Int2(Int64Builder::with_capacity(BATCH_ROWS)),
            Type::INT4 => Self::Int4(Int64Builder::with_capacity(BATCH_ROWS)),
            Type::INT8 => Self::Int8(Int64Builder::with_capacity(BATCH_ROWS)),
            Type::OID => Self::Oid(Int64Builder::with_capacity(BATCH_ROWS)),
            Type::TIMESTAMP => {
                Self::Timestamp(TimestampMicrosecondBuilder::with_capacity(BATCH_ROWS))
            }
            Type::TIMESTAMPTZ => Self::Timestamp(
                TimestampMicrosecondBuilder::with_capacity(BATCH_ROWS).with_timezone("UTC"),
            ),
            _ => Self::Text(StringBuilder::new()),
        }
    }

    fn data_type(&self, data_type: &Type) -> arrow_schema::DataType {
        use arrow_schema::{DataType, TimeUnit};
        match self {
            Self::Boolean(_) => DataType::Boolean,
            Self::Date(_) => DataType::Date32,
            Self::Float4(_) | Self::Float8(_) => DataType::Float64,
            Self::Int2(_) | Self::Int4(_) | Self::Int8(_) | Self::Oid(_) => DataType::Int64,
            Self::Text(_) => DataType::Utf8,
            Self::Timestamp(_) => {
                let zone = (*base(data_type) == Type::TIMESTAMPTZ).then(|| "UTC".into());
                DataType::Timestamp(TimeUnit::Microsecond, zone)
            }
        }
    }

    /// Adds the value of a row.
    fn take(&mut self, row: &Row, index: usize) -> Result<(), tokio_postgres::Error> {
        match self {
            Self::Text(values) => values.append_option(row.try_get::<_, Option<&str>>(index)?),
            Self::Boolean(values) => values.append_option(row.try_get(index)?),
            Self::Date(values) => {
                let day: Option<Days> = row.try_get(index)?;
                values.append_option(day.map(|Days(days)| days));
            }
            Self::Float4(values) => {
                values.append_option(row.try_get::<_, Option<f32>>(index)?.map(f64::from));
            }
            Self::Float8(values) => values.append_option(row.try_get(index)?),
            Self::Int2(values) => {
                values.append_option(row.try_get::<_, Option<i16>>(index)?.map(i64::from));
            }
            Self::Int4(values) => {
                values.append_option(row.try_get::<_, Option<i32>>(index)?.map(i64::from));
            }
            Self::Int8(values) => values.append_option(row.try_get(index)?),
            Self::Oid(values) => {
                values.append_option(row.try_get::<_, Option<u32>>(index)?.map(i64::from));
            }
            Self::Timestamp(values) => {
                let moment: Option<Microseconds> = row.try_get(index)?;
                values.append_option(moment.map(|Microseconds(since)| since));
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Boolean(values) => Arc::new(values.finish()),
            Self::Date(values) => Arc::new(values.finish()),
            Self::Float4(values) | Self::Float8(values) => Arc::new(values.finish()),
            Self::Int2(values) | Self::Int4(values) | Self::Int8(values) | Self::Oid(values) => {
                Arc::new(values.finish())
            }
            Self::Text(values) => Arc::new(values.finish()),
            Self::Timestamp(values) => Arc::new(values.finish()),
        }
    }
}

/// Days since 1970. The smallest and largest value mean infinity, and stay as they are.
struct Days(i32);

impl<'a> FromSql<'a> for Days {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        let days = i32::from_be_bytes(raw.try_into()?);
        Ok(Self(if days == i32::MIN { days } else { days.saturating_add(EPOCH_DAYS) }))
    }

    fn accepts(data_type: &Type) -> bool {
        *data_type == Type::DATE
    }
}

/// Microseconds since 1970. The smallest and largest value mean infinity, and stay as they are.
struct Microseconds(i64);

impl<'a> FromSql<'a> for Microseconds {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        let since = i64::from_be_bytes(raw.try_into()?);
        let shift = if since == i64::MIN { 0 } else { EPOCH_MICROSECONDS };
        Ok(Self(since.saturating_add(shift)))
    }

    fn accepts(data_type: &Type) -> bool {
        [Type::TIMESTAMP, Type::TIMESTAMPTZ].contains(data_type)
    }
}
