//! Schema linking: matches the words of a question with tables, columns, metrics, stored values and structure words.

mod abbreviation;
mod codes;
mod concept;
mod cover;
mod identifier;
mod implied;
mod index;
mod inference;
mod inferred;
mod kinds;
mod lexicon;
mod matching;
mod mention;
mod names;
mod qualify;
mod recorded;
mod start;
mod stored;
mod thesaurus;
mod twins;
mod units;
mod values;

pub(crate) use identifier::words_of_identifier;
pub(crate) use implied::{imply, widen};
pub(crate) use index::{ColumnId, Edge, Named, SchemaIndex, TableId};
pub(crate) use lexicon::{Lexical, Lexicon};
pub(crate) use matching::{Linker, mentions};
pub(crate) use mention::{Duration, Mention, Reading, Target};
pub(crate) use qualify::{join_name_parts, name_part, qualify, unbind_verbs};
pub(crate) use recorded::tie_recorded;
pub(crate) use start::start_dates;
pub(crate) use units::Units;
pub(crate) use values::ValueIndex;
