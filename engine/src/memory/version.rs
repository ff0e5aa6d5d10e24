//! Reads a memory of any version: older ones are migrated, newer ones rejected.

use serde_json::{Value, json};
use thiserror::Error;

use super::{Memory, VERSION};
use crate::failure::FailureCode;
use crate::json::read_json;

/// Why a memory was rejected.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum MemoryError {
    /// The memory was written by a newer version.
    #[error("memory has version {found}, at most {supported} is read")]
    Newer {
        /// Version of the memory.
        found: u64,
        /// Newest supported version.
        supported: u32,
    },
    /// The text is not a memory.
    #[error("memory cannot be read: {0}")]
    Unreadable(String),
}

impl MemoryError {
    /// Stable code.
    pub fn code(&self) -> FailureCode {
        match self {
            Self::Newer { .. } => FailureCode::MemoryNewer,
            Self::Unreadable(_) => FailureCode::MemoryUnreadable,
        }
    }
}

impl Memory {
    /// Reads a memory from JSON, in this version or an older one.
    pub fn read(text: &str) -> Result<Self, MemoryError> {
        let unreadable = |error: serde_json::Error| MemoryError::Unreadable(error.to_string());
        let mut value: Value = read_json(text).map_err(unreadable)?;
        let version = value.get("version").and_then(Value::as_u64).unwrap_or(0);
        if version > u64::from(VERSION) {
            return Err(MemoryError::Newer { found: version, supported: VERSION });
        }
        if version == 0 {
            migrate_0(&mut value);
        }
        read_json(&value.to_string()).map_err(unreadable)
    }
}

/// Version 0 was a list of patterns without scope, date and id.
fn migrate_0(value: &mut Value) {
    let mut patterns = match value {
        Value::Array(patterns) => std::mem::take(patterns),
        Value::Object(fields) => match fields.remove("patterns") {
            Some(Value::Array(patterns)) => patterns,
            _ => return,
        },
        _ => return,
    };
    for (position, pattern) in patterns.iter_mut().enumerate() {
        if let Value::Object(fields) = pattern {
            fields.entry("id").or_insert_with(|| json!(format!("m_{position:016x}")));
            fields.entry("last_used").or_insert_with(|| json!("1970-01-01"));
            fields.entry("frequency").or_insert_with(|| json!(1));
            fields.entry("context").or_insert_with(|| json!([]));
        }
    }
    *value = json!({ "version": VERSION, "patterns": patterns });
}

#[cfg(test)]
mod tests {
    use super::super::{Memory, MemoryError, Scope};
    use crate::failure::FailureCode;

    #[test]
    fn an_older_version_is_migrated_and_a_newer_one_refused() {
        let old = r#"[{ "ambiguity": "vague_term", "phrase": "recent", "meaning": "last 7 days",
            "answer": { "type": "option", "option_id": "7_days" }, "frequency": 4 }]"#;
        let memory = Memory::read(old).unwrap();
        assert_eq!(memory.version, super::VERSION);
        assert_eq!((memory.patterns[0].scope, memory.patterns[0].frequency), (Scope::Person, 4));
        let again = serde_json::to_string(&memory).unwrap();
        assert_eq!(Memory::read(&again).unwrap(), memory);
        let newer = Memory::read(r#"{ "version": 2 }"#).unwrap_err();
        assert_eq!(newer, MemoryError::Newer { found: 2, supported: 1 });
        assert_eq!(Memory::read("no").unwrap_err().code(), FailureCode::MemoryUnreadable);
    }
}
