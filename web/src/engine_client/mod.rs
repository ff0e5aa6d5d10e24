//! The engine as the page uses it: a client of the engine's own Wasm module, which is loaded beside the page.
//!
//! Calls are synchronous and pass JSON text. The page uses `wherefore-engine` only for types that it shares with the
//! module; a call of the engine's functions would link them into the page as well.

mod bindings;
mod module;
mod screen;
mod wire;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use wherefore_engine::catalog::Catalog;
use wherefore_engine::memory::Memory;
use wherefore_engine::session::{Completion, ResultSet};
use wherefore_engine::settings::Settings;

use bindings::{RawEngine, RawSession};
pub use module::Module;
pub use screen::{
    Assumption, Clarification, ClarificationOption, Confidence, CustomInput, CustomKind, Preview,
    Understanding, View,
};
pub use wire::{Effect, EffectKind, EffectRequest, EffectResult, Event};

/// Code of an event that the engine cannot read.
pub const INVALID_EVENT: &str = "invalid_event";
/// Code of the result of an effect that was cancelled or replaced.
pub const UNKNOWN_EFFECT: &str = "unknown_effect";

/// Why the engine did not do what it was asked.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{message}")]
pub struct Refusal {
    /// Stable error code.
    pub code: String,
    /// One sentence without a full stop.
    pub message: String,
}

/// What an exception of the module states.
impl From<JsValue> for Refusal {
    fn from(thrown: JsValue) -> Self {
        let code = js_sys::Reflect::get(&thrown, &"code".into()).ok();
        let message = match thrown.dyn_ref::<js_sys::Error>() {
            Some(error) => error.message().into(),
            None => format!("{thrown:?}"),
        };
        Self {
            code: code.and_then(|code| code.as_string()).unwrap_or_else(|| "failed".to_owned()),
            message,
        }
    }
}

/// An engine of the module, with the catalog and the settings that it works on.
#[derive(Debug)]
pub struct Engine {
    module: Module,
    raw: RawEngine,
    catalog: Rc<Catalog>,
    settings: Settings,
}

/// The part of the response of `GET /api/v1/catalog` that the page reads itself.
#[derive(Deserialize)]
struct Given {
    #[serde(default)]
    settings: Settings,
}

impl Engine {
    /// Builds an engine on the response of `GET /api/v1/catalog`.
    pub fn new(module: Module, knowledge: &str) -> Result<Self, Refusal> {
        let Given { settings } = read(knowledge)?;
        let raw = module.script.engine_class().create(knowledge)?;
        let catalog = read(&raw.catalog()?)?;
        Ok(Self { module, raw, catalog: Rc::new(catalog), settings })
    }

    /// An engine on another response of `GET /api/v1/catalog`.
    pub fn on(&self, knowledge: &str) -> Result<Self, Refusal> {
        Self::new(self.module.clone(), knowledge)
    }

    /// An engine with other settings that shares the index.
    pub fn with_settings(&self, settings: Settings) -> Result<Self, Refusal> {
        let raw = self.raw.with_settings(&written(&settings))?;
        Ok(Self { module: self.module.clone(), raw, catalog: Rc::clone(&self.catalog), settings })
    }

    /// The catalog, with the foreign keys that were inferred.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Interpretation of a text while it is typed, which may be a follow-up to the question of a context.
    pub fn preview(
        &self,
        text: &str,
        today: &str,
        context: Option<&Context>,
    ) -> Result<Preview, Refusal> {
        let context = context.map(|context| &*context.0);
        read(&self.raw.preview(text, today, context)?)
    }

    /// Continuations of a text at a byte of it, while it is typed, the likeliest first.
    pub fn completions(
        &self,
        text: &str,
        cursor: usize,
        today: &str,
        context: Option<&Context>,
    ) -> Result<Vec<Completion>, Refusal> {
        let context = context.map(|context| &*context.0);
        let cursor = u32::try_from(cursor).unwrap_or(u32::MAX);
        read(&self.raw.completions(text, cursor, today, context)?)
    }

