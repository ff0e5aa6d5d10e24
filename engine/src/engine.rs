//! The engine: indexed knowledge that sessions share.

use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::session::Preview;
use crate::settings::Settings;

/// What an engine is built from.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Knowledge {
    /// The catalog, with its pack merged in.
    pub catalog: Catalog,
    /// Settings.
    #[serde(default)]
    pub settings: Settings,
}

/// Indexed knowledge: building it is the only expensive call.
#[derive(Debug)]
pub struct Engine {
    knowledge: Knowledge,
}

impl Engine {
    /// Index of the knowledge.
    pub fn new(knowledge: Knowledge) -> Self {
        Self { knowledge }
    }

    /// The catalog.
    pub fn catalog(&self) -> &Catalog {
        &self.knowledge.catalog
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.knowledge.settings
    }

    /// What the engine makes of a text while it is typed; `today` is `yyyy-mm-dd`.
    pub fn preview(&self, _text: &str, _today: &str) -> Preview {
        Preview::default()
    }
}
