//! Names of values as serialised.

use serde::Serialize;
use serde_json::Value;

/// Name of a value that serialises to a string, such as an enum variant without fields.
pub(crate) fn wire_name(named: impl Serialize) -> String {
    match serde_json::to_value(named) {
        Ok(Value::String(name)) => name,
        Ok(other) => {
            tracing::error!(%other, "cannot serialize a value");
            String::new()
        }
        Err(error) => {
            tracing::error!(%error, "cannot serialize a value");
            String::new()
        }
    }
}
