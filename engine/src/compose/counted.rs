//! Conditions on the rows that are counted: "customers with more than 3 orders shipped by Speedy Express".

use super::context::{Composer, Failure};
use super::plan::Plan;
use crate::intent::{JoinStep, Predicate};
use crate::linking::TableId;
use crate::reading::{Condition, Frame};

impl Composer<'_> {
    /// Puts a condition said behind the rows that are counted on those rows, where each of them refers to one row of its
    /// table; gives the condition back where it does not hold for them.
    ///
    /// Invalid: "customers served by Nancy with more than 3 orders", where all their orders are counted.
    ///
    /// # Errors
    ///
    /// Where no way leads to the table.
    pub(super) fn of_counted(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        (at, table): (usize, TableId),
        predicate: Predicate,
    ) -> Result<Option<Predicate>, Failure> {
        if plan.tables.contains(&table) || plan.counted.iter().any(|known| known.table == table) {
            return Ok(Some(predicate));
        }
        let Some((position, rest)) = self.beyond_counted(frame, plan, (at, table))? else {
            return Ok(Some(predicate));
        };
        let (condition, negated) = match predicate {
            Predicate::Not { condition } => (*condition, true),
            other => (other, false),
        };
        let conditions = &mut plan.counted[position].conditions;
        let same = conditions.iter_mut().find_map(|known| match known {
            Predicate::Exists { joins, conditions, negated: false }
                if *joins == rest && !negated =>
            {
                Some(conditions)
            }
            _ => None,
        });
        match same {
            Some(known) => known.push(condition),
            None => conditions.push(Predicate::Exists {
                joins: rest,
                conditions: vec![condition],
                negated,
            }),
        }
        Ok(None)
    }

    /// Place of the counted rows said before a mention that refer to at most one row of a table each, with the joins
    /// from them to it.
    ///
    /// # Errors
    ///
    /// Where no way leads to the table.
    pub(super) fn beyond_counted(
        &mut self,
        frame: &Frame,
        plan: &Plan,
        (at, table): (usize, TableId),
    ) -> Result<Option<(usize, Vec<JoinStep>)>, Failure> {
        let before = |of: TableId| {
            frame.conditions.iter().any(|condition| {
                matches!(condition, Condition::CountOf { table, at: counted, .. }
                    if *table == of && *counted < at)
            })
        };
        for position in 0..plan.counted.len() {
            let counted = plan.counted[position].table;
            if !before(counted) || counted == table {
                continue;
            }
            let way = self.path(plan.base, table, &plan.named)?.steps;
            let own = self.path(plan.base, counted, &plan.named)?.steps;
            if way.len() <= own.len() || !way.starts_with(&own) {
                continue;
            }
            let rest = &way[own.len()..];
            if rest.iter().all(|step| self.follows_key(step)) {
                return Ok(Some((position, rest.to_vec())));
            }
        }
        Ok(None)
    }
}
