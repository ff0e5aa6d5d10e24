//! Words whose tables nothing links with the rest of the question: another reading of them is taken, if it is linked.
//!
//! "orders we received": no key leads from orders to the column "received" of another table, so the verb only says how
//! orders came.

use super::context::Composer;
use super::settle::Settled;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{Decision, Relation};
use crate::linking::{Lexicon, TableId, Target};
use crate::reading::Part;

impl Composer<'_> {
    /// Takes the next linked reading of each word whose table is linked with no other table of the question.
    pub(super) fn settle_unlinked(&mut self, settled: &mut Settled, lexicon: &Lexicon) {
        let mut order: Vec<usize> =
            (0..settled.parts.len()).filter(|at| table_of(settled, *at).is_some()).collect();
        // The least certain tie gives way first.
        order.sort_by_key(|at| {
            let reading = settled.mentions[*at].readings.first();
            (reading.map_or(0, |reading| (reading.score * 1_000.0) as u32), *at)
        });
        for at in order {
            self.settle_one_unlinked(settled, at, lexicon);
        }
    }

    fn settle_one_unlinked(&mut self, settled: &mut Settled, at: usize, lexicon: &Lexicon) {
        let others: Vec<TableId> = (0..settled.parts.len())
            .filter(|other| *other != at)
            .filter_map(|other| table_of(settled, other))
            .collect();
        let near = |table: TableId, other: TableId| match self.schema.distance(table, other) {
            None => false,
            Some((joins, _)) => {
                joins < 2 || !self.cheapest(table, other, &[table, other]).is_empty()
            }
        };
        let linked = |table: TableId| others.iter().all(|other| near(table, *other));
        let apart = |table: TableId| others.iter().all(|other| !near(table, *other));
        let Some(table) = table_of(settled, at) else { return };
        if others.is_empty() || !apart(table) {
            return;
        }
        let mention = &settled.mentions[at];
        let next =
            mention.readings.iter().position(|reading| reading.target.table().is_some_and(linked));
        if let Some(next) = next {
            let readings = &mut settled.mentions[at].readings;
            readings.drain(..next);
            self.note_linked(settled, at);
        } else if !mention.quoted && lexicon.is_used_as_past(&mention.phrase.to_lowercase()) {
            settled.mentions[at].readings.clear();
            settled.parts[at] = Part::Unknown;
        }
    }

    /// Shows which reading was taken, so that it can be seen to be wrong.
    fn note_linked(&mut self, settled: &Settled, at: usize) {
        let mention = &settled.mentions[at];
        let (kind, option) = match mention.readings.first().map(|reading| &reading.target) {
            Some(Target::Table(table)) => (AmbiguityKind::Table, self.table_option(*table)),
            Some(Target::Column(column)) => (AmbiguityKind::Column, self.column_option(*column)),
            _ => return,
        };
        self.decide(Decision {
            kind,
            severity: Severity::Minor,
            span: Some(mention.span),
            phrase: mention.phrase.clone(),
            relation: Relation::Means,
            reason: "what fits the words better is not linked with the rest".to_owned(),
            options: vec![option],
            recommended: None,
            custom: None,
        });
    }
}

fn table_of(settled: &Settled, at: usize) -> Option<TableId> {
    if settled.parts.get(at) != Some(&Part::Schema) {
        return None;
    }
    settled.mentions.get(at)?.readings.first()?.target.table()
}
