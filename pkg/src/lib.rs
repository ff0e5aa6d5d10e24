//! JavaScript bindings of [`wherefore_engine`]: the classes `Engine` and `Session`, with TypeScript types.
//!
//! Objects pass as JSON text, which `pkg/js/engine.ts` reads and writes: conversions to JavaScript objects would be another
//! 29 kB of compressed code. Spans count UTF-16 code units, as JavaScript strings do.

mod error;
mod in_bytes;
mod spans;

use std::sync::OnceLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;
use wherefore_engine::memory::{Memory, Scope};
use wherefore_engine::session::Completion;
use wherefore_engine::{FailureCode, Session as EngineSession, Words};

/// Words that were loaded.
static WORDS: OnceLock<Words> = OnceLock::new();

/// Runs when the module is loaded; installs a hook that reports panics in the console.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Loads the word file of this version; `Engine.create` needs it.
///
/// Throws `InitError` if the bytes are something else.
#[wasm_bindgen(js_name = loadWords)]
pub fn load_words(file: Vec<u8>) -> Result<(), JsValue> {
    let words = Words::read(file).map_err(|problem| error::words(&problem))?;
    // The file of this version is always the same, so the first one stays.
    WORDS.get_or_init(|| words);
    Ok(())
}

/// Indexed catalog and word lists, shared by sessions; creating it is the only expensive call.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine(wherefore_engine::Engine);

#[wasm_bindgen]
impl Engine {
    /// Indexes the response of `GET /api/v1/catalog`.
    ///
    /// Throws `KnowledgeError` if the object has another shape.
    pub fn create(knowledge: &str) -> Result<Engine, JsValue> {
        let words = WORDS.get().ok_or_else(error::no_words)?;
        let knowledge = read(knowledge, "KnowledgeError", "invalid_knowledge")?;
        Ok(Self(wherefore_engine::Engine::with_words(knowledge, words)))
    }

    /// Like `preview`, for a text that may be a follow-up to the question of `context`.
    #[wasm_bindgen(js_name = previewAfter)]
    pub fn preview_after(&self, text: &str, today: &str, context: &str) -> Result<String, JsValue> {
        let context = read(context, "ContextError", "invalid_context")?;
        let mut preview = self.0.preview_after(text, today, &context);
        spans::preview_to_utf16(&mut preview, text);
        write(&preview)
    }

    /// Continuations of a text at `cursor` while it is typed; `context` is that of a question that the text may follow.
    pub fn completions(
        &self,
        text: &str,
        cursor: u32,
        today: &str,
        context: Option<String>,
    ) -> Result<String, JsValue> {
        let mut found = self.found(text, spans::byte_at(text, cursor), today, context)?;
        spans::completions_to_utf16(&mut found, text);
        write(&found)
    }

    /// Interpretation of a text while it is typed; `today` is `yyyy-mm-dd`.
    pub fn preview(&self, text: &str, today: &str) -> Result<String, JsValue> {
        let mut preview = self.0.preview(text, today);
        spans::preview_to_utf16(&mut preview, text);
        write(&preview)
    }
}

impl Engine {
    /// Continuations of a text at a byte of it.
    fn found(
        &self,
        text: &str,
        cursor: usize,
        today: &str,
        context: Option<String>,
    ) -> Result<Vec<Completion>, JsValue> {
        Ok(match context {
            Some(context) => {
                let context = read(&context, "ContextError", "invalid_context")?;
                self.0.completions_after(text, cursor, today, &context)
            }
            None => self.0.completions(text, cursor, today),
        })
    }
}

/// One question and its clarifications, up to its answer.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session(EngineSession);

#[wasm_bindgen]
impl Session {
    /// A new session without context and memory.
    pub fn create() -> Session {
        Self(EngineSession::new())
    }

    /// A new session with the context of an earlier question and the remembered choices.
    ///
    /// Throws `StartError` if the object has another shape.
    pub fn started(start: &str) -> Result<Session, JsValue> {
        let start = read(start, "StartError", "invalid_start")?;
        Ok(Self(EngineSession::started(start)))
    }

    /// Context for a follow-up question; `undefined` until a statement has been composed.
    pub fn context(&self) -> Result<Option<String>, JsValue> {
        self.0.context().map(|context| write(&context)).transpose()
    }

    /// Adds new choices of this session to a memory and returns it; `today` is `yyyy-mm-dd`.
    ///
    /// Throws `MemoryError` if the object has another shape.
    pub fn remembered(
        &mut self,
        engine: &Engine,
        memory: &str,
        today: &str,
    ) -> Result<String, JsValue> {
        let mut memory: Memory =
            read(memory, "MemoryError", FailureCode::MemoryUnreadable.as_str())?;
        let choices = self.0.take_choices();
        memory.record(&choices, Scope::Person, engine.0.settings(), today);
        write(&memory)
    }

    /// Restores a session from its snapshot.
    ///
    /// Throws `SnapshotError` if the text is no snapshot or was written by a later version.
    pub fn restore(snapshot: &str) -> Result<Session, JsValue> {
        EngineSession::restore(snapshot).map(Self).map_err(|problem| error::snapshot(&problem))
    }

    /// Processes an event and returns the effects that the host is to perform.
    ///
    /// Throws `StepError` if the event is not allowed now; the session then stays unchanged.
    pub fn step(&mut self, engine: &Engine, event: &str) -> Result<String, JsValue> {
        let event = read(event, "StepError", "invalid_event")?;
        let effects = self.0.step(&engine.0, event).map_err(|problem| error::step(&problem))?;
        write(&effects)
    }

    /// The state of the session for display.
    pub fn view(&self) -> Result<String, JsValue> {
        let mut view = self.0.view().clone();
        spans::view_to_utf16(&mut view);
        write(&view)
    }

    /// The session as text, from which `restore` creates it again.
    ///
    /// Throws `SnapshotError` if it cannot be encoded.
    pub fn snapshot(&self) -> Result<String, JsValue> {
        self.0.snapshot().map_err(|problem| error::snapshot(&problem))
    }
}

fn read<T: DeserializeOwned>(json: &str, name: &str, code: &str) -> Result<T, JsValue> {
    wherefore_engine::read_json(json)
        .map_err(|problem| error::new(name, code, &problem.to_string()))
}

fn write<T: Serialize>(value: &T) -> Result<String, JsValue> {
    serde_json::to_string(value)
        .map_err(|problem| error::new("EncodingError", "encoding_failed", &problem.to_string()))
}
