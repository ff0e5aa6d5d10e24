//! Conditions that all related rows meet: "patients with only healed wounds", "products out of stock".

use super::condition::negate;
use super::context::{Composer, Failure};
use super::filter::TableCondition;
use super::plan::Plan;
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Comparison, Expression, Literal, Predicate};
use crate::linking::TableId;

impl Composer<'_> {
    /// A condition that all related rows meet, of which there are some: no row meets its opposite.
    ///
    /// # Errors
    ///
    /// Where there are no related rows that it is said of.
    pub(super) fn of_all_rows(
        &mut self,
        plan: &mut Plan,
        word: usize,
        related: Option<TableId>,
        predicate: &Predicate,
    ) -> Result<(), Failure> {
        let Some(table) = related else {
            return Err(self.fail(
                FailureCode::NotComposable,
                format!(
                    "“{}” is not written without a model: what holds for all related rows takes two steps",
                    self.phrase(word)
                ),
                "ask for one step at a time, such as a count, a sum or a list",
                Some(word),
            ));
        };
        if !plan.relates_to(table) {
            self.relate(plan, table, None, false);
        }
        plan.absent.push((table, negate(predicate.clone(), true)));
        Ok(())
    }

    /// "products out of stock": none are left in any of several places, where the question names no place.
    pub(super) fn is_gone_everywhere(
        &self,
        base: TableId,
        table: TableId,
        found: &[TableCondition],
        predicate: &Predicate,
    ) -> bool {
        let Predicate::Compare {
            left: Expression::Column { column },
            operator: Comparison::Less,
            right: Literal::Number { value },
        } = predicate
        else {
            return false;
        };
        let stocked = self
            .column_id(column)
            .is_some_and(|column| self.schema.has_role(column, Role::StockLevel));
        let far = self.schema.distance(base, table).is_some_and(|(_, to_many)| to_many);
        let placed = found.iter().any(|condition| {
            condition.table != base
                && self.schema.distance(table, condition.table).is_some_and(|(_, to_many)| !to_many)
        });
        value == "1" && stocked && far && !placed
    }
}

/// That some are left, for the condition that none are.
pub(super) fn in_stock(none: Predicate) -> Predicate {
    match none {
        Predicate::Compare { left, operator: Comparison::Less, right } => {
            Predicate::Compare { left, operator: Comparison::GreaterOrEqual, right }
        }
        other => negate(other, true),
    }
}
