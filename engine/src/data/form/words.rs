//! Adjectives that order and compare.

use serde::Deserialize;

use super::role::Role;

/// `data/superlatives.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Superlatives {
    /// Superlatives, in order.
    pub(crate) superlatives: Vec<Superlative>,
    /// Comparatives, in order.
    pub(crate) comparatives: Vec<Comparative>,
}

/// Adjectives that imply an order of rows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Superlative {
    /// Phrases.
    pub(crate) forms: Vec<String>,
    /// Whether the order is descending.
    pub(crate) descending: bool,
    /// Whether the superlative also denotes an aggregate: "the highest and average cost".
    #[serde(default)]
    pub(crate) figure: bool,
    /// Roles of columns for which the order is reversed.
    #[serde(default)]
    pub(crate) opposite: Vec<Role>,
    /// Roles of the column to order by, if none is named.
    pub(crate) roles: Vec<Role>,
    /// Concepts, such as sales, that rows can be ordered by as well.
    #[serde(default)]
    pub(crate) concepts: Vec<String>,
    /// Whether the superlative can order by a number of rows: "most common".
    #[serde(default)]
    pub(crate) counted: bool,
}

/// Comparatives that imply the column to compare.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Comparative {
    /// Phrases.
    pub(crate) forms: Vec<String>,
    /// Roles of the column that the comparative compares.
    pub(crate) roles: Vec<Role>,
}
