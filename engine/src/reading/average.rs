//! Averages over groups: a count or a sum of each group, and the mean of these.
//!
//! Valid: "average number of orders per customer", "average order count per city", "how many orders does a customer
//! place on average", "average total amount per customer". Invalid, so that it is refused: an average of counts that
//! names no groups, several groups of which none holds the others, and one beside an order or a share.

use super::frame::{CountTarget, Group, Measure, MeasureTarget};
use super::parse::Parser;
use super::part::Part;
use crate::data::Role;
use crate::intent::Aggregate;
use crate::linking::{Lexical, TableId, Target};

/// Why an average of counts is refused.
const UNGROUPED: &str = "it is not clear what the average is over: name it, such as per customer";
/// Why an average over groups is refused beside other constructions.
const MIXED: &str = "an average over groups takes two steps beside what else is asked";
/// Articles of one row that stands for all.
const ARTICLES: [&str; 5] = ["a", "an", "any", "one", "single"];

impl Parser<'_> {
    /// Takes the average that was said before a count as one over groups, or refuses another figure of counts.
    pub(super) fn average_of_counts(&mut self, at: usize) {
        match self.aggregates.as_slice() {
            [] | [(Aggregate::Sum, _)] => {}
            [(Aggregate::Average, said)] => self.frame.average = Some(*said),
            _ => self.block(at, "an aggregate of counts takes two steps"),
        }
        self.aggregates.clear();
    }

    /// Whether the rows of the table at `at` are counted, and the counts averaged: "average order count per city",
    /// "average orders per customer".
    pub(super) fn averages_rows(&self, at: usize) -> bool {
        let [(Aggregate::Average, said)] = self.aggregates.as_slice() else { return false };
        let Some(next) = self.mentions.get(at + 1) else { return false };
        let adjacent = next.tokens.start == self.mentions[at].tokens.end;
        let structure = self.part(at + 1) == Part::Lexical;
        let counted = next.is(Lexical::Count) || next.is(Lexical::CountNoun);
        let plural = self.mentions[at].phrase.to_lowercase().ends_with('s');
        let beside = (said + 1..at).all(|between| self.mentions[between].is(Lexical::Filler));
        adjacent && structure && (counted || plural && beside && next.is(Lexical::Group))
    }

    /// "how many orders does the average customer place": the table named after the average makes the groups.
    pub(super) fn groups_of_average(&mut self, at: usize, table: TableId) -> bool {
        let [(Aggregate::Average, said)] = self.aggregates.as_slice() else { return false };
        let said = *said;
        let counted = matches!(self.frame.measures.as_slice(), [measure]
            if matches!(measure.target, MeasureTarget::Count(CountTarget::Rows(counted)) if counted != table));
        if !counted || said + 1 != at || !self.frame.groups.is_empty() {
            return false;
        }
        self.aggregates.clear();
        self.frame.average = Some(said);
        self.frame.groups.push(Group::Table(table, at));
        true
    }

    /// "average order value": the sales of each order are averaged, where only its lines have amounts.
    pub(super) fn averages_worth(&mut self, at: usize, table: TableId) -> bool {
        let [(Aggregate::Average, said)] = self.aggregates.as_slice() else { return false };
        let (said, next) = (*said, at + 1);
        let worth = self.mentions.get(next).is_some_and(|mention| {
            mention.tokens.start == self.mentions[at].tokens.end && mention.concept.is_some()
        });
        if !worth
            || self.has_amount(table)
            || !self.frame.groups.is_empty()
            || !self.frame.measures.is_empty()
        {
            return false;
        }
        self.aggregates = vec![(Aggregate::Sum, said)];
        self.frame.average = Some(said);
        self.frame.groups.push(Group::Table(table, at));
        true
    }

    /// "average value of an order": as "average order value".
    pub(super) fn averages_worth_of(&mut self, at: usize, table: TableId) -> bool {
        let average = MeasureTarget::Aggregate(Aggregate::Average);
        let [measure] = self.frame.measures.as_slice() else { return false };
        let worth = measure.at;
        let between = self.mentions.get(worth + 1..at).unwrap_or_default();
        let of = between.first().is_some_and(|next| next.is(Lexical::Of))
            && between.iter().skip(1).all(|mention| mention.is(Lexical::Filler));
        let said = (0..worth).rev().find(|before| self.mentions[*before].is(Lexical::Average));
        let summed = self.mentions[worth].concept.is_some() && measure.target == average;
        let apart = self.frame.groups.is_empty() && !self.has_amount(table);
        let Some(said) = said.filter(|_| of && summed && apart) else { return false };
        let totals = MeasureTarget::Aggregate(Aggregate::Sum);
        self.frame.measures = vec![Measure { target: totals, at: worth }];
        self.frame.average = Some(said);
        self.frame.groups.push(Group::Table(table, at));
        true
    }

    fn has_amount(&self, table: TableId) -> bool {
        let mut measures = self.index.profile(table).measures.iter();
        measures.any(|column| self.index.has_role(*column, Role::Amount))
    }

    /// Takes an average that is said behind a count, or before a sum.
    pub(super) fn take_average(&mut self) {
        let measure = match self.frame.measures.as_slice() {
            [measure] => Some(measure.target.clone()),
            _ => None,
        };
        let counts = matches!(measure, Some(MeasureTarget::Count(_)));
        if let [(Aggregate::Average, said)] = self.aggregates.as_slice()
            && counts
        {
            self.frame.average = Some(*said);
            self.aggregates.clear();
        }
        self.average_of_sums();
    }

    /// Finds the groups of an average over groups, and refuses what is not told by the words.
    pub(super) fn finish_average(&mut self) {
        let Some(at) = self.frame.average else { return };
        if self.frame.groups.is_empty() {
            self.group_by_one();
        }
        let frame = &self.frame;
        let concept = |measure: &Measure| {
            measure.target == MeasureTarget::Own
                && self.mentions.get(measure.at).is_some_and(|mention| mention.concept.is_some())
        };
        let measured = matches!(frame.measures.as_slice(), [measure] if concept(measure) || matches!(
            measure.target,
            MeasureTarget::Aggregate(Aggregate::Sum) | MeasureTarget::Count(_)
        ));
        let mixed = frame.superlative.is_some()
            || frame.share.is_some()
            || frame.trend.is_some()
            || frame.coordination.is_some()
            || frame.distribution.is_some()
            || !frame.order.is_empty()
            || !frame.outputs.is_empty()
            || !frame.output_tables.is_empty();
        if frame.groups.is_empty() {
            self.block(at, UNGROUPED);
        } else if mixed || !measured {
            self.block(at, MIXED);
        }
    }

    /// "average total amount per customer": the mean of what is added up for each.
    fn average_of_sums(&mut self) {
        let [average, sum] = self.frame.measures.as_slice() else { return };
        let totals = MeasureTarget::Aggregate(Aggregate::Sum);
        let said =
            |at: usize, kind: Lexical| self.part(at) == Part::Lexical && self.mentions[at].is(kind);
        let pair = (average.target == MeasureTarget::Aggregate(Aggregate::Average)
            && (sum.target == totals || sum.target == MeasureTarget::Own)
            && average.at == sum.at
            && !self.frame.groups.is_empty())
        .then_some(average.at);
        let at = pair.and_then(|at| {
            (1..at).find(|position| {
                said(*position, Lexical::Sum)
                    && said(*position - 1, Lexical::Average)
                    && self.mentions[*position - 1].tokens.end
                        == self.mentions[*position].tokens.start
            })
        });
        if let Some(at) = at {
            self.frame.average = Some(at - 1);
            let measure = Measure { target: totals, at: sum.at };
            self.frame.measures = vec![measure];
        }
    }

    /// "how many orders does a customer place on average": one row of a table stands for each.
    fn group_by_one(&mut self) {
        let one = |at: usize| {
            at.checked_sub(1).and_then(|before| self.mentions.get(before)).is_some_and(|before| {
                let phrase = before.phrase.to_lowercase();
                phrase.split(' ').next_back().is_some_and(|word| ARTICLES.contains(&word))
            })
        };
        let mut related = self.frame.related.iter().filter(|related| {
            one(related.at) && matches!(self.target(related.at), Some(Target::Table(_)))
        });
        if let (Some(only), None) = (related.next().copied(), related.next()) {
            self.frame.related.retain(|related| *related != only);
            self.frame.groups.push(Group::Table(only.table, only.at));
        }
    }
}
