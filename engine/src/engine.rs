//! The engine: an index of the knowledge about a data source, shared by sessions.

use std::sync::Arc;

use crate::day::Date;
use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::completing::Names;
use crate::compose::Constraints;
use crate::conversation::CueWords;
use crate::data::{CorrectionPhrases, Words};
use crate::dictionary::Dictionary;
use crate::interpretation::Interpreter;
use crate::linking::{Lexicon, SchemaIndex, Units, ValueIndex, add_inferred_keys};
use crate::memory::{Lesson, Preferences, learn};
use crate::settings::Settings;
use crate::template::{TemplateIndex, TemplateStatement};
use crate::text::TurnIndex;

/// The input from which an engine is built.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Knowledge {
    /// The catalog, with its pack merged in.
    pub catalog: Catalog,
    /// Settings.
    #[serde(default)]
    pub settings: Settings,
    /// Lessons: learned synonyms of tables and columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<Lesson>,
    /// Parsed statements of the catalog's templates; if empty, an engine with feature `sql` parses them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", tsify(type = "unknown[]", optional))]
    pub statements: Vec<TemplateStatement>,
    /// Lines of the thesaurus that are relevant to the catalog, or the whole thesaurus; without it, an engine without
    /// feature `thesaurus` knows synonyms of frequent words only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thesaurus: Option<String>,
}

/// An index of the knowledge. Only its construction is expensive.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    indexed: Arc<Indexed>,
}

/// The part that engines with different settings share.
#[derive(Debug)]
struct Indexed {
    catalog: Catalog,
    schema: SchemaIndex,
    values: ValueIndex,
    lexicon: Lexicon,
    units: Units,
    dictionary: Dictionary,
    templates: TemplateIndex,
    cues: CueWords,
    turns: TurnIndex,
    corrections: CorrectionPhrases,
    names: Names,
    ignored: Vec<String>,
}

impl Engine {
    /// Builds an engine on the words that are built in.
    #[cfg(feature = "words")]
    pub fn new(knowledge: Knowledge) -> Self {
        Self::with_words(knowledge, &Words::BUILT_IN)
    }

    /// Builds an engine on words that are built in or were read from a file.
    pub fn with_words(mut knowledge: Knowledge, words: &Words) -> Self {
        let ignored = learn(&mut knowledge.catalog, &knowledge.lessons);
        add_inferred_keys(&mut knowledge.catalog);
        let schema = SchemaIndex::new(&knowledge.catalog, knowledge.thesaurus.as_deref(), words);
        let lexicon = Lexicon::built_in(words);
        #[cfg(feature = "sql")]
        let knowledge = if knowledge.statements.is_empty() {
            Knowledge { statements: TemplateStatement::read_all(&knowledge.catalog), ..knowledge }
        } else {
            knowledge
        };
        let templates =
            TemplateIndex::new(&knowledge.catalog, &schema, &lexicon, &knowledge.statements, words);
        let dictionary = Dictionary::new(&knowledge.catalog, words);
        let names =
            Names::new(&knowledge.catalog, &schema, &lexicon, &dictionary, &words.completions());
        let indexed = Indexed {
            ignored,
            templates,
            schema,
            values: ValueIndex::new(&knowledge.catalog, words),
            lexicon,
            units: words.units(),
            dictionary,
            cues: words.cue_words(),
            turns: TurnIndex::new(&words.turns()),
            corrections: words.corrections(),
            names,
            catalog: knowledge.catalog,
        };
        Self { settings: knowledge.settings, indexed: Arc::new(indexed) }
    }

    /// An engine with other settings that shares the index.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Self {
        Self { settings, indexed: Arc::clone(&self.indexed) }
    }

    /// The catalog, with the foreign keys that were inferred.
    pub fn catalog(&self) -> &Catalog {
        &self.indexed.catalog
    }

    /// Lessons that were ignored, with the reasons.
    pub fn ignored_lessons(&self) -> &[String] {
        &self.indexed.ignored
    }

    /// Lines of the thesaurus that are relevant to the catalog, in the form of [`Knowledge::thesaurus`].
    pub fn thesaurus(&self) -> &str {
        &self.indexed.schema.thesaurus
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn reader(&self, today: Date) -> Interpreter<'_> {
        Interpreter {
            catalog: &self.indexed.catalog,
            schema: &self.indexed.schema,
            values: &self.indexed.values,
            lexicon: &self.indexed.lexicon,
            units: &self.indexed.units,
            dictionary: &self.indexed.dictionary,
            templates: &self.indexed.templates,
            cues: &self.indexed.cues,
            turns: &self.indexed.turns,
            extracted: None,
            constraints: Constraints::none(),
            preferences: Preferences::NONE,
            settings: &self.settings,
            today,
            person: None,
        }
    }

    pub(crate) fn corrections(&self) -> &CorrectionPhrases {
        &self.indexed.corrections
    }

    pub(crate) fn schema(&self) -> &SchemaIndex {
        &self.indexed.schema
    }

    /// Names of the catalog as a person writes them.
    pub(crate) fn names(&self) -> &Names {
        &self.indexed.names
    }
}
