//! The plan of a query: its base table, the tables joined so far, and where conditions go.

use super::context::{Composer, Failure};
use super::together::rows_apart;
use crate::catalog::ColumnRef;
use crate::intent::{Comparison, JoinStep, Predicate};
use crate::linking::{Named, TableId};
use crate::order;

/// A query under construction.
#[derive(Debug)]
pub(super) struct Plan {
    /// Table whose rows are read.
    pub(super) base: TableId,
    /// Joins so far.
    pub(super) joins: Vec<JoinStep>,
    /// Tables joined so far, the base included.
    pub(super) tables: Vec<TableId>,
    /// Tables named in the question: ways through them are preferred.
    pub(super) named: Vec<TableId>,
    /// Conditions so far.
    pub(super) filters: Vec<Predicate>,
    /// Whether a join leads to many rows for one of the base.
    pub(super) multiplied: bool,
    /// Numbers of related rows, with the conditions on those rows.
    pub(super) counted: Vec<Counted>,
    /// Conditions that no row of a table may meet, whatever other rows of it meet.
    pub(super) absent: Vec<(TableId, Predicate)>,
    /// A table all of whose rows are related, with the conditions on those rows.
    pub(super) shared: Option<(TableId, Vec<Predicate>)>,
    /// Conditions on related rows, by table, put together at the end.
    related: Vec<(TableId, Vec<Predicate>, bool)>,
}

impl Plan {
    /// Whether related rows must exist, or must not.
    pub(super) fn relates(&self) -> bool {
        !self.related.is_empty()
    }

    /// A plan that reads one table.
    pub(super) fn new(base: TableId, named: Vec<TableId>) -> Self {
        Self {
            base,
            joins: Vec::new(),
            tables: vec![base],
            named,
            filters: Vec::new(),
            multiplied: false,
            counted: Vec::new(),
            absent: Vec::new(),
            shared: None,
            related: Vec::new(),
        }
    }
}

/// A number of related rows that is compared.
#[derive(Debug)]
pub(super) struct Counted {
    /// Table whose rows are counted.
    pub(super) table: TableId,
    /// Operator.
    pub(super) operator: Comparison,
    /// Decimal text.
    pub(super) value: String,
    /// Whether the question says "different".
    pub(super) different: bool,
    /// Conditions on the counted rows.
    pub(super) conditions: Vec<Predicate>,
}

impl Plan {
    /// Adds that no row of a table meets a condition: of those that must not exist, where there are any.
    pub(super) fn exclude(&mut self, table: TableId, condition: Predicate) {
        let missing =
            self.related.iter_mut().find(|(known, _, negated)| *known == table && *negated);
        match missing {
            Some((_, conditions, _)) => conditions.push(condition),
            None => self.absent.push((table, condition)),
        }
    }

    /// Whether there must be rows of a table.
    pub(super) fn relates_to(&self, table: TableId) -> bool {
        self.related.iter().any(|(known, _, negated)| *known == table && !negated)
    }

    /// Whether conditions on the rows of a table may be met by different rows of it.
    pub(super) fn takes_apart(&self, table: TableId) -> bool {
        !self.tables.contains(&table)
            && self.counted.iter().all(|counted| counted.table != table)
            && self.shared.as_ref().is_none_or(|(shared, _)| *shared != table)
    }

    /// Conditions on the rows of a table that are counted, or that must or must not exist.
    fn related_conditions(&mut self, table: TableId) -> Option<&mut Vec<Predicate>> {
        if let Some((shared, conditions)) = &mut self.shared
            && *shared == table
        {
            return Some(conditions);
        }
        let counted = self.counted.iter_mut().find(|counted| counted.table == table);
        if let Some(counted) = counted {
            return Some(&mut counted.conditions);
        }
        self.related
            .iter_mut()
            .find(|(known, ..)| *known == table)
            .map(|(_, conditions, _)| conditions)
    }
}

