//! Words in names of tables and columns: roles, abbreviations, codes and units.

use std::collections::BTreeMap;

use serde::Deserialize;
use wherefore_catalog::DataType;

use super::role::Role;

/// `data/roles.toml`: roles, with the words and types from which they are inferred.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoleRules {
    /// Rules, in order.
    pub(crate) roles: Vec<RoleRule>,
}

/// Rule for inferring a role.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoleRule {
    /// The role.
    pub(crate) name: Role,
    /// Types of columns that can have the role.
    pub(crate) types: Vec<DataType>,
    /// Words in the names of columns with the role.
    pub(crate) words: Vec<String>,
    /// Words that people use to ask for columns with the role.
    #[serde(default)]
    pub(crate) asked_as: Vec<String>,
}

/// `data/abbreviations.toml`: abbreviations in names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Abbreviations {
    /// Abbreviations with their expansions.
    pub(crate) words: BTreeMap<String, String>,
    /// Last words of table names that say nothing about the rows.
    pub(crate) heads: Vec<String>,
    /// Last words of column names that say what the numbers count.
    pub(crate) scales: Vec<String>,
    /// Last words of column names whose values say what somebody does.
    pub(crate) posts: Vec<String>,
}

/// `data/derivations.toml`: nouns of acts with their verbs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Derivations {
    /// Nouns in the singular, each with the infinitives of its verbs.
    pub(crate) nouns: BTreeMap<String, Vec<String>>,
}

/// `data/codes.toml`: codes and the words for them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Codes {
    /// Codes, in order.
    pub(crate) codes: Vec<Code>,
}

/// A code and the words for it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Code {
    /// Words in the names of the columns that store the code.
    pub(crate) columns: Vec<String>,
    /// Folded spellings of the stored code.
    pub(crate) values: Vec<String>,
    /// Folded words for the code.
    pub(crate) words: Vec<String>,
}

/// `data/units.toml`: units of measure with their conversion factors.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Units {
    /// Words before a unit of length that make one of area or volume.
    pub(crate) powers: Vec<String>,
    /// Quantities, in order.
    pub(crate) quantities: Vec<Quantity>,
}

/// The units of one quantity.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Quantity {
    /// Its name.
    #[allow(dead_code, reason = "faults of a file name it")]
    pub(crate) name: String,
    /// Units, in order.
    pub(crate) units: Vec<Unit>,
}

/// A unit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unit {
    /// Names of the unit.
    pub(crate) names: Vec<String>,
    /// Size of the unit, as a multiple of the smallest unit of the quantity.
    pub(crate) size: u64,
}
