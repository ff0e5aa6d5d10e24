//! The language model and its settings.

use std::sync::Arc;

use wherefore_engine::writing::WritingSettings;

use super::error::StartError;
use crate::config::Config;
use crate::model::{Embedder, Model, OpenAiModel};

/// The configured language model, if any.
pub(crate) fn open_model(config: &Config) -> Result<Option<Arc<dyn Model>>, StartError> {
    let model = OpenAiModel::new(&config.model).map_err(StartError::Model)?;
    Ok(model.map(|model| Arc::new(model) as Arc<dyn Model>))
}

/// The configured embedding model, if any.
pub(super) fn open_embedder(config: &Config) -> Result<Option<Arc<Embedder>>, StartError> {
    Embedder::new(&config.model).map_err(StartError::Model)
}

/// Settings of writing, from their file and the options.
pub(super) fn writing_settings(config: &Config) -> Result<WritingSettings, StartError> {
    let mut settings = match &config.model.writing {
        None => WritingSettings::default(),
        Some(path) => {
            let refused = |error: String| {
                StartError::Model(format!("writing settings {}: {error}", path.display()))
            };
            let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
            toml::from_str(&text).map_err(|error| refused(error.to_string()))?
        }
    };
    if let Some(tokens) = config.model.llm_context_tokens {
        settings.context_tokens = tokens;
    }
    Ok(settings)
}
