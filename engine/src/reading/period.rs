//! Periods at one end of an order.
//!
//! Valid: "which month has the most orders", "the day with the highest sales", "top 5 days by revenue", "the busiest month
//! for orders", "our best month" (it is asked by what). Invalid, so that it is refused: a period beside other things.

use super::frame::{CountTarget, Group, Measure, MeasureTarget};
use super::parse::Parser;
use super::part::Part;
use crate::intent::TimeGrain;
use crate::linking::{Lexical, Target};

impl Parser<'_> {
    /// Takes a period that is named before what it is ranked by as what rows are grouped by.
    pub(super) fn ranked_period(&mut self, at: usize, grain: TimeGrain) -> bool {
        let ends = [Lexical::Most, Lexical::Fewest, Lexical::Top, Lexical::Bottom];
        let ranked = self.frame.superlative.is_some()
            || (at + 1..self.mentions.len()).any(|behind| match self.part(behind) {
                Part::Superlative(_) => true,
                Part::Lexical => ends.iter().any(|kind| self.mentions[behind].is(*kind)),
                _ => false,
            });
        let frame = &self.frame;
        let first = frame.head.is_none()
            && frame.outputs.is_empty()
            && frame.groups.is_empty()
            && frame.measures.iter().all(|_| frame.superlative.is_some());
        if !ranked || !first || self.ranked_period.is_some() {
            return false;
        }
        if let Some(limit) = self.take_number()
            && let Some(superlative) = &mut self.frame.superlative
        {
            superlative.limit = Some(limit);
        }
        self.ranked_period = Some(at);
        self.frame.groups.push(Group::Period { grain, at, date: None });
        true
    }

    /// Takes a period that is named before a figure that is compared as what rows are grouped by: "months with sales above
    /// 40", "which months had more than 50 orders".
    pub(super) fn restricted_period(&mut self, at: usize, grain: TimeGrain) -> bool {
        use Lexical::{AtLeast, AtMost, LessThan, MoreThan};
        let compares = (at + 1..self.mentions.len().saturating_sub(1)).any(|behind| {
            let compares = [AtLeast, AtMost, LessThan, MoreThan];
            self.part(behind) == Part::Lexical
                && self.part(behind + 1) == Part::Number
                && compares.iter().any(|kind| self.mentions[behind].is(*kind))
        });
        let listed = at.checked_sub(1).is_none_or(|before| self.mentions[before].is(Lexical::List));
        let frame = &self.frame;
        let first = frame.head.is_none()
            && frame.outputs.is_empty()
            && frame.groups.is_empty()
            && frame.measures.is_empty()
            && frame.superlative.is_none();
        let restricted = compares && listed && first && self.number.is_none();
        if restricted {
            self.frame.groups.push(Group::Period { grain, at, date: None });
        }
        restricted
    }

    /// "in which year were the most employees hired": the date of what is done is the one that is grouped by.
    fn take_date_of_period(&mut self) {
        let [done] = self.frame.outputs.as_slice() else { return };
        let done = *done;
        let dated = self.mentions[done].readings.iter().any(
            |reading| matches!(reading.target, Target::Column(column) if self.is_date(column)),
        );
        if let ([Group::Period { date, .. }], true) = (self.frame.groups.as_mut_slice(), dated) {
            *date = Some(done);
            self.frame.outputs.clear();
        }
    }

    /// "the busiest month for orders": the one with the most of the rows that are named.
    fn count_rows_of_period(&mut self) {
        let frame = &mut self.frame;
        let (Some(superlative), Some((table, at))) = (&mut frame.superlative, frame.head) else {
            return;
        };
        if superlative.counted && superlative.by.is_none() {
            let target = MeasureTarget::Count(CountTarget::Rows(table));
            superlative.by = Some(Measure { target, at });
            superlative.by_count = true;
            frame.head = None;
        }
    }

    /// "guests with a birthday this month": the day of the year is meant, and not the day of birth.
    pub(super) fn block_birthdays(&mut self) {
        let said = |at: &usize| self.mentions[*at].phrase.to_lowercase().contains("birthday");
        let dated = self.frame.times.iter().filter_map(|time| time.column).find(said);
        if let Some(at) = dated {
            self.block(at, "birthdays within a period take two steps");
        }
    }

    /// Refuses a period that is ranked by nothing.
    pub(super) fn finish_period(&mut self) {
        let Some(at) = self.ranked_period else { return };
        self.take_date_of_period();
        self.count_rows_of_period();
        let superlative = self.frame.superlative.as_ref();
        let by = superlative.is_some_and(|superlative| {
            // "The best month" leaves open by what; "the longest month" is not written.
            let bare = superlative.roles.is_empty()
                && (superlative.concepts.is_empty() || superlative.counted)
                && !superlative.by_count;
            superlative.by.is_some() || bare && self.frame.head.is_none()
        });
        let frame = &self.frame;
        let others = frame.groups.len() > 1 || !frame.outputs.is_empty();
        if !by || others || !frame.measures.is_empty() {
            self.block(at, "it is not clear what the periods are ranked by");
        }
    }
}
