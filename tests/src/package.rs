//! Runs the npm package in Node, and compares JavaScript values with those of the native engine.
//!
//! The package must have been built: `cargo xtask test --only wasm`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use wherefore_engine::text::Span;

use crate::{Failure, workspace};

/// Folder of the package.
pub fn folder() -> PathBuf {
    std::env::var_os("WHEREFORE_PACKAGE")
        .map_or_else(|| workspace::root().join("target/pkg"), PathBuf::from)
}

/// Runs a script of `tests/data` on the package with an input, and returns its output.
pub fn run(script: &str, input: &Value) -> Result<Value, Failure> {
    let scratch = tempfile::TempDir::new()?;
    let (from, to) = (scratch.path().join("input.json"), scratch.path().join("output.json"));
    fs::write(&from, input.to_string())?;
    let node = Command::new("node")
        .arg(workspace::root().join("tests/data").join(script))
        .args([&folder(), &from, &to])
        .output()?;
    if !node.status.success() {
        return Err(String::from_utf8_lossy(&node.stderr).into());
    }
    Ok(serde_json::from_str(&fs::read_to_string(to)?)?)
}

/// Converts a value of the native engine to what JavaScript receives: spans in UTF-16 code units.
pub fn as_javascript(value: &Value, text: &str) -> Value {
    let mut value = plain(value);
    to_utf16(&mut value, text);
    value
}

/// Removes differences that JavaScript does not have: absent fields and nulls, `1` and `1.0`.
pub fn plain(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, field)| !field.is_null())
            .map(|(name, field)| (name.clone(), plain(field)))
            .collect(),
        Value::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}

fn to_utf16(value: &mut Value, text: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| to_utf16(item, text)),
        Value::Object(fields) => {
            let place = |name: &str| fields.get(name).and_then(Value::as_f64);
            if let (Some(start), Some(end), 2) = (place("start"), place("end"), fields.len()) {
                let span = Span { start: start as u32, end: end as u32 }.to_utf16(text);
                *value = plain(&json!({"start": span.start, "end": span.end}));
                return;
            }
            fields.values_mut().for_each(|field| to_utf16(field, text));
        }
        _ => {}
    }
}
