//! Filters: conditions, times, vague terms and related rows, each where it belongs.

use super::build::{Measures, is_aggregate, predicate_table};
use super::context::{Composer, Failure};
use super::measure::Resolved;
use super::plan::{Counted, Plan};
use crate::ambiguity::Severity;
use crate::confidence::Method;
use crate::data::Role;
use crate::dictionary::TermKind;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, Literal, Predicate};
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};
use crate::reading::{Condition, CountTarget, Frame, MeasureTarget, Related, TableUse, TimeSpec};

/// A condition with the table it is about.
#[derive(Clone, Debug)]
pub(super) struct TableCondition {
    /// Mention.
    pub(super) at: usize,
    /// Table.
    pub(super) table: TableId,
    /// Condition on its rows.
    pub(super) predicate: Predicate,
}

impl Composer<'_> {
    /// Conditions, times, vague terms and related tables.
    pub(super) fn filters(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        date: Option<ColumnId>,
    ) -> Result<(), Failure> {
        plan.shared = frame.shared.map(|table| (table, Vec::new()));
        self.relate_tables(frame, plan)?;
        self.count_related(frame, plan);
        let (mut found, apart) = self.said_of_rows(frame, plan)?;
        self.said_of_times(frame, plan, date, &mut found)?;
        for predicate in self.given.clone() {
            let table = self.table_of(&predicate, plan.base);
            self.constrain(plan, table, predicate)?;
        }
        self.said_vaguely(frame, plan.base, &mut found);
        if let Some((table, predicate)) = self.cohort(frame) {
            self.constrain(plan, table, predicate)?;
        }
        self.rows_of_figures(&mut found);
        // What is said of rows apart is said of each of them.
        let found = if apart { found } else { self.attached(frame, plan, found)? };
        for condition in found {
            self.constrain_where_said(frame, plan, condition)?;
        }
        Ok(())
    }

    /// Tables of which there must be rows, or must be none.
    fn relate_tables(&mut self, frame: &Frame, plan: &mut Plan) -> Result<(), Failure> {
        let base = plan.base;
        for related in &frame.related {
            if self.classes_denied_value(frame, related) {
                continue;
            }
            match related.how {
                TableUse::With => {
                    let path = self.path(base, related.table, &plan.named)?;
                    if path.to_many || path.optional {
                        self.relate(plan, related.table, None, false);
                    }
                }
                TableUse::Without => {
                    let table = self.denied(related.table, related.at);
                    self.relate(plan, table, None, true);
                }
                TableUse::Path => {
                    let read = plan.tables.contains(&related.table);
                    let path = self.path(base, related.table, &plan.named)?;
                    let counted = frame.groups.is_empty()
                        && frame.measures.iter().all(|measure| match measure.target {
                            MeasureTarget::Count(CountTarget::Rows(table)) => table == base,
                            MeasureTarget::Count(CountTarget::Head) => true,
                            _ => false,
                        });
                    if path.to_many && !read && counted {
                        self.relate(plan, related.table, None, false);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a table only says what a denied value before it is: "not using aspirin as medication" is not about
    /// other medication.
    fn classes_denied_value(&self, frame: &Frame, related: &Related) -> bool {
        related.how != TableUse::Without
            && frame.conditions.iter().any(|condition| match condition {
                Condition::Values { at, negated: true, .. } => at.iter().any(|value| {
                    *value < related.at
                        && matches!(self.target(*value), Some(Target::Value(column, _))
                            if column.table == related.table)
                }),
                _ => false,
            })
    }

    /// Conditions of the frame with their tables, and whether some of them hold for different rows of one table.
    fn said_of_rows(
        &mut self,
        frame: &Frame,
        plan: &Plan,
    ) -> Result<(Vec<TableCondition>, bool), Failure> {
        let base = plan.base;
        let mut found = Vec::new();
        let mut apart = false;
        for condition in &frame.conditions {
            let Some((table, predicate)) = self.condition(condition, base)? else { continue };
            let far = self.schema.distance(base, table).is_some_and(|(_, to_many)| to_many);
            // "without a diagnosis": there is no related row that has one.
            let predicate = match predicate {
                Predicate::IsNull { column, negated: false } if far => Predicate::Not {
                    condition: Box::new(Predicate::IsNull { column, negated: true }),
                },
                other => other,
            };
            let together = self.together(plan, condition, table, predicate);
            apart |= together.len() > 1;
            let at = condition.at();
            found.extend(together.into_iter().map(|predicate| TableCondition {
                at,
                table,
                predicate,
            }));
        }
        Ok((found, apart))
    }

    /// Adds the times of the frame to what was said before, each as a condition on the date that it means.
    fn said_of_times(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        date: Option<ColumnId>,
        found: &mut Vec<TableCondition>,
    ) -> Result<(), Failure> {
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
            let predicate = super::condition::negate(predicate, time.negated);
            found.push(TableCondition { at: time.at, table: column.table, predicate });
        }
        Ok(())
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
        let range = self.range_of(time, column);
        let ranges = std::iter::once(range).chain(time.others.iter().cloned());
        let mut conditions = ranges
            .map(|range| self.within(column, range, time.at))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(match conditions.as_mut_slice() {
            [_] => conditions.remove(0),
            _ => Predicate::Any { conditions },
        })
    }

    /// Adds the vague terms of the frame; a vague time says nothing beside a time that is named.
    fn said_vaguely(&mut self, frame: &Frame, base: TableId, found: &mut Vec<TableCondition>) {
        for term in &frame.vague {
            let temporal = self
                .dictionary
                .terms
                .get(term.term)
                .is_some_and(|known| known.kind == TermKind::Temporal);
            if temporal && !frame.times.is_empty() {
                continue;
            }
            if let Some(predicate) = self.vague(term, Some(base)) {
                let table = self.table_of(&predicate, base);
                found.push(TableCondition { at: term.at, table, predicate });
            }
        }
    }

    /// Adds a condition to the plan; the way to its table leads through no related table that is named later.
    ///
    /// "Customers in France with orders": France is said of the customers.
    fn constrain_where_said(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        condition: TableCondition,
    ) -> Result<(), Failure> {
        let TableCondition { at, table, predicate } = condition;
        let base = plan.base;
        let later = frame.related.iter().filter(|related| related.at > at);
        let later: Vec<TableId> = later
            .map(|related| related.table)
            .filter(|table| self.schema.distance(base, *table).is_some_and(|(_, to_many)| to_many))
            .collect();
        let named = plan.named.clone();
        plan.named.retain(|table| !later.contains(table));
        self.constrain(plan, table, predicate)?;
        plan.named = named;
        Ok(())
    }

    /// Table of which there are no rows, where words only hint at it: decided on.
    fn denied(&mut self, table: TableId, at: usize) -> TableId {
        let hinted = self.mentions.get(at).is_some_and(|mention| {
            mention.readings.first().is_some_and(|reading| reading.method == Method::Related)
        });
        if hinted { self.table(table, at) } else { table }
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

    /// Table whose rows a predicate is about, else the base.
    fn table_of(&self, predicate: &Predicate, base: TableId) -> TableId {
        predicate_table(predicate).and_then(|key| self.schema.table(key)).unwrap_or(base)
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

    /// Conditions on what is computed: they hold for groups.
    pub(super) fn measure_conditions(
        &mut self,
        frame: &Frame,
        measures: &mut Measures,
    ) -> Result<(), Failure> {
        for condition in &frame.conditions {
            let Condition::Measure { at, operator, value } = condition else { continue };
            let Some(measure) = measures.aggregates.iter().find(|measure| measure.at == *at) else {
                continue;
            };
            if !is_aggregate(&measure.expression) {
                let message = format!("“{}” is compared, but not computed", self.phrase(*at));
                return Err(self.fail(
                    FailureCode::NothingToCompare,
                    message,
                    "say sum, average or count",
                    Some(*at),
                ));
            }
            measures.having.push(Predicate::Compare {
                left: measure.expression.clone(),
                operator: *operator,
                right: Literal::Number { value: value.clone() },
            });
        }
        Ok(())
    }

    /// "countries with more than 5 customers": the count of a group, and the condition on it.
    pub(super) fn counted_groups(&mut self, frame: &Frame) -> Option<(Resolved, Predicate)> {
        if frame.head.is_some() || frame.outputs.is_empty() {
            return None;
        }
        let (table, operator, value, at) =
            frame.conditions.iter().find_map(|condition| match condition {
                Condition::CountOf { table, operator, value, at } => {
                    Some((*table, *operator, value.clone(), *at))
                }
                _ => None,
            })?;
        let target = MeasureTarget::Count(CountTarget::Rows(table));
        let counted = self.measure(&crate::reading::Measure { target, at }, None).ok()?;
        let having = Predicate::Compare {
            left: counted.expression.clone(),
            operator,
            right: Literal::Number { value },
        };
        Some((counted, having))
    }

    /// Adds the numbers of related rows that are compared to the plan; "different" counts each row once.
    fn count_related(&self, frame: &Frame, plan: &mut Plan) {
        for condition in &frame.conditions {
            if let Condition::CountOf { table, operator, value, at } = condition
                && *table != plan.base
            {
                let before = at.checked_sub(1).and_then(|before| self.mentions.get(before));
                plan.counted.push(Counted {
                    table: *table,
                    operator: *operator,
                    value: value.clone(),
                    different: before.is_some_and(|before| before.is(Lexical::Distinct)),
                    conditions: Vec::new(),
                });
            }
        }
    }
}
