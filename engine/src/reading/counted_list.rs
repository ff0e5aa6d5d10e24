//! Counts that are refused, because it is not clear what is counted.
//!
//! Invalid: "how many orders and invoices were there", where the second table would make groups of the first; "the numbers of
//! all flights", which may be their flight numbers; "products and how often each is used". Valid: "orders by customer and product", "the numbers of flights per airline".

use super::frame::{Condition, CountTarget, Group, Measure, MeasureTarget};
use super::parse::Parser;
use crate::linking::{Lexical, Target};

impl Parser<'_> {
    /// Refuses groups by rows that only "and" joins with the rows that are counted.
    pub(super) fn block_counted_lists(&mut self) {
        let counted = self.frame.measures.iter().find_map(|measure| match measure.target {
            MeasureTarget::Count(CountTarget::Rows(table)) => Some(table),
            _ => None,
        });
        let Some(counted) = counted else { return };
        let groups = self.frame.groups.iter().filter_map(|group| match *group {
            Group::Table(_, at) | Group::Thing(at) => Some(at),
            Group::Period { .. } => None,
        });
        let shown = self.frame.output_tables.iter().map(|(_, at)| *at);
        let mut things = groups.chain(shown).filter(
            |at| matches!(self.target(*at), Some(Target::Table(table)) if *table != counted),
        );
        let listed = things.find_map(|at| {
            let and = at.checked_sub(1).filter(|and| self.mentions[*and].is(Lexical::And))?;
            let before = and.checked_sub(1)?;
            let grouped = self.mentions[..and]
                .iter()
                .any(|word| word.is(Lexical::Group) || word.is(Lexical::By));
            (self.target(before) == Some(&Target::Table(counted)) && !grouped).then_some(at)
        });
        if let Some(at) = listed {
            self.block(at, "rows of two tables are counted in two questions");
        }
    }

    /// Refuses "numbers" as a single count.
    pub(super) fn block_single_numbers(&mut self) {
        let counts = matches!(self.frame.measures.as_slice(),
            [measure] if matches!(measure.target, MeasureTarget::Count(_)));
        let listed = self
            .frame
            .conditions
            .iter()
            .any(|condition| matches!(condition, Condition::Values { at, .. } if at.len() > 1));
        if !counts || listed || !self.frame.groups.is_empty() || self.frame.trend.is_some() {
            return;
        }
        let numbers = (0..self.mentions.len()).find(|at| {
            let mention = &self.mentions[*at];
            let plural = mention.phrase.to_lowercase().split(' ').any(|word| word == "numbers");
            plural && (mention.is(Lexical::CountNoun) || mention.is(Lexical::Count))
        });
        if let Some(at) = numbers {
            self.block(at, "it may be how many there are, or what each is called by");
        }
    }

    /// "Products and how often each is used": refuses to count the listed rows themselves.
    pub(super) fn block_how_often(&mut self) {
        let counts =
            |measure: &Measure| matches!(measure.target, MeasureTarget::Count(CountTarget::Head));
        let rows = self.frame.measures.iter().any(|measure| match measure.target {
            MeasureTarget::Count(CountTarget::Rows(table)) => {
                self.frame.head.is_some_and(|(head, _)| head == table)
            }
            _ => counts(measure),
        });
        let often = (1..self.mentions.len()).find(|at| {
            let mention = &self.mentions[*at];
            mention.is(Lexical::Count) && mention.phrase.to_lowercase().ends_with("how often")
        });
        if let Some(at) = often.filter(|_| rows) {
            self.block(at, "it is not clear what is counted");
        }
    }
}
