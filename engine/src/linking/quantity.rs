//! "Quantity of" before a noun: the quantities that are stored for its rows, which are added up, and not their number.
//!
//! Valid: "total quantity of products bought by Ada", where the lines of orders have a quantity of a product each. Where
//! no rows have one, rows are counted.

use super::element::{ColumnId, TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::Lexical;
use super::mention::{Mention, Reading};
use super::pieces::clear;
use crate::confidence::Method;
use crate::data::Role;
use crate::text::fold;

/// Score of a stored quantity that is meant.
const MEANT: f64 = 0.85;

/// Ties "quantity of" to the quantities of the rows named behind it, or of those that refer to them.
pub(crate) fn tie_quantities(schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 0..mentions.len() {
        let mention = &mentions[at];
        let said = mention.is(Lexical::Count)
            && fold(&mention.phrase).split(' ').any(|word| word == "quantity");
        if !said || !mention.readings.is_empty() {
            continue;
        }
        let noun = mentions[at + 1..].iter().find(|next| !next.is(Lexical::Filler));
        let Some(&Target::Table(rows)) =
            noun.and_then(|noun| noun.readings.first()).map(|first| &first.target)
        else {
            continue;
        };
        let (method, score) = (Method::Stem, MEANT);
        let readings: Vec<Reading> = quantities(schema, rows)
            .into_iter()
            .map(|column| Reading { target: Target::Column(column), method, score })
            .collect();
        if !readings.is_empty() {
            clear(&mut mentions[at]);
            mentions[at].readings = readings;
        }
    }
}

/// Quantity columns of a table; if it has none, those of the tables with a foreign key to it.
fn quantities(schema: &SchemaIndex, rows: TableId) -> Vec<ColumnId> {
    let own = of_table(schema, rows);
    if !own.is_empty() {
        return own;
    }
    let mut referring: Vec<TableId> = schema
        .edges(rows)
        .iter()
        .filter(|edge| !edge.forward && edge.to != rows)
        .map(|edge| edge.to)
        .collect();
    referring.sort_unstable();
    referring.dedup();
    referring.into_iter().flat_map(|table| of_table(schema, table)).collect()
}

fn of_table(schema: &SchemaIndex, table: TableId) -> Vec<ColumnId> {
    let measures = schema.profile(table).measures.iter().copied();
    measures.filter(|column| schema.has_role(*column, Role::Quantity)).collect()
}
