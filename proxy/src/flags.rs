//! Flags of a question (`spec` §16): what the server has on, and what a request turns on or off for itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::StatusCode;
use serde::Serialize;
use serde_json::Value;
use wherefore_engine::settings::Settings;
use wherefore_engine::writing::WritingFlags;

use crate::problem::Problem;
use crate::source::Knowledge;
use crate::state::{AppState, Shared};

/// Flags that a request sets, by name.
pub(crate) type AskedFlags = BTreeMap<String, bool>;

/// Flags in force.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Flags {
    /// Statements are composed.
    composer: bool,
    /// What is open is asked.
    clarification: bool,
    /// Memory decides, and is added to.
    pub(crate) learning: bool,
    /// What cannot be composed is given to the model; never on where there is none.
    model: bool,
    #[serde(flatten)]
    writing: WritingFlags,
}

impl Flags {
    /// Flags of the server, under these settings of the engine.
    pub(crate) fn of(state: &AppState, settings: &Settings) -> Self {
        Self {
            composer: settings.composer,
            clarification: settings.enable_clarification,
            learning: true,
            model: settings.model && state.model.is_some(),
            writing: state.writing.flags,
        }
    }

    /// The same with what a request asks for; a name that is no flag's is refused.
    pub(crate) fn with(mut self, asked: &AskedFlags, state: &AppState) -> Result<Self, Problem> {
        let mut writing = serde_json::to_value(self.writing).map_err(Problem::internal)?;
        for (name, on) in asked {
            match name.as_str() {
                "composer" => self.composer = *on,
                "clarification" => self.clarification = *on,
                "learning" => self.learning = *on,
                "model" => self.model = *on && state.model.is_some(),
                other => match writing.get_mut(other) {
                    Some(flag) => *flag = Value::Bool(*on),
                    None => return Err(unknown(other)),
                },
            }
        }
        self.writing = serde_json::from_value(writing).map_err(Problem::internal)?;
        Ok(self)
    }

    /// Knowledge whose engine goes by these flags.
    pub(crate) fn knowledge(&self, knowledge: Arc<Knowledge>) -> Arc<Knowledge> {
        let before = knowledge.engine.settings();
        let settings = Settings {
            composer: self.composer,
            enable_clarification: self.clarification,
            model: self.model,
            ..before.clone()
        };
        if settings == *before {
            return knowledge;
        }
        Arc::new(knowledge.with_settings(settings))
    }

    /// State whose writing goes by these flags.
    pub(crate) fn state(&self, state: &AppState) -> AppState {
        if state.writing.flags == self.writing {
            return state.clone();
        }
        let mut shared = Shared::clone(state);
        shared.writing.flags = self.writing;
        shared.into()
    }
}

fn unknown(name: &str) -> Problem {
    let shown: String = name.chars().take(60).collect();
    Problem::new(StatusCode::BAD_REQUEST, "invalid_request", format!("no flag is named {shown:?}"))
        .with("pointer", "/flags")
}
