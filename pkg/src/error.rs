//! Errors thrown to JavaScript: an `Error` with `name`, `code` and `message`.

use js_sys::{Error, Reflect};
use wasm_bindgen::JsValue;
use wherefore_engine::WordsError;
use wherefore_engine::session::{SnapshotError, StepError};

/// An `Error` with a stable code.
pub(crate) fn new(name: &str, code: &str, message: &str) -> JsValue {
    let error = Error::new(message);
    error.set_name(name);
    // Setting a property of a fresh object cannot fail.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}

/// Error of a rejected event.
pub(crate) fn step(problem: &StepError) -> JsValue {
    let error = new("StepError", problem.code().as_str(), &problem.to_string());
    if let StepError::InvalidWords { text, span: Some(span), .. } = problem {
        // Two numbers can be converted, and set on a fresh object.
        if let Ok(span) = serde_wasm_bindgen::to_value(&span.to_utf16(text)) {
            let _ = Reflect::set(&error, &"span".into(), &span);
        }
    }
    error
}

/// Error of a word file that is rejected.
pub(crate) fn words(problem: &WordsError) -> JsValue {
    new("InitError", problem.code().as_str(), &problem.to_string())
}

/// Error of a call before the words were loaded.
pub(crate) fn no_words() -> JsValue {
    new("InitError", "not_initialized", "the words are not loaded; await init() first")
}

/// Error of a snapshot that is invalid or cannot be encoded.
pub(crate) fn snapshot(problem: &SnapshotError) -> JsValue {
    new("SnapshotError", problem.code().as_str(), &problem.to_string())
}
