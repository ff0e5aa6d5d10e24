//! The engine for JavaScript: two classes over [`wherefore_engine`], with TypeScript types.
//!
//! Plain objects go in and come out; spans are in UTF-16 code units, as JavaScript counts them.

mod error;
mod spans;
#[cfg(feature = "sql")]
mod sql;

#[cfg(feature = "sql")]
pub use sql::Explained;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use wherefore_engine::memory::{Memory, Scope};
use wherefore_engine::session::{Context, Effect, Event, Preview, Start, View};
use wherefore_engine::{Knowledge, Session as EngineSession};

/// Runs when the module is loaded: a panic is then reported in the console with its place.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Indexed knowledge that sessions share; building it is the only expensive call.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine(wherefore_engine::Engine);

#[wasm_bindgen]
impl Engine {
    /// Indexes the knowledge, as `GET /api/v1/catalog` gives it.
    ///
    /// Throws `KnowledgeError` where it is not of that shape.
    pub fn create(knowledge: Ts<Knowledge>) -> Result<Engine, JsValue> {
        let knowledge = read(&knowledge, "KnowledgeError", "invalid_knowledge")?;
        Ok(Self(wherefore_engine::Engine::new(knowledge)))
    }

    /// The same preview for a text that may go on from what was asked before.
    #[wasm_bindgen(js_name = previewAfter)]
    pub fn preview_after(
        &self,
        text: &str,
        today: &str,
        context: Ts<Context>,
    ) -> Result<Ts<Preview>, JsValue> {
        let context = read(&context, "ContextError", "invalid_context")?;
        let mut preview = self.0.preview_after(text, today, &context);
        spans::preview_to_utf16(&mut preview, text);
        write(&preview)
    }

    /// What the engine makes of a text while it is typed; `today` is `yyyy-mm-dd`.
    pub fn preview(&self, text: &str, today: &str) -> Result<Ts<Preview>, JsValue> {
        let mut preview = self.0.preview(text, today);
        spans::preview_to_utf16(&mut preview, text);
        write(&preview)
    }
}

/// One question on its way to an answer.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session(EngineSession);

#[wasm_bindgen]
impl Session {
    /// A session that nothing was asked in yet.
    pub fn create() -> Session {
        Self(EngineSession::new())
    }

    /// A session that knows what was asked before, and what is remembered.
    ///
    /// Throws `StartError` where the start is not of that shape.
    pub fn started(start: Ts<Start>) -> Result<Session, JsValue> {
        let start = read(&start, "StartError", "invalid_start")?;
        Ok(Self(EngineSession::started(start)))
    }

    /// What a follow-up goes on from; nothing before a statement of composed SQL was written.
    pub fn context(&self) -> Result<Option<Ts<Context>>, JsValue> {
        self.0.context().map(|context| write(&context)).transpose()
    }

    /// Puts the choices that were not put there before into a memory; `today` is `yyyy-mm-dd`.
    ///
    /// Throws `MemoryError` where the memory is not of that shape.
    pub fn remembered(
        &mut self,
        engine: &Engine,
        memory: Ts<Memory>,
        today: &str,
    ) -> Result<Ts<Memory>, JsValue> {
        let mut memory = read(&memory, "MemoryError", "memory_unreadable")?;
        let choices = self.0.take_choices();
        memory.record(&choices, Scope::Person, engine.0.settings(), today);
        write(&memory)
    }

    /// A session from its snapshot.
    ///
    /// Throws `SnapshotError` where the text is not one, or was written by a later version.
    pub fn restore(snapshot: &str) -> Result<Session, JsValue> {
        EngineSession::restore(snapshot).map(Self).map_err(|problem| error::snapshot(&problem))
    }

    /// Takes an event, and gives back what the host is to do.
    ///
    /// Throws `StepError` where the event does not fit; the session is then as it was before.
    pub fn step(&mut self, engine: &Engine, event: Ts<Event>) -> Result<Vec<Ts<Effect>>, JsValue> {
        let event = read(&event, "StepError", "invalid_event")?;
        let effects = self.0.step(&engine.0, event).map_err(|problem| error::step(&problem))?;
        effects.iter().map(write).collect()
    }

    /// Everything a screen needs.
    pub fn view(&self) -> Result<Ts<View>, JsValue> {
        let mut view = self.0.view().clone();
        spans::view_to_utf16(&mut view);
        write(&view)
    }

    /// The session as text, to be restored here or elsewhere.
    pub fn snapshot(&self) -> String {
        self.0.snapshot()
    }
}

fn read<T: Tsify + DeserializeOwned>(value: &Ts<T>, name: &str, code: &str) -> Result<T, JsValue>
where
    T::JsType: Clone + JsCast,
{
    T::from_js(value.js_value()).map_err(|problem| error::new(name, code, &problem.to_string()))
}

fn write<T: Tsify + Serialize>(value: &T) -> Result<Ts<T>, JsValue> {
    value
        .into_ts()
        .map_err(|problem| error::new("EncodingError", "encoding_failed", &problem.to_string()))
}
