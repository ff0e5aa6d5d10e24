//! Times as conditions: which date each is said of, and the period of a trend that names none.

use super::build::Measures;
use super::context::{Composer, Failure};
use super::filter::TableCondition;
use super::plan::Plan;
use crate::ambiguity::Severity;
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Comparison, Expression, Literal, Predicate, TimeGrain};
use crate::linking::{ColumnId, Named, TableId};
use crate::reading::{Condition, Frame, TableUse, TimeSpec};

impl Composer<'_> {
    /// Adds the times of the frame to what was said before, each as a condition on the date that it means; returns whether
    /// some of them hold for different rows of one table.
    pub(super) fn said_of_times(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        date: Option<ColumnId>,
        found: &mut Vec<TableCondition>,
    ) -> Result<bool, Failure> {
        let mut different = false;
        for time in &frame.times {
            let told = self.told(frame, plan, found, time.at)?;
            let column = self.date_of(time, plan.base, date, &told)?;
            let distant =
                self.schema.distance(plan.base, column.table).is_none_or(|(_, to_many)| to_many);
            if time.negated && distant && !self.is_other_period(frame, plan, (&*found, column)) {
                return Err(self.fail(
                    FailureCode::NotComposable,
                    "a time at which nothing happened takes two steps beside other times"
                        .to_owned(),
                    "ask for one of them at a time",
                    Some(time.at),
                ));
            }
            let predicate = match self.within_days(time, column) {
                Some(predicate) => predicate,
                None => self.within_ranges(time, column)?,
            };
            if time.negated && distant {
                plan.absent.push((column.table, predicate));
                continue;
            }
            let apart = if time.negated {
                vec![super::condition::negate(predicate, true)]
            } else {
                self.periods_together(plan, time, column.table, predicate)
            };
            different |= apart.len() > 1;
            found.extend(apart.into_iter().map(|predicate| TableCondition {
                at: time.at,
                table: column.table,
                predicate,
            }));
        }
        Ok(different)
    }

    /// "customers who ordered in 2016 but not in 2017": whether the rows that there are none of in a period are those
    /// that there are in another one, of which nothing else is said.
    fn is_other_period(
        &self,
        frame: &Frame,
        plan: &Plan,
        (found, column): (&[TableCondition], ColumnId),
    ) -> bool {
        let dates = |condition: &TableCondition| match &condition.predicate {
            Predicate::InRange { column: dated, .. } => *dated == self.catalog.reference(column),
            _ => false,
        };
        let said = frame.times.iter().filter(|time| !time.negated);
        let held = said.filter(|time| {
            found.iter().any(|condition| condition.at == time.at && dates(condition))
        });
        let far = found.iter().filter(|condition| {
            self.schema.distance(plan.base, condition.table).is_none_or(|(_, to_many)| to_many)
        });
        held.count() == 1 && far.count() == 1 && plan.counted.is_empty()
    }

    /// A date within any of the ranges of a time expression.
    fn within_ranges(&mut self, time: &TimeSpec, column: ColumnId) -> Result<Predicate, Failure> {
        if time.weekdays != 0 {
            return Ok(self.on_weekdays(time.weekdays, column));
        }
        let range = self.range_of(time, column);
        if let (Some(held), true) = (self.held_within(time, &range), time.others.is_empty()) {
            return Ok(held);
        }
        let ranges = std::iter::once(range).chain(time.others.iter().cloned());
        let mut conditions = ranges
            .map(|range| self.within(column, range, time.at))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(match conditions.as_mut_slice() {
            [_] => conditions.remove(0),
            _ => Predicate::Any { conditions },
        })
    }

    /// A date on one of some days of the week, bit 0 for Monday.
    fn on_weekdays(&self, days: u8, column: ColumnId) -> Predicate {
        let column = self.catalog.reference(column);
        let compare = |operator, day: u32| Predicate::Compare {
            left: Expression::Period { column: column.clone(), grain: TimeGrain::DayOfWeek },
            operator,
            right: Literal::Text { value: day.to_string() },
        };
        match days {
            0b110_0000 | 0b111_0000 => compare(Comparison::GreaterOrEqual, 8 - days.count_ones()),
            0b1_1111 | 0b1111 | 0b111 | 0b11 => compare(Comparison::LessOrEqual, days.count_ones()),
            _ => {
                let named = (1..=7).filter(|day| days & 1 << (day - 1) != 0);
                let mut conditions: Vec<Predicate> =
                    named.map(|day| compare(Comparison::Equal, day)).collect();
                match conditions.as_slice() {
                    [_] => conditions.remove(0),
                    _ => Predicate::Any { conditions },
                }
            }
        }
    }

    /// Tables on the way to what is said last before a time, its end first, where each row may have several of them.
    ///
    /// "Customers who bought rock in 2012": the invoices are of 2012.
    fn told(
        &mut self,
        frame: &Frame,
        plan: &Plan,
        found: &[TableCondition],
        time: usize,
    ) -> Result<Vec<TableId>, Failure> {
        let related = frame.related.iter().filter(|related| related.how != TableUse::Without);
        let ends = related.map(|related| (related.at, related.table));
        let ends = ends.chain(found.iter().map(|found| (found.at, found.table)));
        let Some((_, end)) = ends.filter(|(at, _)| *at < time).max() else { return Ok(Vec::new()) };
        let far = self.schema.distance(plan.base, end).is_some_and(|(_, to_many)| to_many);
        if !far || plan.tables.contains(&end) {
            return Ok(Vec::new());
        }
        let steps = self.path(plan.base, end, &plan.named)?.steps;
        Ok(steps.iter().rev().filter_map(|step| self.schema.table(&step.to_table)).collect())
    }

    /// The period of a trend or an average that names none.
    pub(super) fn window(
        &mut self,
        frame: &Frame,
        measures: &Measures,
        fact: TableId,
        plan: &mut Plan,
    ) -> Result<(), Failure> {
        let average = measures.aggregates.iter().any(|measure| {
            matches!(measure.expression, Expression::Aggregate { function: Aggregate::Average, .. })
        });
        let dated = !frame.times.is_empty()
            || frame.conditions.iter().any(|condition| matches!(condition, Condition::Key { .. }));
        if dated || frame.trend.is_none() && !average {
            return Ok(());
        }
        let date = measures
            .aggregates
            .iter()
            .find_map(|measure| measure.date)
            .or(self.schema.profile(fact).date);
        let Some(date) = date.filter(|date| !self.schema.has_role(*date, Role::BirthDate)) else {
            return Ok(());
        };
        let severity = if frame.trend.is_some() { Severity::Important } else { Severity::Minor };
        let at = frame.trend.or(measures.aggregates.first().map(|measure| measure.at));
        if let Some(predicate) = self.time_window(date, at, severity) {
            self.constrain(plan, date.table, predicate)?;
        }
        Ok(())
    }
}
