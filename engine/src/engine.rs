//! The engine: indexed knowledge that sessions share.

use std::sync::Arc;

use crate::day::Date;
use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::compose::Constraints;
use crate::conversation::CueWords;
use crate::dictionary::Dictionary;
use crate::interpretation::Reader;
use crate::linking::{Lexicon, SchemaIndex, Units, ValueIndex};
use crate::memory::{Lesson, learn};
use crate::session::{Context, Preview, preview};
use crate::settings::Settings;
use crate::template::{TemplateIndex, TemplateStatement};

/// What an engine is built from.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Knowledge {
    /// The catalog, with its pack merged in.
    pub catalog: Catalog,
    /// Settings.
    #[serde(default)]
    pub settings: Settings,
    /// Words that tables and columns go by here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<Lesson>,
    /// Statements of the catalog's templates; where there are none, an engine with feature `sql` reads them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", tsify(type = "unknown[]", optional))]
    pub statements: Vec<TemplateStatement>,
    /// Lines of the thesaurus that matter to the catalog, for an engine without feature `thesaurus`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thesaurus: Option<String>,
}

/// Indexed knowledge: building it is the only expensive call.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    indexed: Arc<Indexed>,
}

/// What engines of other settings share.
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
    ignored: Vec<String>,
}

impl Engine {
    /// Index of the knowledge.
    pub fn new(mut knowledge: Knowledge) -> Self {
        let ignored = learn(&mut knowledge.catalog, &knowledge.lessons);
        let schema = SchemaIndex::new(&knowledge.catalog, knowledge.thesaurus.as_deref());
        let lexicon = Lexicon::built_in();
        #[cfg(feature = "sql")]
        let knowledge = if knowledge.statements.is_empty() {
            Knowledge { statements: TemplateStatement::read_all(&knowledge.catalog), ..knowledge }
        } else {
            knowledge
        };
        let templates =
            TemplateIndex::new(&knowledge.catalog, &schema, &lexicon, &knowledge.statements);
        let indexed = Indexed {
            ignored,
            templates,
            schema,
            values: ValueIndex::new(&knowledge.catalog),
            lexicon,
            units: Units::built_in(),
            dictionary: Dictionary::built_in(),
            cues: CueWords::built_in(),
            catalog: knowledge.catalog,
        };
        Self { settings: knowledge.settings, indexed: Arc::new(indexed) }
    }

    /// The same engine with other settings, which shares the index.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Self {
        Self { settings, indexed: Arc::clone(&self.indexed) }
    }

    /// The catalog.
    pub fn catalog(&self) -> &Catalog {
        &self.indexed.catalog
    }

    /// Lessons that are ignored, each with the reason.
    pub fn ignored_lessons(&self) -> &[String] {
        &self.indexed.ignored
    }

    /// Lines of the thesaurus that matter to the catalog, as [`Knowledge::thesaurus`] takes them.
    pub fn thesaurus(&self) -> &str {
        &self.indexed.schema.thesaurus
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the engine makes of a text while it is typed; `today` is `yyyy-mm-dd`.
    ///
    /// A text that is too long to be asked, or a `today` that is no date, gives an empty preview with a problem.
    pub fn preview(&self, text: &str, today: &str) -> Preview {
        preview(self, text, today, None)
    }

    /// The same for a text that may go on from what was asked before.
    pub fn preview_after(&self, text: &str, today: &str, context: &Context) -> Preview {
        preview(self, text, today, Some(context))
    }

    pub(crate) fn reader(&self, today: Date) -> Reader<'_> {
        Reader {
            catalog: &self.indexed.catalog,
            schema: &self.indexed.schema,
            values: &self.indexed.values,
            lexicon: &self.indexed.lexicon,
            units: &self.indexed.units,
            dictionary: &self.indexed.dictionary,
            templates: &self.indexed.templates,
            cues: &self.indexed.cues,
            constraints: Constraints::none(),
            settings: &self.settings,
            today,
        }
    }

    pub(crate) fn schema(&self) -> &SchemaIndex {
        &self.indexed.schema
    }
}
