//! Exports: CSV, NDJSON and Arrow IPC streams, sent while rows arrive, and Excel and Parquet files, sent when they are
//! complete.

mod arrow;
mod csv;
mod file;
mod headers;
mod ndjson;
mod parquet;
mod sheet_value;
mod summary;
mod writer;
mod xlsx;

pub(crate) use headers::{Format, accepted};
pub(crate) use xlsx::within_sheet;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use http_body::Frame;
use http_body_util::StreamBody;

use self::writer::{Broken, Writer};
use crate::database::{ArrowStream, CellStream, DatabaseError, Part, ResultStream, RunEnd};
use crate::problem::Problem;

/// State of a result while it is written.
enum Stage<H, B, W> {
    Start(ResultStream<H, B>, W),
    Rows(ResultStream<H, B>, W),
    Trailers(RunEnd),
    Broken(DatabaseError),
    End,
}

type Step<H, B, W> = (Result<Frame<Bytes>, DatabaseError>, Stage<H, B, W>);

/// Cells as CSV (RFC 4180).
pub(crate) fn csv(rows: CellStream, guard_formulas: bool, name: &str) -> Response {
    let writer = csv::Csv::new(&rows.header, guard_formulas);
    response(rows, writer, Format::Csv, name)
}

/// Cells as lines of JSON.
pub(crate) fn ndjson(rows: CellStream, name: &str) -> Response {
    response(rows, ndjson::Ndjson, Format::Ndjson, name)
}

/// Record batches as an Arrow IPC stream.
pub(crate) fn arrow(rows: ArrowStream, name: &str) -> Result<Response, DatabaseError> {
    let writer = arrow::Arrow::new(&rows.header)?;
    Ok(response(rows, writer, Format::Arrow, name))
}

/// Record batches as a Parquet file, which is complete when the response starts.
pub(crate) async fn parquet(rows: ArrowStream, name: &str) -> Result<Response, Problem> {
    let writer = parquet::Parquet::new(&rows.header)?;
    file::whole(rows, writer, Format::Parquet, name).await
}

/// Cells as an Excel workbook, which is complete when the response starts.
pub(crate) async fn xlsx(rows: CellStream, name: &str) -> Result<Response, Problem> {
    let writer = xlsx::Xlsx::new(&rows.header)?;
    file::whole(rows, writer, Format::Xlsx, name).await
}

fn response<H, B, W>(rows: ResultStream<H, B>, writer: W, format: Format, name: &str) -> Response
where
    H: Send + 'static,
    B: Send + 'static,
    W: Writer<H, B>,
{
    let frames = stream::unfold(Stage::Start(rows, writer), step);
    let headers = headers::of_stream(format, name);
    (headers, Body::new(StreamBody::new(frames))).into_response()
}

async fn step<H, B, W: Writer<H, B>>(stage: Stage<H, B, W>) -> Option<Step<H, B, W>> {
    let written = |bytes: Vec<u8>| Ok(Frame::data(Bytes::from(bytes)));
    Some(match stage {
        Stage::Start(rows, mut writer) => match writer.start(&rows.header) {
            Ok(bytes) => (written(bytes), Stage::Rows(rows, writer)),
            Err(error) => (Err(error), Stage::End),
        },
        Stage::Rows(mut rows, mut writer) => {
            let next = match rows.next().await {
                Ok(Part::Rows(batch)) => writer.rows(batch).map(|bytes| (bytes, None)),
                Ok(Part::End(end)) => writer.end(&end).map(|bytes| (bytes, Some(end))),
                Err(error) => Err(error),
            };
            match next {
                Ok((bytes, None)) => (written(bytes), Stage::Rows(rows, writer)),
                Ok((bytes, Some(end))) => (written(bytes), Stage::Trailers(end)),
                Err(error) => {
                    tracing::warn!(%error, "an export was interrupted");
                    match writer.broken(&error) {
                        Broken::Reported(bytes) => (written(bytes), Stage::End),
                        Broken::Aborted(bytes) if bytes.is_empty() => (Err(error), Stage::End),
                        Broken::Aborted(bytes) => (written(bytes), Stage::Broken(error)),
                    }
                }
            }
        }
        Stage::Trailers(end) => (Ok(Frame::trailers(headers::summary(&end))), Stage::End),
        Stage::Broken(error) => {
            // The connection sends what it has before it asks again.
            tokio::task::yield_now().await;
            (Err(error), Stage::End)
        }
        Stage::End => return None,
    })
}
