//! The first rows of each group: the rows in order, with what tells the groups apart.

use super::build::{Measures, compose};
use super::context::{Composer, Failure};
use super::option::ignore_option;
use super::period::period_name;
use super::plan::Plan;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{Decision, Relation};
use crate::failure::FailureCode;
use crate::intent::{Expression, QueryTree, Selection, TopOfEach};
use crate::linking::{ColumnId, Named, TableId, Target};
use crate::reading::{Frame, Group};

/// What tells groups apart, and what is shown of them.
struct Partition {
    table: TableId,
    keys: Vec<Expression>,
    shown: Vec<Selection>,
}

impl Composer<'_> {
    /// Query tree of the first rows of each group.
    pub(super) fn top_of_each(&mut self, frame: &Frame) -> Result<QueryTree, Failure> {
        let [group] = frame.groups.as_slice() else { return Err(self.not_ranked(frame)) };
        let rest = Frame { top_of_each: false, groups: Vec::new(), ..frame.clone() };
        let mut tree = compose(self, &rest)?;
        let base = self.schema.table(&tree.from);
        if tree.top.is_some() {
            return Err(self.not_ranked(frame));
        }
        let (Some(base), Some(limit)) = (base, tree.limit.take()) else {
            return Err(self.not_ranked(frame));
        };
        let plain = tree.also.is_empty() && !tree.distinct;
        if !plain || tree.order_by.is_empty() {
            return Err(self.not_ranked(frame));
        }
        let named = frame.superlative.as_ref().and_then(|superlative| superlative.limit);
        let count = named.or(frame.limit.map(|_| limit)).unwrap_or(1);
        let partition = self.partition(group, base)?;
        let path = self.path(base, partition.table, &self.named(frame))?;
        if path.to_many {
            return Err(self.not_ranked(frame));
        }
        for step in path.steps {
            let joined = step.to_table == tree.from
                || tree.joins.iter().any(|known| known.to_table == step.to_table);
            if !joined {
                tree.joins.push(step);
            }
        }
        if !tree.group_by.is_empty() {
            let shown = partition.shown.iter().map(|item| &item.expression);
            for key in partition.keys.iter().chain(shown) {
                if !tree.group_by.contains(key) {
                    tree.group_by.push(key.clone());
                }
            }
        }
        tree.select.retain(|item| {
            !partition.shown.iter().any(|shown| shown.expression == item.expression)
        });
        tree.select.splice(0..0, partition.shown);
        self.tell_apart(&mut tree.select);
        tree.top = Some(TopOfEach { partition: partition.keys, count });
        self.note_top(frame, count);
        Ok(tree)
    }

    /// The limit of the things asked about: where what is shown beside them has many rows for one, it holds for places.
    pub(super) fn limit_of_things(
        &mut self,
        plan: &mut Plan,
        shown: &[ColumnId],
        ordering: &[ColumnId],
        limit: Option<u32>,
    ) -> Result<(Option<u32>, Option<TopOfEach>), Failure> {
        let Some(count) = limit.filter(|_| plan.multiplied) else { return Ok((limit, None)) };
        // An order by the other rows asks for those rows: "customers with the latest orders".
        if self.reaches_many(plan, ordering)? || !self.reaches_many(plan, shown)? {
            return Ok((limit, None));
        }
        if self.schema.profile(plan.base).primary_key.is_empty() {
            let rows = self.table_rows(plan.base);
            return Err(self.fail(
                FailureCode::NotComposable,
                format!("{rows} have no key that tells {count} of them from the rows beside them"),
                "ask for them alone first",
                None,
            ));
        }
        // A thing with nothing beside it keeps its place.
        for step in &mut plan.joins {
            step.outer = true;
        }
        Ok((None, Some(TopOfEach { partition: Vec::new(), count })))
    }

    /// Whether one of some columns is of rows that are many for one of the base.
    fn reaches_many(&mut self, plan: &Plan, columns: &[ColumnId]) -> Result<bool, Failure> {
        for column in columns {
            if self.path(plan.base, column.table, &plan.named)?.to_many {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn partition(&mut self, group: &Group, base: TableId) -> Result<Partition, Failure> {
        let (table, keys, columns) = match group {
            Group::Period { grain, at, date } => {
                let column = match date {
                    Some(date) => self.column(*date, Some(base))?,
                    None => self.period_column(base, &Measures::default(), *at)?,
                };
                let period =
                    Expression::Period { column: self.catalog.reference(column), grain: *grain };
                let alias = Some(period_name(*grain));
                let shown = vec![Selection { expression: period.clone(), alias }];
                return Ok(Partition { table: column.table, keys: vec![period], shown });
            }
            Group::Table(table, at) => {
                let table = self.table(*table, *at);
                (table, self.schema.profile(table).primary_key.clone(), self.label(table))
            }
            Group::Thing(at) => {
                if let Some(Target::Label(table)) = self.target(*at) {
                    let keys = self.schema.profile(table).primary_key.clone();
                    (table, keys, self.output(*at, Some(base))?)
                } else {
                    let column = self.column(*at, Some(base))?;
                    (column.table, vec![column], vec![column])
                }
            }
        };
        let keys = if keys.is_empty() { &columns } else { &keys };
        Ok(Partition {
            table,
            keys: keys.iter().map(|column| self.column_expression(*column)).collect(),
            shown: columns.iter().map(|column| self.selection(*column)).collect(),
        })
    }

    /// Says how many rows each group has, whatever is equal.
    fn note_top(&mut self, frame: &Frame, count: u32) {
        let Some(superlative) = &frame.superlative else { return };
        let (span, phrase) = (self.span(superlative.at), self.phrase(superlative.at).to_owned());
        let label = match count {
            1 => "one row of each, also where several are equal".to_owned(),
            count => format!("{count} rows of each, also where several are equal"),
        };
        self.decide(Decision {
            kind: AmbiguityKind::Aggregation,
            severity: Severity::Minor,
            span,
            phrase,
            relation: Relation::Means,
            reason: "equal rows have no order among themselves".to_owned(),
            options: vec![ignore_option(label, "the first in the order shown")],
            recommended: None,
            custom: None,
        });
    }

    fn not_ranked(&self, frame: &Frame) -> Failure {
        let at = frame.superlative.as_ref().map(|superlative| superlative.at);
        self.fail(
            FailureCode::NotComposable,
            "the first rows of each group are not told by these words".to_owned(),
            "name what is ranked, by which number, and for each of what",
            at,
        )
    }
}
