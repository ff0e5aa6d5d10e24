//! What rows do in every period: "customers who order every month".
//!
//! Invalid, so that it is refused: the months would make groups of the customers. Valid: "orders every month", "how many
//! customers do we win every month", which ask for a figure of each month.

use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, Target};

impl Parser<'_> {
    /// Refuses "every month" and the like behind a verb whose subject is the rows asked about.
    pub(super) fn block_every_period(&mut self) {
        let period = (2..self.mentions.len()).find(|at| {
            let every = self.mentions[at - 1].phrase.to_lowercase();
            let every = every.split(' ').any(|word| word == "every" || word == "each");
            every && matches!(self.part(*at), Part::Grain(_)) && self.is_done_by_rows(at - 1)
        });
        if let Some(at) = period {
            self.block(at - 1, "what is done in every period takes two steps");
        }
    }

    /// Whether a verb in the present stands before a place, with the rows that do it before.
    fn is_done_by_rows(&self, end: usize) -> bool {
        let passed = |at: &usize| {
            self.mentions[*at].is(Lexical::Filler) && self.mentions[*at].readings.is_empty()
        };
        let said = |at: usize| self.mentions[at].phrase.to_lowercase();
        let Some(verb) = (1..end).rev().find(|at| {
            let known = self.lexicon.deeds_of(&said(*at)).next().is_some();
            known || !passed(at)
        }) else {
            return false;
        };
        let whole = said(verb);
        // "Customers order" may be one mention, of orders.
        let (noun, word) = whole.rsplit_once(' ').unwrap_or(("", &whole));
        let known = self.lexicon.is_verb(word) || self.lexicon.deeds_of(word).next().is_some();
        let present = !self.lexicon.is_past(word) && !word.ends_with('s');
        let relative = |at: usize| self.mentions[at].is(Lexical::Where);
        let subject = if relative(verb - 1) { verb.checked_sub(2) } else { Some(verb - 1) };
        let rows = subject.is_some_and(|at| {
            matches!(self.target(at), Some(Target::Table(_))) && said(at).ends_with('s')
        });
        known && present && (rows || noun.ends_with('s'))
    }
}
