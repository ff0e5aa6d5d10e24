//! Both ends of a column of dates.
//!
//! Valid: "first and last order date of each customer", "earliest and latest hire date". Invalid: ends of rows ("first and
//! last order"), which are two orders at once.

use super::frame::{Measure, MeasureTarget};
use super::parse::Parser;
use crate::intent::Aggregate;
use crate::linking::{Lexical, Target};

impl Parser<'_> {
    /// Takes both ends of the dates named behind them as two figures; whether it does.
    pub(super) fn both_ends(&mut self, at: usize) -> bool {
        let end = |at: usize| {
            let mention = self.mentions.get(at)?;
            match (mention.is(Lexical::First), mention.is(Lexical::Last)) {
                (true, false) => Some(Aggregate::Minimum),
                (false, true) => Some(Aggregate::Maximum),
                _ => None,
            }
        };
        let joined = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::And));
        let (Some(one), Some(other)) = (end(at), end(at + 2)) else { return false };
        let date = at + 3;
        let dated =
            matches!(self.target(date), Some(Target::Column(column)) if self.is_date(*column));
        if !joined || one == other || !dated || !self.frame.measures.is_empty() {
            return false;
        }
        for function in [one, other] {
            self.add_measure(Measure { target: MeasureTarget::Aggregate(function), at: date });
        }
        self.taken.extend([at + 1, at + 2, date]);
        self.subject = Some(date);
        self.frame.operation = true;
        true
    }
}
