//! A statement of PostgreSQL as it runs: rows are passed on in batches, and nobody reading cancels it.

use std::time::Instant;

use futures_util::{StreamExt, pin_mut};
use tokio::time::timeout_at;
use tokio_postgres::types::Type;
use tokio_postgres::{Row, Statement};
use wherefore_engine::sql::CheckedSql;

use super::Postgres;
use super::lease::{GRACE, Lease, failure};
use crate::database::limits::Caps;
use crate::database::stream::{BATCH_BYTES, BATCH_ROWS, Filling, channel};
use crate::database::{DatabaseError, Part, ResultStream, RunEnd, RunLimits};

/// A form that rows are given in.
pub(super) trait Rows: Sized + Send + 'static {
    /// Columns.
    type Header: Send + 'static;
    /// Rows.
    type Batch: Send + 'static;

    /// Empty rows of a prepared statement.
    fn new(described: &Statement, limits: RunLimits) -> Self;

    /// The statement with its columns written as this form reads them, and with at most `$1` rows.
    fn wrapped(&self, sql: &str) -> String;

    /// Columns.
    fn header(&self) -> Self::Header;

    /// Takes a row; the bytes that it adds, none where a cap leaves it out.
    fn take(&mut self, row: &Row, caps: &mut Caps) -> Result<Option<usize>, DatabaseError>;

    /// Rows taken since the last batch; none where there are none.
    fn batch(&mut self) -> Result<Option<Self::Batch>, DatabaseError>;
}

/// Starts a checked statement.
pub(super) async fn open<R: Rows>(
    database: &Postgres,
    statement: &CheckedSql,
    limits: RunLimits,
) -> Result<ResultStream<R::Header, R::Batch>, DatabaseError> {
    let lease = database.begin(limits.timeout).await?;
    let (header, parts, mut filling) = channel();
    let sql = statement.sql().to_owned();
    let deadline = tokio::time::Instant::now() + limits.timeout + GRACE;
    tokio::spawn(async move {
        // Dropping the lease before the statement has come to its end cancels it.
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
    ResultStream::opened(header, parts).await
}

/// Passes rows on; whether the statement has come to its end.
async fn fill<R: Rows>(
    lease: &Lease,
    sql: &str,
    limits: RunLimits,
    filling: &mut Filling<R::Header, R::Batch>,
) -> Result<bool, DatabaseError> {
    let start = Instant::now();
    let failed = |error: tokio_postgres::Error| failure(&error, limits.timeout);
    let client = lease.client()?;
    let described = client.prepare(sql).await.map_err(failed)?;
    let mut caps = Caps::new(described.columns().len(), limits)?;
    let mut rows = R::new(&described, limits);
    let wrapped = rows.wrapped(sql);
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
            // Whether anybody reads matters only while there is no row; sending tells otherwise.
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
    filling.send(Part::End(RunEnd::new(caps.rows(), truncated, start))).await;
    // The row beyond the limit is the last one that was asked for.
    Ok(!truncated || (caps.is_full() && stream.next().await.is_none()))
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
