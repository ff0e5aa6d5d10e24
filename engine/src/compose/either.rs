//! One of two conditions, as one condition on the rows asked about.

use super::context::{Composer, Failure};
use super::filter::TableCondition;
use super::plan::Plan;
use crate::failure::FailureCode;
use crate::intent::Predicate;
use crate::linking::TableId;
use crate::reading::{Condition, Frame, Side};

impl Composer<'_> {
    /// The conditions found, with the two of which one has to hold as one of them.
    ///
    /// Conditions on the same table stay on it; others become conditions on the rows asked about, so that a row without
    /// related rows can meet the one or the other.
    ///
    /// # Errors
    ///
    /// Where one of the two is no condition on rows, or no way leads to its table.
    pub(super) fn either(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        mut found: Vec<TableCondition>,
    ) -> Result<Vec<TableCondition>, Failure> {
        let Some(either) = frame.either else { return Ok(found) };
        let mut sides = Vec::new();
        for side in [either.one, either.other] {
            let held = match side {
                Side::Rows(table) => Some(self.there_are(plan, table)?),
                Side::Condition(at) => {
                    match found.iter().position(|condition| condition.at == at) {
                        Some(position) => Some(found.remove(position)),
                        None => self.number_of(frame, plan, at)?,
                    }
                }
            };
            sides.extend(held);
        }
        let [one, other] = sides.as_slice() else {
            return Err(self.fail(
                FailureCode::NotComposable,
                "it is not clear which two conditions “or” stands between".to_owned(),
                "ask for one of them at a time",
                Some(either.or),
            ));
        };
        for (side, held) in [(true, one), (false, other)] {
            let named = frame.leading.iter().filter(|(_, at)| (*at < either.or) == side);
            let named = named.copied().collect();
            self.lead_there(plan, plan.base, named, std::slice::from_ref(held))?;
        }
        let (table, conditions) = if one.table == other.table {
            (one.table, vec![one.predicate.clone(), other.predicate.clone()])
        } else {
            (plan.base, vec![self.of_base(plan, one)?, self.of_base(plan, other)?])
        };
        found.push(TableCondition { at: one.at, table, predicate: Predicate::Any { conditions } });
        Ok(found)
    }

    /// Refuses tables that were left out because they only lead to conditions, and do not: "customers with invoices in
    /// Germany or over 5000", where Germany is said of the customers.
    ///
    /// # Errors
    ///
    /// Where a table stands on the way to none of the conditions.
    pub(super) fn lead_there(
        &mut self,
        plan: &Plan,
        rows: TableId,
        named: Vec<(TableId, usize)>,
        conditions: &[TableCondition],
    ) -> Result<(), Failure> {
        for (table, at) in named {
            let mut leads = table == rows;
            for condition in conditions {
                let way = self.path(rows, condition.table, &plan.named)?.steps;
                let key = self.schema.profile(table).key.as_str();
                leads |= condition.table == table || way.iter().any(|step| step.to_table == key);
                leads |= tables_of(&condition.predicate).any(|known| known == key);
            }
            if !leads {
                return Err(self.fail(
                    FailureCode::NotComposable,
                    format!("it is not clear what “{}” is said for", self.phrase(at)),
                    "ask for one of them at a time",
                    Some(at),
                ));
            }
        }
        Ok(())
    }

    /// A comparison of a number of related rows, which leaves the plan, as a condition on the rows asked about.
    fn number_of(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        at: usize,
    ) -> Result<Option<TableCondition>, Failure> {
        let counted = frame.conditions.iter().find_map(|condition| match condition {
            Condition::CountOf { table, at: of, .. } if *of == at => Some(*table),
            _ => None,
        });
        let position = plan.counted.iter().position(|known| Some(known.table) == counted);
        let Some(position) = position else { return Ok(None) };
        let counted = plan.counted.remove(position);
        let predicate = self.of_number(plan, counted)?;
        Ok(Some(TableCondition { at, table: plan.base, predicate }))
    }

    /// That there are related rows of a table.
    fn there_are(&mut self, plan: &Plan, table: TableId) -> Result<TableCondition, Failure> {
        let path = self.path(plan.base, table, &plan.named)?;
        let predicate =
            Predicate::Exists { joins: path.steps, conditions: Vec::new(), negated: false };
        Ok(TableCondition { at: 0, table: plan.base, predicate })
    }
}

/// Tables that a condition on related rows leads through.
fn tables_of(predicate: &Predicate) -> impl Iterator<Item = &str> {
    let joins = match predicate {
        Predicate::Exists { joins, .. } | Predicate::RelatedCount { joins, .. } => joins.as_slice(),
        _ => &[],
    };
    joins.iter().map(|step| step.to_table.as_str())
}
