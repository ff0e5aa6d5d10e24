//! Input of reading a question.

use crate::catalog::Catalog;
use crate::compose::Constraints;
use crate::conversation::CueWords;
use crate::day::Date;
use crate::dictionary::Dictionary;
use crate::linking::{Lexicon, SchemaIndex, Units, ValueIndex};
use crate::memory::Preferences;
use crate::settings::Settings;
use crate::template::{Extraction, TemplateIndex};
use crate::text::TurnIndex;

/// Everything that is needed to read a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interpreter<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) schema: &'a SchemaIndex,
    pub(crate) values: &'a ValueIndex,
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) units: &'a Units,
    pub(crate) dictionary: &'a Dictionary,
    pub(crate) templates: &'a TemplateIndex,
    pub(crate) cues: &'a CueWords,
    pub(crate) turns: &'a TurnIndex,
    pub(crate) extracted: Option<&'a Extraction>,
    pub(crate) constraints: &'a Constraints,
    pub(crate) preferences: Preferences<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) today: Date,
    /// The person who asks, if known.
    pub(crate) person: Option<&'a str>,
}
