//! The pack as parsed from TOML. Names keep their byte spans, so that an error can point at them.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use wherefore_engine::catalog::{Area, MetricAggregate, ParameterType, VagueOption};

type Name = Spanned<String>;

/// Why a pack is rejected, with the byte range of the faulty part.
pub(super) type Refusal = (Range<usize>, String);

/// A pack.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) areas: Vec<Spanned<Area>>,
    #[serde(default)]
    pub(super) tables: Vec<TableNotes>,
    #[serde(default)]
    pub(super) metrics: Vec<MetricNotes>,
    #[serde(default)]
    pub(super) cohorts: Vec<CohortNotes>,
    #[serde(default)]
    pub(super) terms: Vec<Spanned<TermNotes>>,
    #[serde(default)]
    pub(super) templates: Vec<TemplateNotes>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableNotes {
    pub(super) name: Name,
    pub(super) area: Option<Name>,
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) synonyms: Vec<String>,
    #[serde(default)]
    pub(super) label_columns: Vec<Name>,
    pub(super) date_column: Option<Name>,
    pub(super) measure_column: Option<Name>,
    #[serde(default)]
    pub(super) columns: Vec<ColumnNotes>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnNotes {
    pub(super) name: Name,
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) synonyms: Vec<String>,
    pub(super) unit: Option<String>,
    #[serde(default)]
    pub(super) roles: Vec<String>,
    pub(super) sensitive: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MetricNotes {
    pub(super) name: Name,
    #[serde(default)]
    pub(super) synonyms: Vec<String>,
    #[serde(default)]
    pub(super) description: String,
    pub(super) aggregate: MetricAggregate,
    pub(super) table: Name,
    pub(super) expression: Option<Name>,
    pub(super) unit: Option<String>,
    pub(super) date_column: Option<Name>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CohortNotes {
    pub(super) table: Name,
    pub(super) label: Name,
    #[serde(default)]
    pub(super) description: String,
    pub(super) column: Name,
    pub(super) missing: Option<bool>,
    #[serde(default)]
    pub(super) values: Vec<String>,
    pub(super) within_days: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TermNotes {
    pub(super) forms: Vec<String>,
    #[serde(default)]
    pub(super) roles: Vec<String>,
    #[serde(default)]
    pub(super) columns: Vec<Name>,
    pub(super) options: Vec<Spanned<VagueOption>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TemplateNotes {
    pub(super) name: Name,
    #[serde(default)]
    pub(super) description: String,
    pub(super) area: Option<Name>,
    pub(super) examples: Vec<String>,
    pub(super) sql: Name,
    #[serde(default)]
    pub(super) parameters: Vec<ParameterNotes>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParameterNotes {
    pub(super) name: Name,
    #[serde(rename = "type")]
    pub(super) parameter_type: ParameterType,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) allowed_values: Vec<Name>,
    pub(super) table: Option<Name>,
    pub(super) column: Option<Name>,
    pub(super) default: Option<Name>,
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
    pub(super) pattern: Option<Name>,
    pub(super) weight: Option<Spanned<f64>>,
}
