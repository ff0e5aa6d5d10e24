//! The data files: words, roles, units and dictionaries. The build script converts them from TOML to JSON, and collects
//! them in one file, which is built in or loaded.

mod bundle;
#[cfg(test)]
mod check;
mod form;
#[cfg(test)]
mod tests;
mod words;

use serde::de::DeserializeOwned;

pub(crate) use form::{
    Abbreviations, AgeWords, Agents, Classifiers, Code, Codes, Comparative, Completions, Concept,
    Continuation, CorrectionPhrases, CuePhrases, CueWords, CustomKind, Definition, Derivations,
    Directions, Feature, Lexical, Offer, Pack, Phrases, Position, Role, RoleRules, Slot, StayWords,
    Superlative, Superlatives, TemplateWords, Term, TermKind, TermOption, Turn, Turns, Units,
    VerbClasses, Verbs,
};
pub use words::{Words, WordsError};

/// Defines the method that reads each data file.
macro_rules! readers {
    ($($name:ident: $type:ident = $path:literal;)*) => {
        impl Words {
            $(
                #[doc = concat!("Reads `data/", $path, ".toml`.")]
                pub(crate) fn $name(&self) -> $type {
                    load($path, self.text($path))
                }
            )*
        }
    };
}

form::data_files!(readers);

/// Reads `data/prompts/schemas.json`: the JSON schemas of a model's replies, by task.
#[cfg(feature = "sql")]
pub(crate) fn reply_schemas() -> serde_json::Value {
    load("prompts/schemas", include_str!("../../data/prompts/schemas.json"))
}

/// Parses a file that the build script has validated with the same type.
fn load<T: DeserializeOwned>(path: &str, text: &str) -> T {
    match crate::json::read_json(text) {
        Ok(file) => file,
        Err(error) => unreachable!("data/{path}: {error}"),
    }
}
