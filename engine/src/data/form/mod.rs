//! Types of the data files. The build script uses them too, and rejects data that does not match them.

mod completion;
mod dictionary;
mod lexical;
mod phrases;
mod role;
mod schema;
mod turn;
mod words;

pub(crate) use completion::{Completions, Continuation, Feature, Offer, Position, Slot};
pub(crate) use dictionary::{Concept, CustomKind, Definition, Pack, Term, TermKind, TermOption};
pub(crate) use lexical::Lexical;
pub(crate) use phrases::{
    AgeWords, Agents, Classifiers, CorrectionPhrases, CuePhrases, CueWords, Directions, Phrases,
    StayWords, TemplateWords, VerbClasses, Verbs,
};
pub(crate) use role::Role;
pub(crate) use schema::{Abbreviations, Code, Codes, Derivations, RoleRules, Units};
pub(crate) use turn::{Turn, Turns};
pub(crate) use words::{Comparative, Superlative, Superlatives};

/// Calls a macro with the function, type and path of every data file.
macro_rules! data_files {
    ($each:ident) => {
        $each! {
            abbreviations: Abbreviations = "abbreviations";
            classifiers: Classifiers = "classifiers";
            codes: Codes = "codes";
            commerce: Pack = "dictionary/commerce";
            completions: Completions = "completions";
            corrections: CorrectionPhrases = "corrections";
            cue_words: CueWords = "follow_up";
            derivations: Derivations = "derivations";
            directions: Directions = "directions";
            durations: AgeWords = "durations";
            finance: Pack = "dictionary/finance";
            general: Pack = "dictionary/general";
            healthcare: Pack = "dictionary/healthcare";
            nationalities: Codes = "nationalities";
            phrases: Phrases = "lexicon";
            role_rules: RoleRules = "roles";
            superlatives: Superlatives = "superlatives";
            template_words: TemplateWords = "template";
            turns: Turns = "turns";
            units: Units = "units";
            verb_classes: VerbClasses = "verb_classes";
            verbs: Verbs = "verbs";
        }
    };
}
pub(crate) use data_files;

/// Data files that are used as they are, each with where it goes.
#[allow(dead_code, reason = "the build script reads them")]
pub(crate) const PLAIN_FILES: &[(&str, Place)] = &[
    ("thesaurus/wordnet.txt", Place::BuiltIn("thesaurus")),
    ("thesaurus/frequent.txt", Place::Published),
];

/// Where a data file goes.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "the build script reads them")]
pub(crate) enum Place {
    /// Into the word file, and into builds with this feature.
    Both(&'static str),
    /// Into builds with this feature only.
    BuiltIn(&'static str),
    /// Into the word file only.
    Published,
}
