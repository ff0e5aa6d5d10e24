//! Feature flags of a question: defaults of the server, and overrides of the request.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use wherefore_engine::settings::Settings;
use wherefore_engine::writing::{WritingFlags, WritingSettings};

use super::service::Questions;
use crate::knowledge::Knowledge;
use crate::problem::{Problem, ProblemCode};

/// Flags that a request overrides, by name.
pub(crate) type AskedFlags = BTreeMap<String, bool>;

/// Flags of a question.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Flags {
    /// The engine composes statements.
    composer: bool,
    /// Ambiguities are clarified with the user.
    clarification: bool,
    /// Planned joins are confirmed or corrected before a statement is composed.
    confirm_joins: bool,
    /// Memory is used and updated.
    pub(crate) learning: bool,
    /// The language model writes what cannot be composed; off without one.
    model: bool,
    #[serde(flatten)]
    writing: WritingFlags,
}

impl Flags {
    /// Default flags of the server, for these engine settings.
    pub(crate) fn of(questions: &Questions, settings: &Settings) -> Self {
        Self {
            composer: settings.composer,
            clarification: settings.enable_clarification,
            confirm_joins: settings.confirm_joins,
            learning: true,
            model: settings.model && questions.model.is_some(),
            writing: questions.writing.flags,
        }
    }

    /// The flags with the overrides of a request. Unknown names are an error.
    pub(crate) fn with(
        mut self,
        asked: &AskedFlags,
        questions: &Questions,
    ) -> Result<Self, Problem> {
        let mut writing = serde_json::to_value(self.writing).map_err(Problem::internal)?;
        for (name, on) in asked {
            match name.as_str() {
                "composer" => self.composer = *on,
                "clarification" | "enable_clarification" => self.clarification = *on,
                "skip_clarification" => self.clarification = !*on,
                "confirm_joins" => self.confirm_joins = *on,
                "learning" => self.learning = *on,
                "model" => self.model = *on && questions.model.is_some(),
                other => match writing.get_mut(other) {
                    Some(flag) => *flag = Value::Bool(*on),
                    None => return Err(unknown(other)),
                },
            }
        }
        self.writing = serde_json::from_value(writing).map_err(Problem::internal)?;
        Ok(self)
    }

    /// The engine with these flags.
    pub(crate) fn knowledge(&self, knowledge: Arc<Knowledge>) -> Arc<Knowledge> {
        let before = knowledge.engine.settings();
        let settings = Settings {
            composer: self.composer,
            enable_clarification: self.clarification,
            confirm_joins: self.confirm_joins,
            model: self.model,
            ..before.clone()
        };
        if settings == *before {
            return knowledge;
        }
        Arc::new(knowledge.with_settings(settings))
    }

    /// Settings of the language model with these flags.
    pub(crate) fn writing_settings(&self, base: &WritingSettings) -> WritingSettings {
        WritingSettings { flags: self.writing, ..base.clone() }
    }
}

fn unknown(name: &str) -> Problem {
    let shown: String = name.chars().take(60).collect();
    Problem::new(ProblemCode::InvalidRequest, format!("unknown flag {shown:?}"))
        .with("pointer", "/flags")
}
