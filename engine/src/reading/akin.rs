//! Words akin to the name of a column that the question uses already: they say what it is about, and pick no further rows.
//!
//! Valid: "customers who pay by direct debit" (payment method is "Direct Debit"), "products whose stock is below 10"
//! (units in stock).

use super::frame::{Condition, Group};
use super::parse::Parser;
use super::part::Part;
use crate::linking::{ColumnId, Target};
use crate::text::akin;

/// Most mentions between a word of the name of a column and the words that are tied to it.
const NEAR: usize = 3;

impl Parser<'_> {
    /// Takes words that are tied to nothing as read where a column that is used has a name akin to them.
    pub(super) fn take_akin(&mut self) {
        let used: Vec<(usize, ColumnId)> = self.used_columns();
        let (linking, unread) = std::mem::take(&mut self.frame.unread)
            .into_iter()
            .partition(|at| used.iter().any(|(of, column)| self.is_akin(*at, *of, *column)));
        let linking: Vec<usize> = linking;
        self.frame.unread = unread;
        self.frame.linking.extend(linking);
    }

    /// Columns that conditions, results and groups use, with their mentions.
    fn used_columns(&self) -> Vec<(usize, ColumnId)> {
        let frame = &self.frame;
        let conditions = frame.conditions.iter().flat_map(|condition| match condition {
            Condition::Values { at, .. } => at.clone(),
            Condition::Compare { column: Some(column), .. } => vec![*column],
            condition => vec![condition.at()],
        });
        let groups = frame.groups.iter().filter_map(|group| match group {
            Group::Thing(at) => Some(*at),
            Group::Table(..) | Group::Period { .. } => None,
        });
        let shown = frame.outputs.iter().copied();
        conditions
            .chain(groups)
            .chain(shown)
            .filter_map(|at| match self.target(at)? {
                Target::Column(column) | Target::Value(column, _) => Some((at, *column)),
                _ => None,
            })
            .collect()
    }

    /// Whether a word is akin to a word of the name of the column that the mention at `of` is tied to.
    fn is_akin(&self, at: usize, of: usize, column: ColumnId) -> bool {
        let mention = &self.mentions[at];
        let word = mention.phrase.to_lowercase();
        let plain = self.part(at) == Part::Unknown || self.part(at) == Part::Lexical;
        plain
            && word == mention.phrase
            && !mention.quoted
            && at.abs_diff(of) <= NEAR
            && self.index.words_of(column).iter().any(|name| akin(&word, name))
    }
}