    /// A new session with the context of an earlier question, the remembered choices, and those of others as JSON.
    pub fn session(
        &self,
        context: Option<&Context>,
        memory: &Memory,
        chosen: Option<&RawValue>,
    ) -> Result<Session, Refusal> {
        let context = context.map_or("null", |context| &*context.0);
        let (memory, chosen) = (written(memory), chosen.map_or("[]", RawValue::get));
        let start = format!(r#"{{"context":{context},"memory":{memory},"chosen":{chosen}}}"#);
        let sessions = self.module.script.session_class();
        let raw = sessions.started(&start)?;
        Ok(Session { raw, context: RefCell::default(), rows: RefCell::default() })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.raw.free();
    }
}

/// What a session needs to know about an earlier one: JSON that only the engine reads.
#[derive(Clone, Debug)]
pub struct Context(Rc<str>);

/// The texts and corrections that lead to the statement of a question.
#[derive(Clone, Debug, Deserialize)]
pub struct Path {
    /// Texts, oldest first.
    said: Vec<Said>,
    /// Corrections of the texts, as JSON that only the engine reads.
    #[serde(default)]
    pub corrections: Vec<Box<RawValue>>,
}

#[derive(Clone, Debug, Deserialize)]
struct Said {
    text: String,
}

impl Path {
    /// The texts, oldest first.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.said.iter().map(|said| said.text.as_str())
    }
}

impl Context {
    /// The texts and corrections that lead to the statement.
    pub fn path(&self) -> Option<Path> {
        serde_json::from_str(&self.0).ok()
    }
}

/// One question and its clarifications, up to its answer.
#[derive(Debug)]
pub struct Session {
    raw: RawSession,
    /// The context after the last step, once it was asked for: each keystroke of a follow-up needs it.
    context: RefCell<OnceCell<Option<Context>>>,
    /// The rows of the view's result. There may be many, so they do not come back with each view.
    rows: RefCell<Option<ResultSet>>,
}

impl Session {
    /// Context for a follow-up question; `None` until a statement has been composed.
    pub fn context(&self) -> Option<Context> {
        let read = || self.raw.context().ok().flatten().map(|json| Context(json.into()));
        self.context.borrow().get_or_init(read).clone()
    }

    /// The memory with the new choices of this session, each of which is added once.
    pub fn remembered(
        &self,
        engine: &Engine,
        memory: &Memory,
        today: &str,
    ) -> Result<Memory, Refusal> {
        let memory = self.raw.remembered(&engine.raw, &written(memory), today);
        read(&memory?)
    }

    /// Processes an event of the user and returns the effects to perform; a refused event changes nothing.
    pub fn step(&self, engine: &Engine, event: &Event) -> Result<Vec<Effect>, Refusal> {
        self.step_by(engine, &event.text())
    }

    /// Processes the result of an effect, as `step` does.
    pub fn finish(
        &self,
        engine: &Engine,
        effect_id: u32,
        result: &EffectResult,
    ) -> Result<Vec<Effect>, Refusal> {
        let effects = self.step_by(engine, &result.event(effect_id))?;
        // Rows that arrive while others are shown are those beyond a limit, which the engine only counts.
        let mut rows = self.rows.borrow_mut();
        if rows.is_none() {
            *rows = result.result_set();
        }
        Ok(effects)
    }

    fn step_by(&self, engine: &Engine, event: &str) -> Result<Vec<Effect>, Refusal> {
        self.context.take();
        read(&self.raw.step(&engine.raw, event)?)
    }

    /// The state of the session for display.
    pub fn view(&self) -> Result<View, Refusal> {
        let mut view: View = read(&self.raw.view()?)?;
        let mut rows = self.rows.borrow_mut();
        match &mut view.result {
            Some(result) => *result = rows.clone().unwrap_or_default(),
            None => *rows = None,
        }
        Ok(view)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.raw.free_session();
    }
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, Refusal> {
    wherefore_engine::read_json(json).map_err(|error| Refusal {
        code: "response_unreadable".to_owned(),
        message: error.to_string(),
    })
}

fn written<T: Serialize>(value: &T) -> String {
    // The types that are passed always serialise.
    serde_json::to_string(value).unwrap_or_default()
}
