//! Columns that are called like one end of an order: `highest_elevation`, "the state with the highest elevation".

use super::frame::{Condition, Superlative};
use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, Named, Target};

impl Parser<'_> {
    /// Ranks rows by a column that is called like one end of an order, and refuses where it is open of which row the end
    /// is meant.
    pub(super) fn rank_by_named_ends(&mut self) {
        let ends = |at: &usize| self.named_end(*at).is_some();
        let Some(at) = (0..self.mentions.len()).find(ends) else { return };
        if self.frame.superlative.is_some() || !self.frame.groups.is_empty() {
            return;
        }
        let numeric = matches!(self.target(at), Some(Target::Column(column))
            if self.catalog.column_at(*column).data_type.is_numeric());
        let had = self.before(at).is_some_and(|before| self.mentions[before].is(Lexical::With));
        let rows =
            self.frame.head.is_some() || self.frame.outputs.iter().any(|output| *output != at);
        if let Some(descending) = self.named_end(at).filter(|_| numeric && had && rows) {
            self.frame.outputs.retain(|output| *output != at);
            self.frame.conditions.retain(|condition| {
                !matches!(condition, Condition::Null { at: filled, .. } if *filled == at)
            });
            self.frame.superlative =
                Some(Superlative { figure: true, ..Superlative::by_own(at, descending) });
        } else if !self.says_whose_end(at) {
            self.block(at, "it is not clear of which rows the end of an order is meant");
        }
    }

    /// Whether the column at a mention is called like one end of an order; the value says whether it is the highest.
    fn named_end(&self, at: usize) -> Option<bool> {
        let phrase = self.mentions[at].phrase.to_lowercase();
        let (first, _) = phrase.split_once(' ')?;
        let column = matches!(self.target(at), Some(Target::Column(_)));
        let named = column && self.part(at) == Part::Schema && !phrase.ends_with('s');
        let adjective = self.lexicon.superlative(first).filter(|_| named)?;
        self.lexicon.superlatives.get(adjective).map(|superlative| superlative.descending)
    }

    /// Whether conditions tell one row, or all rows are listed: "the highest point of Texas", "of each state".
    fn says_whose_end(&self, at: usize) -> bool {
        let told = |condition: &Condition| {
            !matches!(condition, Condition::Null { .. } | Condition::Set { .. })
        };
        let listed = [Lexical::Distributive, Lexical::Everything, Lexical::And, Lexical::By];
        let said = |mention: &crate::linking::Mention| listed.iter().any(|kind| mention.is(*kind));
        let articled = at.checked_sub(1).is_some_and(|before| {
            self.mentions[before].phrase.to_lowercase().split(' ').any(|word| word == "the")
        });
        !articled
            || self.frame.conditions.iter().any(told)
            || !self.frame.measures.is_empty()
            || self.mentions.iter().any(said)
            || self.frame.outputs.len() > 1
    }
}
