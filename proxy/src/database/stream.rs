//! Streams of rows in bounded batches, with backpressure: a database produces them as fast as they are read.

use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use tokio::sync::{mpsc, oneshot};
use wherefore_engine::session::{Cell, ResultColumn, ResultSet};

use super::DatabaseError;
use super::limits::{Caps, Cuts};

/// Maximum number of rows in a batch.
pub(super) const BATCH_ROWS: usize = 1_024;
/// Size in bytes at which a batch is sent.
pub(super) const BATCH_BYTES: usize = 256 * 1024;
/// Capacity of the channel, in batches.
const WAITING: usize = 2;

/// Timeout of handing an error to the reader of a stream.
const PATIENCE: Duration = Duration::from_secs(2);

/// Receiver of the columns, or of the error.
pub(super) type HeaderEnd<H> = oneshot::Receiver<Result<H, DatabaseError>>;
/// Receiver of the batches.
pub(super) type PartsEnd<B> = mpsc::Receiver<Result<Part<B>, DatabaseError>>;

/// Rows as cells.
pub type CellStream = ResultStream<Vec<ResultColumn>, Vec<Vec<Cell>>>;
/// Rows as Arrow batches.
pub type ArrowStream = ResultStream<SchemaRef, RecordBatch>;

/// A result: columns, then batches of rows, then a summary. Dropping it cancels the statement.
#[derive(Debug)]
pub struct ResultStream<H, B> {
    /// Columns.
    pub header: H,
    parts: PartsEnd<B>,
    until: Option<Deadline>,
}

/// Time by which the database must have sent the next part, and the timeout that a later one reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    pub(super) at: Instant,
    pub(super) timeout: Duration,
}

impl Deadline {
    /// Error of a statement that has exceeded its timeout.
    pub(super) fn exceeded(self) -> DatabaseError {
        DatabaseError::Timeout { seconds: self.timeout.as_secs().max(1) }
    }

    /// The result of a future, or the error if it is not ready by the deadline. What is ready is never late.
    pub(super) async fn bound<T>(
        this: Option<Self>,
        future: impl Future<Output = T>,
    ) -> Result<T, DatabaseError> {
        match this {
            Some(deadline) => {
                let bound = tokio::time::timeout_at(deadline.at.into(), future).await;
                bound.map_err(|_| deadline.exceeded())
            }
            None => Ok(future.await),
        }
    }
}

/// Next item of a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Part<B> {
    /// Rows.
    Rows(B),
    /// The last part.
    End(RunEnd),
}

/// Summary of a run.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct RunEnd {
    /// Number of rows.
    pub rows: u64,
    /// Whether rows were left out because of a limit.
    pub truncated: bool,
    /// Milliseconds since the statement was sent.
    pub elapsed_ms: u32,
    /// Cells that were cut.
    pub cuts: Cuts,
}

impl RunEnd {
    pub(super) fn new(caps: Caps, truncated: bool, start: Instant) -> Self {
        let elapsed_ms = u32::try_from(start.elapsed().as_millis()).unwrap_or(u32::MAX);
        Self { rows: caps.rows(), truncated, elapsed_ms, cuts: caps.into_cuts() }
    }
}

impl<H, B> ResultStream<H, B> {
    /// Waits for the columns, and returns the stream of these receivers. After the deadline, waiting for columns or rows
    /// fails with a timeout, even if the database does not react to its interruption.
    pub(super) async fn opened(
        header: HeaderEnd<H>,
        parts: PartsEnd<B>,
        until: Option<Deadline>,
    ) -> Result<Self, DatabaseError> {
        let header = Deadline::bound(until, header).await?.map_err(|_| abandoned())??;
        Ok(Self { header, parts, until })
    }

    /// Next batch, or the summary. A stream that breaks off returns an error.
    pub async fn next(&mut self) -> Result<Part<B>, DatabaseError> {
        let next = Deadline::bound(self.until, self.parts.recv()).await?;
        next.unwrap_or_else(|| Err(abandoned()))
    }
}

