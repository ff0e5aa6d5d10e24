//! How sure the options of a clarification are: as sure as the readings of its words.

use super::context::Composer;
use crate::clarification::{Clarification, OptionBinding};
use crate::linking::{Named, Reading, Target};

impl Composer<'_> {
    /// Gives each option the confidence of the reading that it stands for; as only one option is meant, those of all
    /// options are at most 1 together.
    pub(super) fn rate(&self, clarification: &mut Clarification) {
        let Some(span) = clarification.span else { return };
        let mentions = self.mentions.iter().filter(|mention| mention.span.overlaps(span));
        let readings: Vec<&Reading> = mentions.flat_map(|mention| &mention.readings).collect();
        for option in &mut clarification.options {
            let meant = readings.iter().filter(|reading| self.is_meant(reading, &option.binding));
            option.confidence = meant
                .map(|reading| reading.method.confidence())
                .max_by(f64::total_cmp)
                .or(option.confidence);
        }
        let rated =
            clarification.options.iter_mut().filter_map(|option| option.confidence.as_mut());
        let rated: Vec<&mut f64> = rated.collect();
        let whole: f64 = rated.iter().map(|confidence| **confidence).sum();
        if whole > 1.0 {
            for confidence in rated {
                *confidence /= whole;
            }
        }
    }

    /// Whether an option stands for a reading.
    fn is_meant(&self, reading: &Reading, binding: &OptionBinding) -> bool {
        match (&reading.target, binding) {
            (Target::Column(id), OptionBinding::Column { column }) => {
                self.catalog.reference(*id) == *column
            }
            (Target::Label(id) | Target::Table(id), OptionBinding::Table { table }) => {
                self.catalog.table_at(*id).has_key(table)
            }
            (Target::Value(id, stored), OptionBinding::Value { column, value }) => {
                stored == value && self.catalog.reference(*id) == *column
            }
            _ => false,
        }
    }
}