impl Composer<'_> {
    /// Joins a table to the plan.
    pub(super) fn join(&mut self, plan: &mut Plan, table: TableId) -> Result<(), Failure> {
        if plan.tables.contains(&table) {
            return Ok(());
        }
        let path = self.path(plan.base, table, &plan.named)?;
        plan.multiplied |= path.to_many;
        for step in path.steps {
            if let Some(added) = self.schema.table(&step.to_table)
                && !plan.tables.contains(&added)
            {
                plan.tables.push(added);
                plan.joins.push(step);
            }
        }
        Ok(())
    }

    /// Puts a condition on a table where it neither multiplies rows nor loses its meaning.
    pub(super) fn constrain(
        &mut self,
        plan: &mut Plan,
        table: TableId,
        predicate: Predicate,
    ) -> Result<(), Failure> {
        if plan.tables.contains(&table) {
            plan.filters.push(predicate);
            return Ok(());
        }
        if let Some(conditions) = plan.related_conditions(table) {
            conditions.push(predicate);
            return Ok(());
        }
        let path = self.path(plan.base, table, &plan.named)?;
        if !path.to_many {
            self.join(plan, table)?;
            plan.filters.push(predicate);
            return Ok(());
        }
        let (predicate, negated) = match predicate {
            Predicate::Not { condition } => (*condition, true),
            other => (other, false),
        };
        self.relate(plan, table, Some(predicate), negated);
        Ok(())
    }

    /// Notes that rows of a table must exist, or must not, with a condition on them.
    pub(super) fn relate(
        &mut self,
        plan: &mut Plan,
        table: TableId,
        predicate: Option<Predicate>,
        negated: bool,
    ) {
        let known = plan
            .related
            .iter_mut()
            .find(|(known, _, known_negated)| *known == table && *known_negated == negated);
        match known {
            Some((_, conditions, _)) => conditions.extend(predicate),
            None => plan.related.push((table, predicate.into_iter().collect(), negated)),
        }
    }

    /// Key of the rows that some joins lead to, where one of them may be reached several times: "clinicians who treated
    /// more than 50 patients" counts each patient once. A table that only links two others has a row for each pair, unless
    /// the question says "different".
    pub(super) fn counted_once(&self, steps: &[JoinStep], different: bool) -> Option<ColumnRef> {
        let far = self.schema.table(&steps.last()?.to_table)?;
        let [key] = self.schema.profile(far).primary_key.as_slice() else { return None };
        let many = steps.iter().position(|step| !self.follows_key(step))?;
        let back = many + steps[many..].iter().position(|step| self.follows_key(step))?;
        let (there, again) = (&steps[many], &steps[back]);
        let between = self.schema.table(&there.to_table)?;
        // A linking table has one row for each that is counted; so has one that is named after it: `student_enrolments`.
        let link = self.schema.profile(between);
        let named = link.stems.iter().any(|stem| self.schema.profile(far).stems.contains(stem));
        if steps.len() == 2 && !different && (link.is_bridge || named) {
            return None;
        }
        let ties: Vec<&String> = there.to_columns.iter().chain(&again.from_columns).collect();
        let pair = &self.schema.profile(between).primary_key;
        let once = steps.len() == 2
            && !pair.is_empty()
            && pair.iter().all(|column| ties.contains(&&self.catalog.column_at(*column).name));
        (!once).then(|| self.catalog.reference(*key))
    }

    /// Whether a step follows a foreign key to the row that it refers to.
    pub(super) fn follows_key(&self, step: &JoinStep) -> bool {
        self.catalog.foreign_keys.iter().any(|key| {
            key.from_table == step.from_table
                && key.to_table == step.to_table
                && key.from_columns == step.from_columns
        })
    }

    /// Turns what was noted about related rows into conditions.
    ///
    /// Conditions on several tables along one way are about the same related rows, so they become one
    /// condition at its far end.
    pub(super) fn settle(&mut self, plan: &mut Plan) -> Result<(), Failure> {
        for counted in std::mem::take(&mut plan.counted) {
            let (path, longer) = self.path_to_several(plan.base, counted.table, &plan.named)?;
            plan.filters.push(Predicate::RelatedCount {
                distinct: self.counted_once(&path.steps, counted.different || longer),
                joins: path.steps,
                conditions: counted.conditions,
                operator: counted.operator,
                value: counted.value,
            });
        }
        if let Some((table, conditions)) = plan.shared.take()
            && let Some(key) = self.schema.profile(table).primary_key.first().copied()
        {
            let path = self.path(plan.base, table, &plan.named)?;
            plan.filters.push(Predicate::RelatedToAll {
                joins: path.steps,
                key: self.catalog.reference(key),
                conditions,
            });
        }
        for (table, predicate) in std::mem::take(&mut plan.absent) {
            plan.related.push((table, vec![predicate], true));
        }
        let related = std::mem::take(&mut plan.related);
        let mut ways: Vec<(Vec<JoinStep>, Vec<Predicate>, bool)> = Vec::new();
        for (table, conditions, negated) in related {
            let path = self.path(plan.base, table, &plan.named)?;
            ways.push((path.steps, conditions, negated));
        }
        order::by_key(&mut ways, |(steps, ..)| std::cmp::Reverse(steps.len()));
        let mut settled: Vec<(Vec<JoinStep>, Vec<Predicate>, bool)> = Vec::new();
        for (steps, conditions, negated) in ways {
            // "who do not destroy any document": what is denied goes on to what stands behind it.
            let denied = settled.iter_mut().find(|(other, _, other_negated)| {
                negated
                    && conditions.is_empty()
                    && !*other_negated
                    && other.len() > steps.len()
                    && other.starts_with(&steps)
            });
            if let Some((_, _, other_negated)) = denied {
                *other_negated = true;
                continue;
            }
            let longer = settled.iter_mut().find(|(other, _, other_negated)| {
                *other_negated == negated && !negated && other.starts_with(&steps)
            });
            match longer {
                Some((_, known, _)) => known.extend(conditions),
                None => settled.push((steps, conditions, negated)),
            }
        }
        for (joins, conditions, negated) in settled {
            if negated {
                plan.filters.push(Predicate::Exists { joins, conditions, negated });
                continue;
            }
            for conditions in rows_apart(conditions) {
                let joins = joins.clone();
                plan.filters.push(Predicate::Exists { joins, conditions, negated });
            }
        }
        Ok(())
    }
}