impl CellStream {
    /// All rows.
    pub async fn collect(mut self) -> Result<ResultSet, DatabaseError> {
        let mut rows = Vec::new();
        loop {
            match self.next().await? {
                Part::Rows(batch) => rows.extend(batch),
                Part::End(RunEnd { truncated, elapsed_ms, cuts, .. }) => {
                    return Ok(ResultSet {
                        columns: self.header,
                        rows,
                        truncated,
                        cut_cells: cuts.listed,
                        cut_count: cuts.count,
                        elapsed_ms,
                        ..ResultSet::default()
                    });
                }
            }
        }
    }
}

fn abandoned() -> DatabaseError {
    DatabaseError::Unavailable("the client abandoned the statement".into())
}

/// Sender side of a stream. Columns are sent with the first batch, so that a statement that fails before its first row
/// has no partial result.
#[derive(Debug)]
pub(super) struct Filling<H, B> {
    header: Option<oneshot::Sender<Result<H, DatabaseError>>>,
    parts: mpsc::Sender<Result<Part<B>, DatabaseError>>,
}

/// Receivers and sender of a new stream.
pub(super) fn channel<H, B>() -> (HeaderEnd<H>, PartsEnd<B>, Filling<H, B>) {
    let (header, columns) = oneshot::channel();
    let (parts, read) = mpsc::channel(WAITING);
    (columns, read, Filling { header: Some(header), parts })
}

impl<H, B> Filling<H, B> {
    /// Sends the columns, once. Returns `false` if the reader is gone.
    pub(super) fn open(&mut self, header: impl FnOnce() -> H) -> bool {
        match self.header.take() {
            Some(sender) => sender.send(Ok(header())).is_ok(),
            None => true,
        }
    }

    /// Sends an item when there is capacity. Returns `false` if the reader is gone.
    pub(super) async fn send(&self, part: Part<B>) -> bool {
        self.parts.send(Ok(part)).await.is_ok()
    }

    /// Like [`Filling::send`], from a blocking thread and up to a deadline. Returns `None` if there was no capacity
    /// by then.
    pub(super) fn blocking_send(&self, part: Part<B>, until: Instant) -> Option<bool> {
        let sent = tokio::time::timeout_at(until.into(), self.parts.send(Ok(part)));
        tokio::runtime::Handle::current().block_on(sent).ok().map(|sent| sent.is_ok())
    }

    /// Sends the error that ends the stream, after everything that was sent before.
    pub(super) async fn fail(self, error: DatabaseError) {
        match self.header {
            Some(header) => drop(header.send(Err(error))),
            // The error is dropped if the reader does not take it in time.
            None => drop(tokio::time::timeout(PATIENCE, self.parts.send(Err(error))).await),
        }
    }

    /// Like [`Filling::fail`], from a blocking thread.
    pub(super) fn blocking_fail(self, error: DatabaseError) {
        tokio::runtime::Handle::current().block_on(self.fail(error));
    }

    /// Like [`Filling::abandoned`], as a future that another task can await.
    pub(super) fn watcher(&self) -> impl Future<Output = ()> + Send + use<H, B>
    where
        H: Send + 'static,
        B: Send + 'static,
    {
        let parts = self.parts.clone();
        async move { parts.closed().await }
    }

    /// Completes when the reader is gone.
    pub(super) async fn abandoned(&self) {
        self.parts.closed().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_a_database_has_sent_is_not_late_and_the_next_part_is() {
        let (header, parts, mut filling) = channel::<u32, u32>();
        let until = Deadline { at: Instant::now(), timeout: Duration::from_secs(7) };
        assert!(filling.open(|| 1) && filling.send(Part::Rows(2)).await);
        let mut stream = ResultStream::opened(header, parts, Some(until)).await.unwrap();
        assert_eq!(stream.next().await, Ok(Part::Rows(2)));
        assert_eq!(stream.next().await, Err(DatabaseError::Timeout { seconds: 7 }));
        let (header, parts, _filling) = channel::<u32, u32>();
        let late = ResultStream::opened(header, parts, Some(until)).await;
        assert_eq!(late.unwrap_err(), DatabaseError::Timeout { seconds: 7 });
    }
}
