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

/// Builds the engine for a catalog, with the lessons of the tenant and the variants of an experiment.
pub(crate) fn knowledge(
    config: &Config,
    tenant: &Tenant,
    catalog: Catalog,
    experiment: Option<&Experiment>,
) -> Result<Knowledge, StartError> {
    let tables = catalog.tables.len();
    let model = config.model.llm_url.is_some();
    let settings = Settings { row_limit: config.row_limit, model, ..Settings::default() };
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
