//! Runs a statement and streams its rows in batches; it is cancelled when the reader goes away.

use std::sync::Arc;
use std::time::Instant;

use arrow_array::RecordBatch;
use arrow_schema::{DataType as ArrowType, Field, Schema, SchemaRef};
use wherefore_engine::catalog::DataType;
use wherefore_engine::session::{Cell, ResultColumn};
use wherefore_sql::NativeSql;

use super::rows::{self, Format, Shape};
use super::running::Statement;
use super::{Adbc, columnar, within};
use crate::database::limits::Caps;
use crate::database::stream::{BATCH_BYTES, BATCH_ROWS, Filling, channel};
use crate::database::{DatabaseError, Part, ResultStream, RunEnd, RunLimits, Turn, arrow};

/// Size in bytes above which a batch that was converted column by column is sent in pieces.
const PIECE_BYTES: usize = 1 << 20;

/// Output format of rows.
pub(super) trait Form: Default + Send + 'static {
    /// Columns.
    type Header: Send + 'static;
    /// Rows.
    type Batch: Send + 'static;

    /// Columns, given their first rows.
    fn header(&mut self, shapes: &[Shape], rows: &[Vec<Cell>]) -> Self::Header;

    /// Rows in this format.
    fn batch(&self, rows: Vec<Vec<Cell>>) -> Result<Self::Batch, DatabaseError>;

    /// Whether rows are converted column by column where that is possible.
    const BY_COLUMN: bool = false;

    /// All rows of a batch in this format, converted column by column and counted; `None` if they have to be converted row
    /// by row, since not all are within the limits, or a value does not fit its column.
    fn whole(
        &self,
        _batch: &RecordBatch,
        _shapes: &[Shape],
        _caps: &mut Caps,
    ) -> Option<Vec<Self::Batch>> {
        None
    }
}

/// Rows as cells.
#[derive(Default)]
pub(super) struct Cells;

impl Form for Cells {
    type Header = Vec<ResultColumn>;
    type Batch = Vec<Vec<Cell>>;

    fn header(&mut self, shapes: &[Shape], _: &[Vec<Cell>]) -> Vec<ResultColumn> {
        shapes.iter().map(|shape| shape.column.clone()).collect()
    }

    fn batch(&self, rows: Vec<Vec<Cell>>) -> Result<Vec<Vec<Cell>>, DatabaseError> {
        Ok(rows)
    }
}

/// Rows as Arrow batches, in the types of all Arrow results.
#[derive(Default)]
pub(super) struct Batches(Option<SchemaRef>);

impl Form for Batches {
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

    const BY_COLUMN: bool = true;

    fn whole(
        &self,
        batch: &RecordBatch,
        shapes: &[Shape],
        caps: &mut Caps,
    ) -> Option<Vec<RecordBatch>> {
        let found = columnar::converted(batch, shapes, self.0.as_ref()?).ok()?;
        let rows = found.rows.num_rows();
        if found.longest > caps.cell_bytes() || !caps.take_all(rows, found.bytes) {
            return None;
        }
        let count = found.bytes.div_ceil(PIECE_BYTES).clamp(1, rows.max(1));
        let step = rows.div_ceil(count).max(1);
        let piece = |from| found.rows.slice(from, step.min(rows - from));
        Some((0..rows).step_by(step).map(piece).collect())
    }
}

