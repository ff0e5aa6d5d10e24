//! NDJSON: a line with the columns, a line per row as an array, and a line with the summary.

use serde_json::json;
use wherefore_engine::session::{Cell, ResultColumn};

use super::writer::{Broken, Writer};
use crate::database::{DatabaseError, RunEnd};

/// Writes NDJSON.
pub(super) struct Ndjson;

impl Writer<Vec<ResultColumn>, Vec<Vec<Cell>>> for Ndjson {
    fn start(&mut self, columns: &Vec<ResultColumn>) -> Result<Vec<u8>, DatabaseError> {
        Ok(line(&json!({ "columns": columns })))
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<Vec<u8>, DatabaseError> {
        let mut lines = Vec::new();
        for row in rows {
            serde_json::to_writer(&mut lines, &row).map_err(|error| {
                DatabaseError::statement(format!("cannot write the rows as JSON: {error}"))
            })?;
            lines.push(b'\n');
        }
        Ok(lines)
    }

    fn end(&mut self, end: &RunEnd) -> Result<Vec<u8>, DatabaseError> {
        let RunEnd { rows, truncated, elapsed_ms, cuts } = end;
        let mut summary = json!({ "rows": rows, "truncated": truncated, "elapsed_ms": elapsed_ms });
        if cuts.count > 0 {
            summary["cut_cells"] = json!(cuts.listed);
            summary["cut_count"] = json!(cuts.count);
        }
        Ok(line(&summary))
    }

    fn broken(&mut self, error: &DatabaseError) -> Broken {
        let (code, detail) = (error.code(), error.to_string());
        let retryable = error.is_retryable();
        let error = json!({ "code": code, "detail": detail, "retryable": retryable });
        Broken::Reported(line(&json!({ "error": error })))
    }
}

fn line(value: &serde_json::Value) -> Vec<u8> {
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    line
}
