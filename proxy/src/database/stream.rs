//! Rows on their way: bounded batches that a database makes no faster than they are read.

use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use tokio::sync::{mpsc, oneshot};
use wherefore_engine::session::{Cell, ResultColumn, ResultSet};

use super::DatabaseError;

/// Most rows of a batch.
pub(super) const BATCH_ROWS: usize = 1_024;
/// Bytes beyond which a batch is sent on.
pub(super) const BATCH_BYTES: usize = 256 * 1024;
/// Batches that may wait to be read.
const WAITING: usize = 2;

/// Longest wait for a reader to take the reason why a stream broke off.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where columns come, or why there are none.
pub(super) type HeaderEnd<H> = oneshot::Receiver<Result<H, DatabaseError>>;
/// Where batches come.
pub(super) type PartsEnd<B> = mpsc::Receiver<Result<Part<B>, DatabaseError>>;

/// Rows as cells.
pub type CellStream = ResultStream<Vec<ResultColumn>, Vec<Vec<Cell>>>;
/// Rows as Arrow batches.
pub type ArrowStream = ResultStream<SchemaRef, RecordBatch>;

/// Columns, then batches of rows, then how it ended; dropping it stops the statement.
#[derive(Debug)]
pub struct ResultStream<H, B> {
    /// Columns.
    pub header: H,
    parts: PartsEnd<B>,
}

/// What a stream gives next.
#[derive(Clone, Debug, PartialEq)]
pub enum Part<B> {
    /// Rows.
    Rows(B),
    /// The last part.
    End(RunEnd),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RunEnd {
    /// Rows given.
    pub rows: u64,
    /// Whether rows were left out because of a cap.
    pub truncated: bool,
    /// Milliseconds since the statement was sent.
    pub elapsed_ms: u32,
}

impl RunEnd {
    pub(super) fn new(rows: u64, truncated: bool, start: Instant) -> Self {
        let elapsed_ms = u32::try_from(start.elapsed().as_millis()).unwrap_or(u32::MAX);
        Self { rows, truncated, elapsed_ms }
    }
}

impl<H, B> ResultStream<H, B> {
    /// The stream that these ends fill, once its columns are known.
    pub(super) async fn opened(
        header: HeaderEnd<H>,
        parts: PartsEnd<B>,
    ) -> Result<Self, DatabaseError> {
        Ok(Self { header: header.await.map_err(|_| abandoned())??, parts })
    }

    /// Next batch, or how it ended; a stream that breaks off is an error, never an end.
    pub async fn next(&mut self) -> Result<Part<B>, DatabaseError> {
        self.parts.recv().await.unwrap_or_else(|| Err(abandoned()))
    }
}

impl CellStream {
    /// All rows.
    pub async fn collect(mut self) -> Result<ResultSet, DatabaseError> {
        let mut rows = Vec::new();
        loop {
            match self.next().await? {
                Part::Rows(batch) => rows.extend(batch),
                Part::End(RunEnd { truncated, elapsed_ms, .. }) => {
                    return Ok(ResultSet {
                        columns: self.header,
                        rows,
                        truncated,
                        elapsed_ms,
                        ..ResultSet::default()
                    });
                }
            }
        }
    }
}

fn abandoned() -> DatabaseError {
    DatabaseError::Unavailable("statement was abandoned".into())
}

/// The end of a stream that a database fills: columns are sent with the first batch, so that a statement that fails
/// before it has rows fails as a whole.
#[derive(Debug)]
pub(super) struct Filling<H, B> {
    header: Option<oneshot::Sender<Result<H, DatabaseError>>>,
    parts: mpsc::Sender<Result<Part<B>, DatabaseError>>,
}

/// Ends of a stream: one to be read, one to be filled.
pub(super) fn channel<H, B>() -> (HeaderEnd<H>, PartsEnd<B>, Filling<H, B>) {
    let (header, columns) = oneshot::channel();
    let (parts, read) = mpsc::channel(WAITING);
    (columns, read, Filling { header: Some(header), parts })
}

impl<H, B> Filling<H, B> {
    /// Tells the columns, once; false where nobody reads.
    pub(super) fn open(&mut self, header: impl FnOnce() -> H) -> bool {
        match self.header.take() {
            Some(sender) => sender.send(Ok(header())).is_ok(),
            None => true,
        }
    }

    /// Sends a part when there is room; false where nobody reads.
    pub(super) async fn send(&self, part: Part<B>) -> bool {
        self.parts.send(Ok(part)).await.is_ok()
    }

    /// The same on a thread that may block, until a moment; none where there was no room by then.
    pub(super) fn blocking_send(&self, part: Part<B>, until: Instant) -> Option<bool> {
        let sent = tokio::time::timeout_at(until.into(), self.parts.send(Ok(part)));
        tokio::runtime::Handle::current().block_on(sent).ok().map(|sent| sent.is_ok())
    }

    /// Tells why there are no more rows; whoever reads sees it after what was sent before.
    pub(super) async fn fail(self, error: DatabaseError) {
        match self.header {
            Some(header) => drop(header.send(Err(error))),
            // Whoever does not even read this is left behind.
            None => drop(tokio::time::timeout(PATIENCE, self.parts.send(Err(error))).await),
        }
    }

    /// The same on a thread that may block.
    pub(super) fn blocking_fail(self, error: DatabaseError) {
        tokio::runtime::Handle::current().block_on(self.fail(error));
    }

    /// The same as [`Filling::abandoned`], for another task.
    pub(super) fn watcher(&self) -> impl Future<Output = ()> + Send + use<H, B>
    where
        H: Send + 'static,
        B: Send + 'static,
    {
        let parts = self.parts.clone();
        async move { parts.closed().await }
    }

    /// Ends when nobody reads any more.
    pub(super) async fn abandoned(&self) {
        self.parts.closed().await;
    }
}
