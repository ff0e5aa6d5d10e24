//! Units that the figures asked for are wanted in: "the longest rivers in kilometres", "revenue in euros".
//!
//! They change nothing where the column does not say otherwise. A figure that is computed of a column measured in another
//! unit of the same quantity is converted; the rows themselves are not, and the unit is not left out there.

use super::frame::MeasureTarget;
use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, Named, Target, words_of_identifier};
use crate::text::currency;

impl Parser<'_> {
    /// Takes a unit behind "in" that a figure computed of a column is converted to: "average length in minutes".
    pub(super) fn takes_unit(&mut self, at: usize) -> bool {
        let wanted = self.mentions[at].phrase.to_lowercase();
        let figures = self.frame.measures.iter();
        let figures =
            figures.chain(self.frame.superlative.iter().filter_map(|top| top.by.as_ref()));
        let factors: Vec<Option<f64>> = figures
            .filter(|figure| matches!(figure.target, MeasureTarget::Aggregate(_)))
            .map(|figure| self.units.factor(&self.unit_of_figure(figure.at)?, &wanted))
            .collect();
        let fits = self.states_unit_behind_in(at)
            && self.frame.unit.is_none()
            && !factors.is_empty()
            && factors.iter().all(Option::is_some);
        if fits {
            self.frame.unit = Some(at);
        }
        fits
    }

    fn unit_of_figure(&self, at: usize) -> Option<String> {
        if self.mentions.get(at)?.duration.is_some() {
            return Some("days".to_owned());
        }
        match self.target(at) {
            Some(Target::Column(column)) => self.units.of_column(self.catalog.column_at(*column)),
            _ => None,
        }
    }

    /// Whether an unread word is a unit behind "in" that the figures are in already, or part of its name.
    pub(super) fn states_unit(&self, at: usize) -> bool {
        let word = self.mentions[at].phrase.to_lowercase();
        let power = |at: usize| {
            self.units.is_power(&self.mentions[at].phrase) && self.part(at) == Part::Unknown
        };
        let unit = |at: usize| {
            self.mentions.get(at).is_some_and(|mention| {
                self.units.knows(&mention.phrase)
                    || currency(&mention.phrase.to_lowercase()).is_some()
            })
        };
        if power(at) {
            return unit(at + 1) && self.states_unit_behind_in(at);
        }
        let start = if at > 0 && power(at - 1) { at - 1 } else { at };
        unit(at) && self.states_unit_behind_in(start) && !self.is_measured_otherwise(&word)
    }

    fn states_unit_behind_in(&self, start: usize) -> bool {
        start > 0 && self.mentions[start - 1].is(Lexical::In)
    }

    /// Whether a column of a table in play is measured in another unit of the same quantity.
    fn is_measured_otherwise(&self, unit: &str) -> bool {
        let tables =
            (0..self.mentions.len()).filter_map(|at| self.target(at)).filter_map(Target::table);
        tables.flat_map(|table| &self.catalog.table_at(table).columns).any(|column| {
            let named = words_of_identifier(&column.name);
            let other = |own: &str| {
                let factor = self.units.factor(own, unit);
                factor.is_some_and(|factor| (factor - 1.0).abs() > f64::EPSILON)
                    || currency(unit)
                        .zip(currency(&own.to_lowercase()))
                        .is_some_and(|(a, b)| a != b)
            };
            column.unit.as_deref().is_some_and(other) || named.iter().any(|word| other(word))
        })
    }
}
