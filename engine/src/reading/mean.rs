//! Comparisons of groups with a mean: "categories whose average price is above the average of all products", "customers
//! who spent more than the average customer".
//!
//! Invalid, so that it is refused: a mean of rows other than those asked about.

use super::figure::ENDS;
use super::frame::{Against, CountTarget, MeasureTarget};
use super::parse::Parser;
use super::part::Part;
use crate::intent::{Aggregate, Comparison};
use crate::linking::{Lexical, TableId, Target};
use crate::text::fold;

/// Words between a mean and the rows that it is of, and behind them.
const LINKS: [Lexical; 7] = [
    Lexical::Distributive,
    Lexical::Of,
    Lexical::In,
    Lexical::Everything,
    Lexical::Filler,
    Lexical::Count,
    Lexical::CountNoun,
];

impl Parser<'_> {
    /// Compares the measure before the operator at `at` with the mean at `figure`, and gives back where to go on; none
    /// where no measure stands before it. `next` is the place behind the mean and what it is of.
    pub(super) fn against_mean(
        &mut self,
        at: usize,
        (operator, function): (Comparison, Aggregate),
        figure: usize,
        next: usize,
    ) -> Option<usize> {
        let before = self.before(at)?;
        let measure = self.frame.measures.iter().find(|measure| measure.at == before)?;
        let free = self.aggregates.is_empty() && self.frame.against.is_none();
        // "More expensive than" compares a column of the rows that are counted.
        let says_column = !self.lexicon.compared_roles(&fold(&self.mentions[at].phrase)).is_empty();
        let of_column = says_column && matches!(measure.target, MeasureTarget::Count(_));
        if function != Aggregate::Average || !free || of_column {
            return None;
        }
        let counted = match measure.target {
            MeasureTarget::Count(CountTarget::Rows(table)) => Some(table),
            _ => None,
        };
        let measured = self.target(before).and_then(Target::table);
        let head = self.frame.head.map(|(head, _)| head);
        let of_these = |table: &TableId| {
            Some(*table) == counted || Some(*table) == measured || Some(*table) == head
        };
        let mut next = self.behind(next, &LINKS);
        while self.part(next) == Part::Schema
            && matches!(self.target(next), Some(Target::Table(table)) if of_these(table))
        {
            next = self.behind(next + 1, &LINKS);
        }
        let ends = self.mentions.get(next).is_none_or(|mention| {
            matches!(self.part(next), Part::Time)
                || self.part(next) == Part::Lexical && ENDS.iter().any(|kind| mention.is(*kind))
        });
        if !ends {
            self.block(next, "a comparison with a figure of other rows takes two steps");
        }
        let operator = self.after_negation(operator);
        self.frame.against = Some(Against { measure: before, operator, at: figure });
        Some(next)
    }
}
