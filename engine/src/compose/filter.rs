//! Filters: conditions, vague terms and related rows, each where it belongs.

use super::all_rows::in_stock;
use super::build::{Measures, is_aggregate, predicate_table};
use super::context::{Composer, Failure};
use super::measure::Resolved;
use super::plan::{Counted, Plan};
use crate::confidence::Method;
use crate::dictionary::TermKind;
use crate::failure::FailureCode;
use crate::intent::{Literal, Predicate};
use crate::linking::{ColumnId, Lexical, TableId, Target};
use crate::reading::{Condition, CountTarget, Frame, MeasureTarget, Related, TableUse};

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
        self.count_related(frame, plan);
        self.relate_tables(frame, plan)?;
        let (mut found, mut apart) = self.said_of_rows(frame, plan)?;
        apart |= self.said_of_times(frame, plan, date, &mut found)?;
        for predicate in self.given.clone() {
            let table = self.table_of(&predicate, plan.base);
            self.constrain(plan, table, predicate)?;
        }
        self.said_vaguely(frame, plan, &mut found);
        self.still_lasting(frame, plan, &mut found);
        if let Some((table, predicate)) = self.cohort(frame) {
            self.constrain(plan, table, predicate)?;
        }
        let mut found = self.figures_of_named_rows(frame, plan, found)?;
        self.rows_of_figures(plan, &mut found)?;
        let found = self.either(frame, plan, found)?;
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
            // Where rows are counted, there are some of them, and each has what it refers to.
            let counted = related.how != TableUse::Without
                && (plan.counted.iter().any(|counted| counted.table == related.table)
                    || self.beyond_counted(frame, plan, (related.at, related.table))?.is_some());
            if counted || self.classes_denied_value(frame, related) {
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
        plan: &mut Plan,
    ) -> Result<(Vec<TableCondition>, bool), Failure> {
        let base = plan.base;
        let mut found = Vec::new();
        let mut apart = false;
        for condition in &frame.conditions {
            let Some((table, predicate)) = self.condition(condition, base)? else { continue };
            let far = self.schema.distance(base, table).is_some_and(|(_, to_many)| to_many)
                && plan.counted.iter().all(|counted| counted.table != table);
            // "without a diagnosis": there is no related row that has one.
            // "Currently admitted": there is one that has not ended.
            let lasts = matches!(condition, Condition::Set { negated: false, .. });
            let predicate = match predicate {
                Predicate::IsNull { column, negated: false } if far && !lasts => Predicate::Not {
                    condition: Box::new(Predicate::IsNull { column, negated: true }),
                },
                other => other,
            };
            if let Some(word) = frame.universal.filter(|word| condition.at() > *word) {
                self.of_all_rows(plan, word, far.then_some(table), &predicate)?;
                continue;
            }
            let predicate = if far { self.of_some_row(condition, predicate)? } else { predicate };
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

    /// A condition on related rows whose word denies a value: "customers with unpaid invoices" have one that is not paid.
    ///
    /// # Errors
    ///
    /// Where such rows are denied once more: "customers without unpaid invoices".
    fn of_some_row(
        &self,
        condition: &Condition,
        predicate: Predicate,
    ) -> Result<Predicate, Failure> {
        let Condition::Values { at, .. } = condition else { return Ok(predicate) };
        if !at.iter().all(|at| self.mentions[*at].negated) {
            return Ok(predicate);
        }
        match predicate {
            Predicate::Not { .. } => Ok(Predicate::All { conditions: vec![predicate] }),
            _ => Err(self.fail(
                FailureCode::NotComposable,
                "rows that are denied twice take two steps".to_owned(),
                "name the states that rows have",
                at.first().copied(),
            )),
        }
    }

    /// Adds the vague terms of the frame; a vague time says nothing beside a time that is named.
    fn said_vaguely(&mut self, frame: &Frame, plan: &mut Plan, found: &mut Vec<TableCondition>) {
        let base = plan.base;
        for term in &frame.vague {
            let temporal = self
                .dictionary
                .terms
                .get(term.term)
                .is_some_and(|known| known.kind == TermKind::Temporal);
            // "new customers in 2025 by revenue": the year is that of the revenue, so that "new" is still open.
            let elsewhere = matches!(term.noun.and_then(|noun| self.target(noun)),
                Some(Target::Table(said_of)) if said_of != base);
            if temporal && !elsewhere && !frame.times.is_empty() {
                continue;
            }
            if let Some(predicate) = self.vague(term, Some(base)) {
                let table = self.table_of(&predicate, base);
                if !term.negated && self.is_gone_everywhere(base, table, found, &predicate) {
                    plan.absent.push((table, in_stock(predicate)));
                    continue;
                }
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
        let counted = frame.conditions.iter().find_map(|condition| match condition {
            Condition::CountOf { table: of, at, .. } if *of == table => Some(*at),
            _ => None,
        });
        if counted.is_some_and(|counted| self.is_said_of_none(counted, at)) {
            let set = frame
                .conditions
                .iter()
                .any(|condition| matches!(condition, Condition::Set { at: set, .. } if *set == at));
            let predicate = match predicate {
                _ if set => self.set(at, false, base)?.1,
                Predicate::Not { condition } => *condition,
                predicate => predicate,
            };
            plan.exclude(table, predicate);
            return Ok(());
        }
        let Some(predicate) = self.of_counted(frame, plan, (at, table), predicate)? else {
            return Ok(());
        };
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

    /// Whether a condition holds for none of the rows that are counted before it: "with at least 3 products and none
    /// discontinued", "and no discontinued products".
    ///
    /// Invalid: "more than 3 orders without a date", where the rows without one are counted.
    fn is_said_of_none(&self, counted: usize, at: usize) -> bool {
        let skipped = [Lexical::Filler, Lexical::Is, Lexical::Of];
        let before = (0..at).rev().find(|before| {
            let mention = &self.mentions[*before];
            !mention.readings.is_empty() || !skipped.iter().any(|kind| mention.is(*kind))
        });
        before.filter(|before| counted < *before).is_some_and(|before| {
            let mention = &self.mentions[before];
            let joined = (counted + 1..before)
                .any(|between| self.mentions[between].is(Lexical::And))
                || self.mentions[counted].tokens.end < self.mentions[counted + 1].tokens.start;
            if !joined {
                return false;
            }
            let none = mention.is(Lexical::Not) && mention.phrase.to_lowercase().ends_with("none");
            none || mention.is(Lexical::Without)
        })
    }

    /// Table of which there are no rows, where words only hint at it: decided on.
    fn denied(&mut self, table: TableId, at: usize) -> TableId {
        let hinted = self.mentions.get(at).is_some_and(|mention| {
            mention.readings.first().is_some_and(|reading| reading.method == Method::Related)
        });
        if hinted { self.table(table, at) } else { table }
    }

    /// Table whose rows a predicate is about, else the base.
    fn table_of(&self, predicate: &Predicate, base: TableId) -> TableId {
        predicate_table(predicate).and_then(|key| self.schema.table(key)).unwrap_or(base)
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
