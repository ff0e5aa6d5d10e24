//! Rows of several tables that are counted in one question: "how many orders and invoices were there".
//!
//! Invalid, so that it is refused: the second table would make groups of the first. Valid: "orders by customer and product".

use super::frame::{CountTarget, Group, MeasureTarget};
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
}
