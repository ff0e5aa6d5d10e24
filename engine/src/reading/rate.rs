//! Rates of a state: the rows that have it, as a percentage of all.
//!
//! Valid: "no show rate by clinic", "cancellation rate by month", "pass rate", where the word before "rate" is a stored
//! value or a flag. Not so: "hourly rate", which a column holds, and "rate of orders", which names no state.

use super::frame::{Condition, CountTarget, Measure, MeasureTarget, Share};
use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, Named, TableId, Target};

impl Parser<'_> {
    /// Takes a stored value or a flag right before "rate" as the state of the part.
    pub(super) fn rate_of_state(&mut self, at: usize) -> bool {
        let Some(state) = at.checked_sub(1) else { return false };
        let said = self.mentions[at].phrase.to_lowercase();
        let adjacent = self.mentions[state].tokens.end == self.mentions[at].tokens.start;
        let plain = self.frame.share.is_none()
            && self.frame.measures.is_empty()
            && self.frame.superlative.is_none()
            && self.aggregates.is_empty()
            && self.count.is_none();
        let named = matches!(said.as_str(), "rate" | "rates" | "rate of") && adjacent;
        if !plain || !named || !self.mentions[at].is(Lexical::Ratio) {
            return false;
        }
        // "On time rate": the rows are those that the term applies to.
        let vague = matches!(self.part(state), Part::Vague(_))
            && self.frame.vague.iter().any(|term| term.at == state);
        if !vague {
            let Some(table) = self.table_of_state(state) else { return false };
            if self.frame.head.is_some_and(|(head, _)| head != table) {
                return false;
            }
            self.head_if_none(table, state);
        }
        let target = MeasureTarget::Count(CountTarget::Head);
        self.add_measure(Measure { target, at });
        self.frame.operation = true;
        self.frame.share = Some(Share { at, noun: at, part: vec![state] });
        (self.subject, self.last_value) = (None, None);
        true
    }

    /// Table of the rows whose state a mention says, with a condition on it.
    fn table_of_state(&mut self, state: usize) -> Option<TableId> {
        if self.part(state) != Part::Schema {
            return None;
        }
        let conditioned = |condition: &Condition| condition.at() == state;
        match self.target(state)? {
            Target::Value(column, _) => {
                let table = column.table;
                self.frame.conditions.iter().any(conditioned).then_some(table)
            }
            Target::Column(column) if self.catalog.column_at(*column).is_flag() => {
                let table = column.table;
                self.frame.outputs.retain(|output| *output != state);
                if !self.frame.conditions.iter().any(conditioned) {
                    self.frame
                        .conditions
                        .push(Condition::Set { at: state, negated: self.mentions[state].negated });
                }
                Some(table)
            }
            _ => None,
        }
    }
}
