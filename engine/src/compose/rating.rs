//! How sure the options of a clarification are: as sure as the readings of its words.

use super::context::Composer;
use crate::ambiguity::AmbiguityKind;
use crate::clarification::{Clarification, OptionBinding};
use crate::linking::{Named, Reading, Target};

impl Composer<'_> {
    /// Gives each option the confidence of the reading that it stands for; as only one option is meant, those of all
    /// options are at most 1 together.
    pub(super) fn rate(&self, clarification: &mut Clarification) {
        if clarification.ambiguity == AmbiguityKind::Intent && self.rate_tables(clarification) {
            return;
        }
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
        share(clarification);
    }

    /// Gives tables whose rows may be meant the confidence of the stored values that speak for them, if values speak for
    /// each of several tables: "Germany" of customers or of suppliers. Says whether they do.
    fn rate_tables(&self, clarification: &mut Clarification) -> bool {
        let readings = || self.mentions.iter().flat_map(|mention| &mention.readings);
        let said = |binding: &OptionBinding| {
            let OptionBinding::Table { table } = binding else { return None };
            let of_table = readings().filter(|reading| {
                matches!(reading.target, Target::Value(..))
                    && reading
                        .target
                        .table()
                        .is_some_and(|id| self.catalog.table_at(id).has_key(table))
            });
            of_table.map(|reading| reading.method.confidence()).max_by(f64::total_cmp)
        };
        let options = clarification.options.iter();
        let found: Option<Vec<f64>> = options.map(|option| said(&option.binding)).collect();
        let Some(found) = found.filter(|found| found.len() > 1) else { return false };
        for (option, confidence) in clarification.options.iter_mut().zip(found) {
            option.confidence = Some(confidence);
        }
        share(clarification);
        true
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

/// Lowers the confidences of options that are more than 1 together.
fn share(clarification: &mut Clarification) {
    let rated = clarification.options.iter_mut().filter_map(|option| option.confidence.as_mut());
    let rated: Vec<&mut f64> = rated.collect();
    let whole: f64 = rated.iter().map(|confidence| **confidence).sum();
    if whole > 1.0 {
        for confidence in rated {
            *confidence = hundredths(*confidence / whole);
        }
    }
}

/// A chance cut to hundredths, so that chances that are 1 together stay so.
pub(super) fn hundredths(chance: f64) -> f64 {
    (chance * 100.0 + 1e-9).floor() / 100.0
}
