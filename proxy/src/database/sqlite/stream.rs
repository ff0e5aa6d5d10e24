//! Runs a statement on SQLite in a thread and streams its rows in batches; it is stopped when the reader goes away.

use std::sync::Arc;
use std::time::Instant;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use rusqlite::Connection;
use wherefore_engine::session::{Cell, ResultColumn};
use wherefore_sql::CheckedSql;

use super::failure::failure;
use super::file::{GRACE, Sqlite};
use super::rows;
use super::watch::{CancelOnDrop, Watch};
use crate::database::limits::Caps;
use crate::database::stream::{BATCH_BYTES, BATCH_ROWS, Deadline, Filling, channel};
use crate::database::{DatabaseError, Part, ResultStream, RunEnd, RunLimits, Turn, arrow};

/// Output format of rows.
pub(super) trait Rows: Send + 'static {
    /// Columns.
    type Header: Send + 'static;
    /// Rows.
    type Batch: Send + 'static;

    /// Columns, with types refined by the first rows.
    fn header(&mut self, columns: &[ResultColumn], rows: &[Vec<Cell>]) -> Self::Header;

    /// Rows in this format.
    fn batch(&self, rows: Vec<Vec<Cell>>) -> Result<Self::Batch, DatabaseError>;
}

/// Rows as cells.
pub(super) struct Cells;

impl Rows for Cells {
    type Header = Vec<ResultColumn>;
    type Batch = Vec<Vec<Cell>>;

    fn header(&mut self, columns: &[ResultColumn], _: &[Vec<Cell>]) -> Vec<ResultColumn> {
        columns.to_vec()
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

    fn header(&mut self, columns: &[ResultColumn], rows: &[Vec<Cell>]) -> SchemaRef {
        Arc::clone(self.0.insert(arrow::schema(columns, rows)))
    }

    fn batch(&self, rows: Vec<Vec<Cell>>) -> Result<RecordBatch, DatabaseError> {
        let schema =
            self.0.as_ref().ok_or_else(|| arrow::unreadable(&"the result has no columns"))?;
        arrow::batch(schema, &rows)
    }
}

/// Starts a checked statement and returns the stream of its rows.
pub(super) async fn open<R: Rows>(
    database: &Sqlite,
    statement: &CheckedSql,
    limits: RunLimits,
    turn: Option<&Turn>,
    form: R,
) -> Result<ResultStream<R::Header, R::Batch>, DatabaseError> {
    open_text(database, statement.sql().to_owned(), limits, turn, form).await
}

/// Starts a statement. Only tests pass unchecked text.
pub(super) async fn open_text<R: Rows>(
    database: &Sqlite,
    sql: String,
    limits: RunLimits,
    turn: Option<&Turn>,
    mut form: R,
) -> Result<ResultStream<R::Header, R::Batch>, DatabaseError> {
    let (header, parts, mut filling) = channel();
    let watch = Watch::new(limits.timeout);
    let stop = Arc::clone(&watch);
    let nobody_reads = filling.watcher();
    let until = Deadline { at: Instant::now() + limits.timeout + GRACE, timeout: limits.timeout };
    let work = database.start(turn, watch, limits.timeout, move |connection| {
        let filled = fill(connection, &sql, limits, &mut form, &mut filling);
        if let Err(error) = &filled {
            // The reader gets the error; the pool decides by it whether to keep the connection.
            filling.blocking_fail(error.clone());
        }
        filled
    });
    let mut working = work.await?;
    tokio::spawn(async move {
        let _stop = CancelOnDrop(stop);
        tokio::select! {
            _ = &mut working => {}
            () = nobody_reads => {}
        }
    });
    ResultStream::opened(header, parts, Some(until)).await
}

fn fill<R: Rows>(
    connection: &Connection,
    sql: &str,
    limits: RunLimits,
    form: &mut R,
    filling: &mut Filling<R::Header, R::Batch>,
) -> Result<(), DatabaseError> {
    let start = Instant::now();
    let failed = |error: rusqlite::Error| failure(&error, limits.timeout);
    let until = start + limits.timeout;
    let late = || DatabaseError::Timeout { seconds: limits.timeout.as_secs().max(1) };
    let mut statement = connection.prepare(sql).map_err(failed)?;
    if !statement.readonly() {
        return Err(DatabaseError::Refused("the statement is not read-only".into()));
    }
    let declared = rows::columns(&statement);
    let mut caps = Caps::new(declared.len(), limits)?;
    let mut columns = Some(declared.clone());
    let mut read = statement.query(()).map_err(failed)?;
    let (mut batch, mut bytes, mut truncated, mut ended) = (Vec::new(), 0, false, false);
    while !ended {
        match read.next().map_err(failed)? {
            None => ended = true,
            Some(row) => {
                let mut cells = rows::cells(row, &declared, caps.cell_bytes()).map_err(failed)?;
                if let Some(more) =
                    caps.take(&mut cells, |column, _| rows::text_length(row, column))
                {
                    bytes += more;
                    batch.push(cells);
                } else {
                    (truncated, ended) = (true, true);
                }
            }
        }
        if ended || batch.len() >= BATCH_ROWS || bytes >= BATCH_BYTES {
            if let Some(mut columns) = columns.take() {
                rows::refine_types(&mut columns, &batch);
                if !filling.open(|| form.header(&columns, &batch)) {
                    return Ok(());
                }
            }
            if !batch.is_empty() {
                let rows = form.batch(std::mem::take(&mut batch))?;
                if !filling.blocking_send(Part::Rows(rows), until).ok_or_else(late)? {
                    return Ok(());
                }
                bytes = 0;
            }
        }
    }
    filling
        .blocking_send(Part::End(RunEnd::new(caps, truncated, start)), until)
        .map(|_| ())
        .ok_or_else(late)
}
