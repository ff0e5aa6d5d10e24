//! Exports in formats that are written as a whole: rows go to a temporary file, which is sent once the statement and
//! the file are complete.
//!
//! An error before that is a problem document, so no client gets a file that looks complete and is not.

use std::fs::File;
use std::io::Read;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use http_body::Frame;
use http_body_util::StreamBody;

use super::headers::{self, Format};
use crate::database::{Part, ResultStream, RunEnd};
use crate::problem::Problem;

/// Size of the parts in which a file is read, in bytes.
const PART_BYTES: usize = 64 * 1024;

/// Writer of one format to a temporary file.
pub(super) trait FileWriter<B>: Sized + Send + 'static {
    /// Writes rows.
    fn rows(&mut self, batch: B) -> Result<(), Problem>;

    /// Completes the file, which is returned at its start, and states in it what is missing.
    fn end(self, end: &RunEnd) -> Result<File, Problem>;
}

/// Writes all rows to a file and returns the response that sends it. Dropping the future cancels the statement.
pub(super) async fn whole<H, B, W>(
    mut rows: ResultStream<H, B>,
    mut writer: W,
    format: Format,
    name: &str,
) -> Result<Response, Problem>
where
    B: Send + 'static,
    W: FileWriter<B>,
{
    let end = loop {
        match rows.next().await? {
            Part::Rows(batch) => {
                writer = blocking(move || {
                    writer.rows(batch)?;
                    Ok(writer)
                })
                .await?;
            }
            Part::End(end) => break end,
        }
    };
    let (file, length, end) = blocking(move || {
        let file = writer.end(&end)?;
        let length = file.metadata().map_err(Problem::internal)?.len();
        Ok((file, length, end))
    })
    .await?;
    let headers = headers::of_file(format, name, length, &end);
    let frames = stream::unfold(Some(file), part);
    Ok((headers, Body::new(StreamBody::new(frames))).into_response())
}

/// The next part of a file; none after its end or an error.
async fn part(file: Option<File>) -> Option<(Result<Frame<Bytes>, axum::Error>, Option<File>)> {
    let mut file = file?;
    let read = blocking(move || {
        let mut bytes = Vec::with_capacity(PART_BYTES);
        let part = file.by_ref().take(PART_BYTES as u64).read_to_end(&mut bytes);
        part.map_err(Problem::internal)?;
        Ok((bytes, file))
    });
    match read.await {
        Ok((bytes, _)) if bytes.is_empty() => None,
        Ok((bytes, file)) => Some((Ok(Frame::data(Bytes::from(bytes))), Some(file))),
        Err(_) => Some((Err(axum::Error::new("the file of an export cannot be read")), None)),
    }
}

/// The result of work that occupies its thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(Problem::internal(error)))
}
