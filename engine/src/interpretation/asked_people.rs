//! "Who": the tables whose rows are people, or do what the verb of a superlative says.
//!
//! Valid: "who sold the most" (employees), "who spent the most in 2024" (customers).

use crate::linking::{Mention, SchemaIndex, TableId, holds_persons};
use crate::reading::Frame;
use crate::text::stem;

/// Position of the "who" that asks for people, if the question starts with it.
pub(super) fn asked(mentions: &[Mention]) -> Option<usize> {
    let first = mentions.first()?.phrase.to_lowercase();
    (first.split(' ').next() == Some("who")).then_some(0)
}

/// Tables that "who" may mean, among those in this order: agents of the verb, else tables of persons.
pub(super) fn tables(schema: &SchemaIndex, frame: &Frame, among: &[TableId]) -> Vec<TableId> {
    let agents = frame.superlative.as_ref().map(|superlative| superlative.agents.as_slice());
    let agents: Vec<String> = agents.unwrap_or_default().iter().map(|word| stem(word)).collect();
    let acts = |table: &TableId| {
        let stems = &schema.profile(*table).stems;
        stems.last().is_some_and(|head| agents.contains(head))
    };
    let acting: Vec<TableId> = among.iter().copied().filter(acts).collect();
    if !acting.is_empty() {
        return acting;
    }
    among.iter().copied().filter(|table| holds_persons(schema, *table)).collect()
}