/// Arrow schema of columns, given their first rows. Exact decimals, and integers that may exceed 64 bits, are text.
pub(super) fn schema(shapes: &[Shape], rows: &[Vec<Cell>]) -> SchemaRef {
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

/// Starts a statement and returns the stream of its rows.
pub(super) async fn open<F: Form>(
    database: &Adbc,
    native: NativeSql,
    limits: RunLimits,
    turn: Option<&Turn>,
) -> Result<ResultStream<F::Header, F::Batch>, DatabaseError> {
    let (header, parts, mut filling) = channel();
    let start = Instant::now();
    let sql = within(database.profile, native.sql(), Some(limits.rows));
    let statement = database.begin(&sql, Vec::new(), limits.timeout, turn).await?;
    tokio::spawn(async move {
        if let Err(error) = fill::<F>(statement, &native, limits, start, &mut filling).await {
            filling.fail(error).await;
        }
    });
    ResultStream::opened(header, parts, None).await
}

/// Sends rows to the reader. Dropping the statement before its end cancels it.
async fn fill<F: Form>(
    mut statement: Statement,
    native: &NativeSql,
    limits: RunLimits,
    start: Instant,
    filling: &mut Filling<F::Header, F::Batch>,
) -> Result<(), DatabaseError> {
    let schema = tokio::select! {
        schema = statement.columns() => schema?,
        () = filling.abandoned() => return Ok(()),
    };
    let shapes = rows::shapes(&schema, native.columns());
    let mut caps = Caps::new(shapes.len(), limits)?;
    let (form, shapes_of) = (F::default(), &shapes[..]);
    let mut pending =
        Pending { form, has_begun: false, shapes: shapes_of, rows: Vec::new(), bytes: 0 };
    let truncated = 'all: loop {
        let received = tokio::select! {
            // A reader that went away is noticed by a failed send; it has to be watched only while waiting for rows.
            biased;
            received = statement.rows() => received?,
            () = filling.abandoned() => return Ok(()),
        };
        let Some(received) = received else { break false };
        if F::BY_COLUMN && received.num_rows() > 0 {
            if !pending.begin(&received, filling)? {
                return Ok(());
            }
            if let Some(batches) = pending.form.whole(&received, &shapes, &mut caps) {
                if !pending.send(filling).await? {
                    return Ok(());
                }
                for batch in batches {
                    if !filling.send(Part::Rows(batch)).await {
                        return Ok(());
                    }
                }
                continue;
            }
        }
        let found = rows::Rows::of(&received, &shapes).map_err(|error| unreadable(&error))?;
        for row in 0..received.num_rows() {
            let mut cells = found.row(row);
            let whole = |column: usize, length| rows::text_length(&shapes[column], length);
            let Some(more) = caps.take(&mut cells, whole) else { break 'all true };
            pending.bytes += more;
            pending.rows.push(cells);
            let is_full = pending.rows.len() >= BATCH_ROWS || pending.bytes >= BATCH_BYTES;
            if is_full && !pending.send(filling).await? {
                return Ok(());
            }
        }
    };
    drop(statement);
    if pending.send(filling).await? {
        filling.send(Part::End(RunEnd::new(caps, truncated, start))).await;
    }
    Ok(())
}

fn unreadable(error: &str) -> DatabaseError {
    DatabaseError::statement(format!("the rows cannot be read: {error}"))
}

/// Rows that are not sent yet.
struct Pending<'a, F> {
    form: F,
    has_begun: bool,
    shapes: &'a [Shape],
    rows: Vec<Vec<Cell>>,
    bytes: usize,
}

impl<F: Form> Pending<'_, F> {
    /// Sends the columns, given their first rows, if they were not sent yet. Returns whether somebody reads them.
    fn begin(
        &mut self,
        first: &RecordBatch,
        filling: &mut Filling<F::Header, F::Batch>,
    ) -> Result<bool, DatabaseError> {
        if self.has_begun {
            return Ok(true);
        }
        self.has_begun = true;
        let first = first.slice(0, first.num_rows().min(BATCH_ROWS));
        let rows = rows::Rows::of(&first, self.shapes).map_err(|error| unreadable(&error))?;
        let rows: Vec<Vec<Cell>> = (0..first.num_rows()).map(|row| rows.row(row)).collect();
        Ok(filling.open(|| self.form.header(self.shapes, &rows)))
    }

    /// Sends the columns, if they were not sent yet, and the rows. Returns whether somebody reads them.
    async fn send(
        &mut self,
        filling: &mut Filling<F::Header, F::Batch>,
    ) -> Result<bool, DatabaseError> {
        if !filling.open(|| self.form.header(self.shapes, &self.rows)) {
            return Ok(false);
        }
        self.bytes = 0;
        if self.rows.is_empty() {
            return Ok(true);
        }
        let batch = self.form.batch(std::mem::take(&mut self.rows))?;
        Ok(filling.send(Part::Rows(batch)).await)
    }
}
