//! The engine of one data source, with the JSON from which a client builds the same engine.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use sha2::{Digest, Sha256};
use wherefore_engine::Engine;
use wherefore_engine::Knowledge as EngineKnowledge;
use wherefore_engine::settings::Settings;

/// The engine, and the catalog and settings it was built from.
#[derive(Debug)]
pub struct Knowledge {
    /// The engine.
    pub engine: Engine,
    /// Catalog and settings as JSON, as sent to clients.
    pub json: Bytes,
    /// Entity tag of the JSON, in quotes.
    pub etag: String,
    /// When the catalog was read.
    pub read_at: Instant,
    variants: BTreeMap<String, Arc<Knowledge>>,
}

impl Knowledge {
    /// Engine and JSON of a catalog and settings.
    pub fn new(knowledge: EngineKnowledge) -> Result<Self, serde_json::Error> {
        let engine = Engine::new(knowledge.clone());
        let thesaurus = Some(engine.thesaurus().to_owned());
        let json = serde_json::to_vec(&EngineKnowledge { thesaurus, ..knowledge })?;
        let etag = entity_tag(&json);
        let variants = BTreeMap::new();
        Ok(Self { engine, json: json.into(), etag, read_at: Instant::now(), variants })
    }

    /// Adds the knowledge of each variant of an experiment, by name.
    #[must_use]
    pub fn with_variants(self, variants: BTreeMap<String, Arc<Self>>) -> Self {
        Self { variants, ..self }
    }

    /// A copy with other engine settings, which shares the index.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Self {
        Self {
            engine: self.engine.with_settings(settings),
            json: self.json.clone(),
            etag: self.etag.clone(),
            read_at: self.read_at,
            variants: BTreeMap::new(),
        }
    }

    /// Knowledge of a variant; the default one if no variant has this name.
    pub fn of_variant(self: &Arc<Self>, name: &str) -> Arc<Self> {
        Arc::clone(self.variants.get(name).unwrap_or(self))
    }
}

/// Entity tag of a content: 128 bits of its SHA-256, in quotes. It does not depend on the version of the program.
fn entity_tag(content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    let digits = digest.iter().take(16).map(|byte| format!("{byte:02x}"));
    format!("\"{}\"", digits.collect::<String>())
}

#[cfg(test)]
mod tests {
    #[test]
    fn entity_tags_stay_the_same() {
        assert_eq!(super::entity_tag(b"abc"), "\"ba7816bf8f01cfea414140de5dae2223\"");
    }
}
