//! Things of the catalog: each goes to what reads its kind; measures are read here.

use super::frame::{Measure, MeasureTarget};
use super::parse::Parser;
use crate::intent::Aggregate;
use crate::linking::{ColumnId, Named, TableId, Target};

impl Parser<'_> {
    pub(super) fn schema(&mut self, at: usize) {
        // "average response time in minutes", where a column is called minutes as well.
        if self.units.knows(&self.mentions[at].phrase) && self.takes_unit(at) {
            return;
        }
        if self.rank_by_deed(at) || self.take_deed(at) {
            return;
        }
        match self.target(at).cloned() {
            Some(Target::Table(table)) => self.table(at, table),
            Some(Target::Value(..)) if self.of_named_parent(at) => {}
            Some(Target::Value(..)) if self.names_a_date(at) => self.date_hint = Some(at),
            Some(Target::Value(..)) => self.value(at),
            Some(Target::Metric(_)) => self.measure_like(at),
            Some(Target::Column(column)) => self.column(at, Some(column)),
            Some(Target::Label(_)) => self.column(at, None),
            None => {}
        }
    }

    pub(super) fn measure_like(&mut self, at: usize) {
        let named_before = at > 0
            && self.mentions[at].concept.is_some()
            && self.subject == Some(at - 1)
            && self.ordered_or_measured(at - 1);
        if named_before {
            return;
        }
        let mut targets: Vec<MeasureTarget> = std::mem::take(&mut self.aggregates)
            .into_iter()
            .map(|(function, _)| match function {
                Aggregate::Sum => MeasureTarget::Own,
                function => MeasureTarget::Aggregate(function),
            })
            .collect();
        let target = targets.pop().unwrap_or(MeasureTarget::Own);
        for target in targets {
            self.add_measure(Measure { target, at });
        }
        self.count = None;
        // "customers by revenue in 2024": the year is that of what is recorded.
        self.last_table = None;
        let measure = Measure { target, at };
        let awaiting =
            self.frame.superlative.as_ref().is_some_and(|superlative| superlative.by.is_none());
        if self.ordering {
            self.order_by_measure(measure);
        } else if awaiting
            && (self.frame.head.is_some()
                || !self.frame.outputs.is_empty()
                || self.ranked_period.is_some())
        {
            if let Some(superlative) = &mut self.frame.superlative {
                superlative.by = Some(measure);
            }
        } else {
            self.add_measure(measure);
        }
        self.frame.operation = true;
        self.subject = Some(at);
    }

    pub(super) fn add_measure(&mut self, measure: Measure) {
        self.frame.measures.push(measure);
        self.conjunction = None;
    }

    pub(super) fn head_if_none(&mut self, table: TableId, at: usize) {
        if self.frame.head.is_none() {
            self.frame.head = Some((table, at));
        }
    }

    /// Whether a column holds numbers that say how many or how much: no key, no yes or no, and no year.
    pub(super) fn is_amount(&self, column: ColumnId) -> bool {
        let definition = self.catalog.column_at(column);
        definition.data_type.is_numeric()
            && !definition.unique
            && !definition.is_flag()
            && !definition.holds_years()
            && !self.is_foreign(column)
    }

    pub(super) fn schema_flag(&self, column: ColumnId) -> bool {
        self.catalog.column_at(column).is_flag()
    }
}
