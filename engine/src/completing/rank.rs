//! How likely a name is beside the tables in play.

use super::names::Name;
use super::position::Sentence;
use crate::data::Slot;
use crate::linking::{SchemaIndex, TableId};

/// Cost of one join.
const JOIN: i32 = 6;
/// Cost of one join to a column that a condition restricts.
const CONDITION_JOIN: i32 = 12;
/// Cost of a step to many rows for what there is only one of.
const TO_MANY: i32 = 14;
/// Cost of the rows of a table in play.
const AGAIN: i32 = 12;
/// Cost of a table that no foreign key leads to.
const APART: i32 = 40;

/// How likely a name is beside the tables in play, and those that a pattern has named already.
pub(super) fn rank(
    schema: &SchemaIndex,
    sentence: &Sentence,
    named: Option<TableId>,
    name: &Name,
) -> i32 {
    let own = if sentence.column.is_some() && sentence.column == name.column { 20 } else { 0 };
    let Some(table) = name.table else { return name.weight };
    let distances = named.iter().chain(&sentence.tables).map(|near| schema.distance(*near, table));
    let costs = distances.map(|distance| match distance {
        None => APART,
        Some((joins, to_many)) => {
            let one = matches!(name.slot, Slot::Row | Slot::Group | Slot::Filter | Slot::Flag);
            let many = if to_many && one { TO_MANY } else { 0 };
            // The rows of the table in play are named already, and each is a group of its own.
            let again = match name.slot {
                Slot::Row | Slot::Rows if joins == 0 => AGAIN,
                _ => 0,
            };
            let join = match name.slot {
                Slot::Filter | Slot::Bound | Slot::Flag => CONDITION_JOIN,
                _ => JOIN,
            };
            small(joins) * join + many + again
        }
    });
    name.weight + own - costs.min().unwrap_or(0)
}

/// Whether the name is written with its table: no table in play has the column.
pub(super) fn is_owned(sentence: &Sentence, named: Option<TableId>, name: &Name) -> bool {
    let Some(table) = name.table else { return false };
    let is_alone = sentence.tables.is_empty() && named.is_none();
    let is_in_play = sentence.tables.contains(&table) || named == Some(table);
    !(name.owned.is_empty() || is_alone || is_in_play)
}

/// A number of things as a rank.
pub(super) fn small(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
