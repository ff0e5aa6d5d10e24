//! Linking: words of a question tied to tables, columns, metrics, stored values and structure words.

mod cover;
mod identifier;
mod index;
mod inference;
mod lexicon;
mod matching;
mod mention;
mod values;

pub(crate) use cover::cover;
pub(crate) use identifier::words_of_identifier;
pub(crate) use index::{ColumnId, SchemaIndex, TableId, TableProfile};
pub(crate) use lexicon::{Lexical, Lexicon};
pub(crate) use matching::{Linker, mentions};
pub(crate) use mention::{Mention, Method, Reading, Target};
pub(crate) use values::ValueIndex;
