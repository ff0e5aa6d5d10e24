//! Adjectives that say which rows of a table are asked for: "free beds", "beds that are free".

use super::context::Composer;
use super::settle::Settled;
use super::unknown::{OFFERED, may_be_a_column};
use crate::catalog::Coverage;
use crate::confidence::Method;
use crate::data::Role;
use crate::linking::{ColumnId, Lexical, Lexicon, Named, TableId, Target};
use crate::reading::Part;

/// Most values of a column of states.
const STATES: usize = 12;

impl Composer<'_> {
    /// Unties an adjective from what other rows have, so that it is asked about: "retired teachers" does not ask for the
    /// status of students, nor "closed orders" for those of customers that were closed, where orders have states.
    pub(super) fn untie_adjectives(&self, settled: &mut Settled, lexicon: &Lexicon) {
        for at in 0..settled.parts.len() {
            let mention = &settled.mentions[at];
            let word = mention.phrase.to_lowercase();
            let past = lexicon.may_be_past(&word);
            if self.is_verb_of_other_rows(settled, at, lexicon) {
                settled.mentions[at].readings.clear();
                settled.parts[at] = Part::Unknown;
                continue;
            }
            let beside = settled.mentions.get(at + 1).filter(|next| {
                next.tokens.start == mention.tokens.end && settled.parts[at + 1] == Part::Schema
            });
            let rows = beside.and_then(|next| match next.readings.first()?.target {
                Target::Table(table) => Some(table),
                _ => None,
            });
            let (Some(rows), Some(reading), true) =
                (rows, mention.readings.first(), past && may_be_a_column(mention))
            else {
                continue;
            };
            let Target::Column(column) = reading.target else { continue };
            let by_meaning = matches!(reading.method, Method::Kin | Method::Related);
            let dated = self.schema.profile(column.table).dates.contains(&column)
                && self.state_column(rows).is_some();
            if column.table != rows && settled.parts[at] == Part::Schema && (by_meaning || dated) {
                settled.mentions[at].readings.clear();
                settled.parts[at] = Part::Unknown;
            }
        }
    }

    /// Whether a verb is tied by meaning alone to a date of rows that nothing else names: "where they go" does not ask
    /// for the departure of trips.
    fn is_verb_of_other_rows(&self, settled: &Settled, at: usize, lexicon: &Lexicon) -> bool {
        let word = settled.mentions[at].phrase.to_lowercase();
        let table_at = |other: usize| {
            let first = settled.mentions[other].readings.first();
            first.and_then(|reading| reading.target.table())
        };
        let Some(reading) = settled.mentions[at].readings.first() else { return false };
        let Target::Column(column) = reading.target else { return false };
        matches!(reading.method, Method::Kin | Method::Related)
            && settled.parts[at] == Part::Schema
            && (lexicon.is_verb(&word) || lexicon.is_used_as_verb(&word))
            && self.schema.profile(column.table).dates.contains(&column)
            && (0..settled.parts.len())
                .all(|other| other == at || table_at(other) != Some(column.table))
    }

    /// Stored values that an unknown word may mean where it says which rows of a table are asked for.
    pub(super) fn values_for_unknown(&self, at: usize) -> Vec<(ColumnId, String)> {
        let Some(mention) = self.mentions.get(at).filter(|mention| may_be_a_column(mention)) else {
            return Vec::new();
        };
        let table_at = |at: usize| match self.target(at) {
            Some(Target::Table(table)) => Some(table),
            _ => None,
        };
        let beside = self
            .mentions
            .get(at + 1)
            .filter(|next| next.tokens.start == mention.tokens.end)
            .and_then(|_| table_at(at + 1));
        // "Beds that are free", but not "orders with discount".
        let links = |at: usize| {
            let mention = &self.mentions[at];
            let last = mention.phrase.to_lowercase();
            let last = last.split(' ').next_back().unwrap_or_default();
            mention.is(Lexical::Is)
                || mention.is(Lexical::With) && self.lexicon.get(last).contains(&Lexical::Is)
        };
        let passed = |at: usize| {
            let mention = &self.mentions[at];
            mention.is(Lexical::Filler) || mention.is(Lexical::Where) || links(at)
        };
        let filled = |before: &usize| passed(*before);
        let is = (0..at).rev().take_while(filled).any(links);
        let predicate = || (0..at).rev().filter(|_| is).find_map(table_at);
        let Some(table) = beside.or_else(predicate) else { return Vec::new() };
        let Some((column, values)) = self.state_column(table) else { return Vec::new() };
        if values.len() > OFFERED {
            return Vec::new();
        }
        values.iter().map(|value| (column, value.clone())).collect()
    }

    /// The column of a table that holds the states of its rows, with all of them.
    fn state_column(&self, table: TableId) -> Option<(ColumnId, &[String])> {
        let mut columns = self.catalog.table_at(table).columns.iter().enumerate();
        columns.find_map(|(position, column)| {
            let id = ColumnId { table, column: u16::try_from(position).ok()? };
            let listed = column.values.as_ref().filter(|list| {
                list.coverage == Coverage::Complete && (2..=STATES).contains(&list.values.len())
            })?;
            let state = self.schema.has_role(id, Role::Status) && !self.is_foreign(id);
            (state && !column.sensitive).then_some((id, listed.values.as_slice()))
        })
    }
}
