//! Words for people: names of tables and columns, conditions, whole query trees, and what tells options apart.
//!
//! Everything here takes parts of the catalog or of a query tree and returns English; nothing is decided.

mod among;
mod describe;
mod name;
mod range;
mod way;
mod wording;

pub(crate) use describe::{Describer, function_words, grain_words};
pub(crate) use name::{column_of_table, joined_tables, row, rows};
pub(crate) use range::range_words;
pub(crate) use way::{WayStep, ways};
pub(crate) use wording::{Wording, column_description, columns, listed, table_description, values};
