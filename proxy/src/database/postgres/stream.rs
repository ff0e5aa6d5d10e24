//! Runs a statement on PostgreSQL and streams its rows in batches; it is cancelled when the reader goes away.

use std::time::Instant;

use futures_util::{StreamExt, pin_mut};
use tokio::time::timeout_at;
use tokio_postgres::types::Type;
use tokio_postgres::{Row, Statement};
use wherefore_sql::CheckedSql;

use super::lease::{GRACE, Lease, failure};
use super::pool::Postgres;
use crate::database::limits::Caps;
use crate::database::stream::{BATCH_BYTES, BATCH_ROWS, Filling, channel};
use crate::database::{DatabaseError, Part, ResultStream, RunEnd, RunLimits, Turn};

/// Output format of rows.
pub(super) trait Rows: Sized + Send + 'static {
    /// Columns.
    type Header: Send + 'static;
    /// Rows.
    type Batch: Send + 'static;

    /// An empty batch for the columns of a prepared statement, whose long texts are cut to this size.
    fn new(described: &Statement, cell_bytes: usize) -> Self;

    /// Wraps the statement so that its columns have the types this format reads, with at most `$1` rows.
    fn wrapped(&self, sql: &str) -> String;

    /// Columns.
    fn header(&self) -> Self::Header;

    /// Adds a row to the batch. Returns its size in bytes, or `None` if it exceeds a limit of the result.
    fn take(&mut self, row: &Row, caps: &mut Caps) -> Result<Option<usize>, DatabaseError>;

    /// Rows added since the last batch, if any.
    fn batch(&mut self) -> Result<Option<Self::Batch>, DatabaseError>;
}

/// Starts a checked statement and returns the stream of its rows.
pub(super) async fn open<R: Rows>(
    database: &Postgres,
    statement: &CheckedSql,
    limits: RunLimits,
    turn: Option<&Turn>,
) -> Result<ResultStream<R::Header, R::Batch>, DatabaseError> {
    let lease = database.begin_for(turn, limits.timeout).await?;
    let (header, parts, mut filling) = channel();
    let sql = statement.sql().to_owned();
    let deadline = tokio::time::Instant::now() + limits.timeout + GRACE;
    tokio::spawn(async move {
        // Dropping the lease before the statement has ended cancels the statement.
        let (ended, failed) = {
            let run = timeout_at(deadline, fill::<R>(&lease, &sql, limits, &mut filling));
            match run.await {
                Ok(Ok(ended)) => (ended, None),
                Ok(Err(error)) => (false, Some(error)),
                Err(_) => {
                    let seconds = limits.timeout.as_secs().max(1);
                    (false, Some(DatabaseError::Timeout { seconds }))
                }
            }
        };
        if let Some(error) = failed {
            drop(lease);
            filling.fail(error).await;
        } else if ended {
            lease.finish().await;
        }
    });
    ResultStream::opened(header, parts, None).await
}

/// Sends rows to the reader. Returns whether the statement has ended on the server.
async fn fill<R: Rows>(
    lease: &Lease,
    sql: &str,
    limits: RunLimits,
    filling: &mut Filling<R::Header, R::Batch>,
) -> Result<bool, DatabaseError> {
    let start = Instant::now();
    let client = lease.client()?;
    let described = client.prepare(sql).await;
    let described = described.map_err(|error| failure(&error, limits.timeout, sql))?;
    let mut caps = Caps::new(described.columns().len(), limits)?;
    let mut rows = R::new(&described, caps.cell_bytes());
    let wrapped = rows.wrapped(sql);
    let failed = |error: tokio_postgres::Error| {
        failure(&error, limits.timeout, &wrapped).within(&wrapped, sql)
    };
    let stream = tokio::select! {
        stream = client.query_typed_raw(&wrapped, [(i64::from(limits.rows) + 1, Type::INT8)]) => {
            stream.map_err(failed)?
        }
        () = filling.abandoned() => return Ok(false),
    };
    pin_mut!(stream);
    let (mut taken, mut bytes, mut truncated) = (0, 0, false);
    loop {
        let row = tokio::select! {
            // A reader that went away is noticed by a failed send; it has to be watched only while waiting for a row.
            biased;
            row = stream.next() => row,
            () = filling.abandoned() => return Ok(false),
        };
        let Some(row) = row else { break };
        let Some(more) = rows.take(&row.map_err(failed)?, &mut caps)? else {
            truncated = true;
            break;
        };
        taken += 1;
        bytes += more;
        if taken >= BATCH_ROWS || bytes >= BATCH_BYTES {
            if !send(&mut rows, filling).await? {
                return Ok(false);
            }
            (taken, bytes) = (0, 0);
        }
    }
    if !send(&mut rows, filling).await? {
        return Ok(false);
    }
    let is_full = caps.is_full();
    filling.send(Part::End(RunEnd::new(caps, truncated, start))).await;
    // One row beyond the limit was requested, so the statement has ended if that row came last.
    Ok(!truncated || (is_full && stream.next().await.is_none()))
}

async fn send<R: Rows>(
    rows: &mut R,
    filling: &mut Filling<R::Header, R::Batch>,
) -> Result<bool, DatabaseError> {
    if !filling.open(|| rows.header()) {
        return Ok(false);
    }
    Ok(match rows.batch()? {
        Some(batch) => filling.send(Part::Rows(batch)).await,
        None => true,
    })
}
