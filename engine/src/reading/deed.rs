//! Participles before the noun of a table that are tied to other rows: "ordered products", "the most ordered product".

use super::frame::{CountTarget, Measure, MeasureTarget, Related, TableUse};
use super::parse::Parser;
use crate::linking::{Lexical, TableId, Target, is_past_of};

impl Parser<'_> {
    /// "the most ordered product": the participle stands for the number of the rows that it is tied to.
    pub(super) fn rank_by_deed(&mut self, at: usize) -> bool {
        let Some((deeds, things)) = self.deed_of(at) else { return false };
        let most = at.checked_sub(1).is_some_and(|before| {
            let most = &self.mentions[before];
            most.is(Lexical::Most) || most.is(Lexical::Fewest)
        });
        match &mut self.frame.superlative {
            Some(superlative) if most && superlative.by.is_none() => {
                let target = MeasureTarget::Count(CountTarget::Rows(deeds));
                superlative.by = Some(Measure { target, at });
                self.head_if_none(things, at + 1);
                true
            }
            _ => false,
        }
    }

    /// "ordered products": products that there are orders of.
    pub(super) fn take_deed(&mut self, at: usize) -> bool {
        let table = matches!(self.target(at), Some(Target::Table(_)));
        // "Ordered products by month": the months are those of the orders.
        let dated = self.mentions.iter().any(|mention| mention.grain.is_some());
        let plain = table
            && !dated
            && self.negated.is_none()
            && self.missing.is_none()
            && !self.grouping
            && !self.ordering
            && self.aggregates.is_empty()
            && self.frame.superlative.is_none();
        let Some((deeds, _)) = self.deed_of(at).filter(|_| plain) else { return false };
        self.frame.related.push(Related { table: deeds, at, how: TableUse::With });
        true
    }

    /// The rows that a participle is tied to, and those of the table named right behind it.
    fn deed_of(&self, at: usize) -> Option<(TableId, TableId)> {
        let (deeds, named) = match self.target(at)? {
            Target::Table(table) => (*table, &self.index.profile(*table).stems[..]),
            Target::Column(column) if !self.is_amount(*column) => {
                (column.table, self.index.stems_of(*column))
            }
            _ => return None,
        };
        let Target::Table(things) = self.target(at + 1)? else { return None };
        let beside = self.mentions[at].tokens.end == self.mentions[at + 1].tokens.start;
        let word = self.mentions[at].phrase.to_lowercase();
        let done = self.lexicon.is_past(&word)
            || self.lexicon.is_used_as_past(&word)
            || is_past_of(&word, named);
        let apart = self.index.distance(deeds, *things).is_some_and(|(joins, _)| joins > 0);
        (beside && done && apart).then_some((deeds, *things))
    }
}
