//! The engine for the catalog of a tenant.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use wherefore_engine::catalog::Catalog;
use wherefore_engine::memory::Lesson;
use wherefore_engine::settings::Settings;
use wherefore_engine::{Knowledge as EngineKnowledge, TemplateStatement};

use super::error::StartError;
use crate::config::{Config, Tenant};
use crate::knowledge::Knowledge;
use crate::questions::Experiment;

/// Reads lessons from a TOML file: `[[lessons]]`, each with `term` and `means`.
fn read_lessons(path: &Path) -> Result<Vec<Lesson>, StartError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        lessons: Vec<Lesson>,
    }
    let refused = |reason: String| StartError::Lessons { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let file: File = toml::from_str(&text).map_err(|error| refused(error.to_string()))?;
    Ok(file.lessons)
}

/// Settings of the engine, from their file and the options.
pub(super) fn engine_settings(config: &Config) -> Result<Settings, StartError> {
    let model = config.model.llm_url.is_some();
    let options = Settings { row_limit: config.row_limit, model, ..Settings::default() };
    let Some(path) = &config.settings else { return Ok(options) };
    let refused = |reason: String| StartError::Settings { path: path.clone(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let table: toml::Table = toml::from_str(&text).map_err(|error| refused(error.to_string()))?;
    if let Some((name, option)) = [("row_limit", "--row-limit"), ("model", "--llm-url")]
        .into_iter()
        .find(|(name, _)| table.contains_key(*name))
    {
        return Err(refused(format!("{name} is set by {option}")));
    }
    let read: Settings = toml::from_str(&text).map_err(|error| refused(error.to_string()))?;
    let settings = Settings { row_limit: options.row_limit, model, ..read };
    settings.check().map_err(refused)?;
    Ok(settings)
}

/// Builds the engine for a catalog, with the lessons of the tenant and the variants of an experiment.
pub(crate) fn knowledge(
    config: &Config,
    tenant: &Tenant,
    catalog: Catalog,
    experiment: Option<&Experiment>,
) -> Result<Knowledge, StartError> {
    let tables = catalog.tables.len();
    let settings = engine_settings(config)?;
    let statements = TemplateStatement::read_all(&catalog);
    let lessons = tenant.lessons.as_deref().map(read_lessons).transpose()?.unwrap_or_else(Vec::new);
    let everyone = EngineKnowledge { catalog, settings, statements, lessons, thesaurus: None };
    let mut variants = BTreeMap::new();
    if let Some(experiment) = experiment {
        for (name, settings) in experiment.settings(&everyone.settings)? {
            let variant = Knowledge::new(EngineKnowledge { settings, ..everyone.clone() })?;
            variants.insert(name.to_owned(), Arc::new(variant));
        }
    }
    let knowledge = Knowledge::new(everyone)?.with_variants(variants);
    for reason in knowledge.engine.ignored_lessons() {
        tracing::warn!(%reason, "ignoring a lesson");
    }
    tracing::info!(tables, bytes = knowledge.json.len(), "catalog loaded");
    Ok(knowledge)
}
