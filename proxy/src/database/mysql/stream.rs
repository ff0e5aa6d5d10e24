//! Runs a statement and streams its rows in batches; it is killed when the reader goes away.

use std::time::Instant;

use futures_util::StreamExt;
use mysql_async::prelude::Queryable;
use mysql_async::{Error, Row};
use tokio::time::timeout_at;
use wherefore_sql::NativeSql;

use super::failure::failure;
use super::form::Rows;
use super::lease::{GRACE, Lease};
use super::pool::Mysql;
use super::rows;
use crate::database::limits::Caps;
use crate::database::stream::{BATCH_BYTES, BATCH_ROWS, Filling, channel};
use crate::database::{DatabaseError, Part, ResultStream, RunEnd, RunLimits, Turn};

/// Starts a statement and returns the stream of its rows.
pub(super) async fn open<R: Rows>(
    database: &Mysql,
    statement: NativeSql,
    limits: RunLimits,
    turn: Option<&Turn>,
) -> Result<ResultStream<R::Header, R::Batch>, DatabaseError> {
    let lease = database.begin_for(turn, limits.timeout, Some(limits.rows)).await?;
    open_on::<R>(lease, statement, limits).await
}

/// Like [`open`], on a borrowed connection.
async fn open_on<R: Rows>(
    mut lease: Lease,
    statement: NativeSql,
    limits: RunLimits,
) -> Result<ResultStream<R::Header, R::Batch>, DatabaseError> {
    let (header, parts, mut filling) = channel();
    let deadline = tokio::time::Instant::now() + limits.timeout + GRACE;
    tokio::spawn(async move {
        // Dropping the lease before the statement has ended kills the statement.
        let (ended, failed) = {
            let run = timeout_at(deadline, fill::<R>(&mut lease, &statement, limits, &mut filling));
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
    lease: &mut Lease,
    statement: &NativeSql,
    limits: RunLimits,
    filling: &mut Filling<R::Header, R::Batch>,
) -> Result<bool, DatabaseError> {
    let start = Instant::now();
    let failed = |error: Error| failure(&error, limits.timeout);
    let connection = lease.connection()?;
    let prepared = connection.prep(statement.sql()).await.map_err(failed)?;
    if prepared.num_params() > 0 {
        return Err(DatabaseError::statement("the statement has a parameter without a value"));
    }
    let shapes = rows::shapes(&prepared.columns(), statement.columns());
    let mut caps = Caps::new(shapes.len(), limits)?;
    let mut form = R::default();
    let mut result = tokio::select! {
        result = connection.exec_iter(prepared, ()) => result.map_err(failed)?,
        () = filling.abandoned() => return Ok(false),
    };
    let Some(mut stream) = result.stream::<Row>().await.map_err(failed)? else {
        return Err(DatabaseError::statement("the statement returns no rows"));
    };
    let (mut batch, mut bytes, mut truncated, mut ended) = (Vec::new(), 0, false, false);
    while !ended {
        let row = tokio::select! {
            // A reader that went away is noticed by a failed send; it has to be watched only while waiting for a row.
            biased;
            row = stream.next() => row,
            () = filling.abandoned() => return Ok(false),
        };
        match row {
            None => ended = true,
            Some(row) => {
                let mut cells = rows::cells(row.map_err(failed)?, &shapes);
                let whole = |column: usize, length| rows::text_length(&shapes[column], length);
                if let Some(more) = caps.take(&mut cells, whole) {
                    bytes += more;
                    batch.push(cells);
                } else {
                    (truncated, ended) = (true, true);
                }
            }
        }
        if ended || batch.len() >= BATCH_ROWS || bytes >= BATCH_BYTES {
            if !filling.open(|| form.header(&shapes, &batch)) {
                return Ok(false);
            }
            if !batch.is_empty() {
                let rows = form.batch(std::mem::take(&mut batch))?;
                if !filling.send(Part::Rows(rows)).await {
                    return Ok(false);
                }
                bytes = 0;
            }
        }
    }
    let is_full = caps.is_full();
    filling.send(Part::End(RunEnd::new(caps, truncated, start))).await;
    // One row beyond the limit was requested, so the statement has ended if that row came last.
    Ok(!truncated || (is_full && stream.next().await.is_none()))
}
