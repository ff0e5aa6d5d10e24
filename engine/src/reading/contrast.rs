//! Values side by side: one figure for each of two or more values of a column.
//!
//! Valid: "average price of beverages versus condiments", "compare the number of customers in Germany and France".
//! Invalid, so that it is refused: a comparison without a figure, beside groups, or of values of different columns.

use super::frame::{Condition, Group};
use super::parse::Parser;
use super::part::Part;
use crate::linking::{ColumnId, Lexical, Target};

/// Score that another column may lack and still be meant.
const RIVAL: f64 = 0.1;

/// Why values beside one another are refused.
const MIXED: &str = "a comparison between groups or with an average takes two steps";

impl Parser<'_> {
    /// "rock versus jazz": the value behind is listed with the one before; gives back where to go on.
    pub(super) fn contrast_values(&mut self, at: usize) -> Option<usize> {
        let other = (at + 1..self.mentions.len()).find(|next| {
            let mention = &self.mentions[*next];
            !mention.is(Lexical::Filler) && !mention.is(Lexical::In) && !mention.is(Lexical::Of)
        })?;
        let column = |at: usize| match self.target(at) {
            Some(Target::Value(column, _)) if self.part(at) == Part::Schema => Some(*column),
            _ => None,
        };
        let behind: ColumnId = column(other)?;
        let before = self.frame.conditions.last().and_then(|condition| match condition {
            Condition::Values { at, negated: false, .. } => at.last().copied(),
            _ => None,
        })?;
        if column(before) != Some(behind) {
            return None;
        }
        if let Some(Condition::Values { at: values, .. }) = self.frame.conditions.last_mut() {
            values.push(other);
        }
        self.last_value = Some(other);
        self.contrast.get_or_insert(at);
        self.frame.operation = true;
        Some(other + 1)
    }

    /// Groups a figure by the column of the values that are set side by side.
    pub(super) fn finish_contrast(&mut self) {
        let Some(said) = self.contrast else { return };
        let mut listed = self.frame.conditions.iter().filter_map(|condition| match condition {
            Condition::Values { at, negated: false, .. } if at.len() > 1 => at.first().copied(),
            _ => None,
        });
        let (first, only) = (listed.next(), listed.next().is_none());
        let frame = &self.frame;
        let plain = frame.groups.is_empty()
            && frame.superlative.is_none()
            && frame.share.is_none()
            && frame.growth.is_none();
        // Values that several columns may hold could be compared in one and grouped by another.
        let one_column = |at: usize| {
            let mut columns =
                self.mentions[at].readings.iter().filter_map(|reading| match reading.target {
                    Target::Value(column, _) => Some((column, reading.score)),
                    _ => None,
                });
            let Some((first, best)) = columns.next() else { return false };
            columns.all(|(column, score)| {
                let names = self.index.profile(column.table).label.contains(&column);
                column == first || !names && best - score > RIVAL
            })
        };
        match first {
            Some(first) if only && plain && one_column(first) && !frame.measures.is_empty() => {
                self.frame.groups.push(Group::Thing(first));
            }
            _ => self.block(said, MIXED),
        }
    }
}
