//! The sources that phrases are looked up in.

use super::index::SchemaIndex;
use super::lexicon::Lexicon;
use super::units::Units;
use super::values::ValueIndex;
use crate::dictionary::Dictionary;

/// The sources that phrases are looked up in.
#[derive(Debug)]
pub(crate) struct Linker<'a> {
    /// Structure words.
    pub(crate) lexicon: &'a Lexicon,
    /// Names of tables, columns and metrics.
    pub(crate) schema: &'a SchemaIndex,
    /// Stored values listed in the catalog.
    pub(crate) values: &'a ValueIndex,
    /// Stored values found by database searches.
    pub(crate) found: &'a ValueIndex,
    /// Units.
    pub(crate) units: &'a Units,
    /// Vague terms and concepts.
    pub(crate) dictionary: &'a Dictionary,
    /// Whether the last word can be incomplete, because the user is still typing.
    pub(crate) typing: bool,
}
