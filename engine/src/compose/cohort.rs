//! Cohorts: a population named without a condition, where the catalog defines parts of it.
//!
//! Invalid, so that it is asked: "how many patients". Valid: "how many patients in Graz", "all patients".

use super::context::Composer;
use super::option::{OPTIONS, ignore_option};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{Cohort, ColumnRef};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::day;
use crate::intent::{DateRange, Predicate};
use crate::linking::{Lexical, TableId};
use crate::reading::Frame;

impl Composer<'_> {
    /// Condition of the cohort that a bare population was decided to mean; none where all its rows are meant.
    pub(super) fn cohort(&mut self, frame: &Frame) -> Option<(TableId, Predicate)> {
        let (table, at) = frame.head?;
        let bare = frame.conditions.is_empty()
            && frame.times.is_empty()
            && frame.vague.is_empty()
            && frame.related.is_empty();
        let every = (0..at.min(self.mentions.len())).any(|before| {
            let mention = &self.mentions[before];
            mention.is(Lexical::Everything) || mention.is(Lexical::Distributive)
        });
        if !bare || every || at >= self.mentions.len() {
            return None;
        }
        let key = self.schema.profile(table).key.clone();
        let rows = self.table_rows(table);
        let mut options = vec![ignore_option(format!("all {rows}"), "no rows are left out")];
        for cohort in self.catalog.cohorts.iter().filter(|cohort| cohort.table == key) {
            if let Some(predicate) = self.cohort_condition(cohort) {
                options.push(ClarificationOption {
                    id: cohort.label.to_lowercase().replace(' ', "_"),
                    label: cohort.label.clone(),
                    description: cohort.description.clone(),
                    binding: OptionBinding::Predicate { predicate },
                    confidence: None,
                });
            }
        }
        options.truncate(OPTIONS);
        if options.len() < 2 {
            return None;
        }
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Cohort,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: format!("the question does not say which {rows}"),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Predicate { predicate } => Some((table, predicate)),
            _ => None,
        }
    }

    /// Condition of a cohort; none where its column is not in the catalog.
    fn cohort_condition(&self, cohort: &Cohort) -> Option<Predicate> {
        let column = ColumnRef::new(&cohort.table, &cohort.column);
        self.column_id(&column)?;
        if let Some(missing) = cohort.missing {
            return Some(Predicate::IsNull { column, negated: !missing });
        }
        if let Some(days) = cohort.within_days {
            let start = day::plus_days(self.today, 1 - i64::from(days))?;
            let end = day::plus_days(self.today, 1)?;
            let range = DateRange { start: Some(day::text(start)), end: Some(day::text(end)) };
            return Some(Predicate::InRange { column, range });
        }
        (!cohort.values.is_empty())
            .then(|| Predicate::OneOf { column, values: cohort.values.clone() })
    }
}
