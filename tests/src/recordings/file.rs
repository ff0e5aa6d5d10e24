//! File format of recordings: one JSON value per line; first the parts of the pool, then an empty line, then the
//! records.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::pool::{Pool, moved};
use crate::{Failure, workspace};

/// The text of a recording.
pub(super) fn text(pool: &Pool, records: &[(String, Value)]) -> String {
    let mut text = String::new();
    for part in pool.parts() {
        text.push_str(&part.to_string());
        text.push('\n');
    }
    for (name, value) in records {
        text.push('\n');
        text.push_str(&json!({ "name": name, "value": value }).to_string());
    }
    text.push('\n');
    text
}

/// Records of a text, with references to parts of this pool instead of its own.
pub(super) fn adopt(text: &str, pool: &mut Pool) -> Result<Vec<(String, Value)>, Failure> {
    let (parts, records) = text.split_once("\n\n").ok_or("the file has no records")?;
    let mut places = Vec::new();
    for line in parts.lines() {
        let part: Value = serde_json::from_str(line)?;
        let part = pool.put(moved(&part, &places));
        places.push(part);
    }
    let mut adopted = Vec::new();
    for line in records.lines() {
        let record: Value = serde_json::from_str(line)?;
        let name = record["name"].as_str().ok_or("a record has no name")?;
        adopted.push((name.to_owned(), moved(&record["value"], &places)));
    }
    Ok(adopted)
}

/// The committed text of an area, if there is one.
pub(super) fn read(area: &str) -> Result<Option<String>, Failure> {
    let compressed = match fs::read(path(area)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut text = String::new();
    GzDecoder::new(compressed.as_slice()).read_to_string(&mut text)?;
    Ok(Some(text))
}

/// Writes the text of an area; the header of the gzip file contains neither a time nor a name.
pub(super) fn write(area: &str, text: &str) -> Result<(), Failure> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    let path = path(area);
    fs::create_dir_all(path.with_file_name(""))?;
    fs::write(path, encoder.finish()?)?;
    Ok(())
}

fn path(area: &str) -> PathBuf {
    workspace::root().join(format!("tests/recordings/{area}.jsonl.gz"))
}
