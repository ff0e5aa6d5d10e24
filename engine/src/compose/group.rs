//! Groups: aggregates for all rows or for each group.

use super::build::{Measures, function_name, is_aggregate};
use super::context::{Composer, Failure};
use super::measure::Resolved;
use super::period::period_name;
use super::plan::Plan;
use crate::ambiguity::Severity;
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, QueryTree, Selection, TimeGrain};
use crate::linking::{ColumnId, Edge, Named, TableId, Target};
use crate::reading::{CountTarget, Frame, Group, MeasureTarget, TableUse};

impl Composer<'_> {
    /// Aggregates, for all rows or for each group.
    pub(super) fn groups(
        &mut self,
        frame: &Frame,
        head: Option<TableId>,
        mut measures: Measures,
    ) -> Result<QueryTree, Failure> {
        if measures.aggregates.is_empty() {
            let Some(head) = head else {
                return Err(self.fail(
                    FailureCode::NothingToMeasure,
                    "it is not clear what is counted or computed for each group".to_owned(),
                    "name a table or a number",
                    None,
                ));
            };
            let counted = crate::reading::Measure {
                target: MeasureTarget::Count(CountTarget::Rows(head)),
                at: frame.head.map_or(0, |(_, at)| at),
            };
            let outputs: Vec<usize> =
                frame.outputs.iter().copied().filter(|at| self.is_numeric(*at)).collect();
            if outputs.is_empty() {
                let resolved = self.measure(&counted, Some(head))?;
                measures.aggregates.push(resolved);
            }
            for at in outputs {
                let column = self.column(at, Some(head))?;
                let summed = self.phrase(at).to_lowercase().split(' ').any(|word| word == "total");
                let has = |role: Role| self.schema.has_role(column, role);
                let amount = has(Role::Amount) || has(Role::Cost) && !has(Role::Price);
                let severity = if summed || amount { Severity::Minor } else { Severity::Important };
                let function = self.decide_function(at, severity);
                measures.aggregates.push(Resolved {
                    expression: Expression::Aggregate {
                        function,
                        argument: Some(Box::new(self.column_expression(column))),
                        distinct: false,
                    },
                    fact: column.table,
                    alias: format!(
                        "{}_{}",
                        function_name(function),
                        self.catalog.column_at(column).name
                    )
                    .to_lowercase(),
                    at,
                    date: None,
                });
            }
        }
        let fact = measures.aggregates[0].fact;
        if let Some(other) = measures.aggregates.iter().find(|measure| measure.fact != fact) {
            let at = other.at;
            return Err(self.fail(
                FailureCode::NotComposable,
                "two measures come from different tables, which takes two steps".to_owned(),
                "ask for one of them at a time",
                Some(at),
            ));
        }
        let mut groups = frame.groups.clone();
        if let Some(at) = frame.trend
            && !groups.iter().any(|group| matches!(group, Group::Period { .. }))
        {
            let (grain, date) = (TimeGrain::Month, None);
            groups.insert(0, Group::Period { grain, at, date });
        }
        self.implied_groups(frame, head, fact, &measures, &mut groups);
        if frame.superlative.as_ref().is_some_and(|superlative| superlative.counted)
            && groups.len() > 1
        {
            // "The most common status across all cities": the cities are what is counted.
            groups.retain(|group| !matches!(group, Group::Table(table, _) if *table == fact));
        }
        let fewest = frame.superlative.as_ref().is_some_and(|superlative| !superlative.descending);
        let outer = self.counts_absent(frame, &groups, fact, fewest);
        let through = self.counted_through(frame, &groups, fact, &measures);
        let mut plan = Plan::new(outer.or(through).unwrap_or(fact), self.named(frame));
        if outer.is_some() {
            self.join(&mut plan, fact)?;
            for step in &mut plan.joins {
                step.outer = true;
            }
            plan.multiplied = false;
            self.count_partners(&mut measures, fact);
        }
        if outer.is_none() && through.is_some() {
            // What is counted is not looked for behind what it is counted for.
            let named = std::mem::take(&mut plan.named);
            self.join(&mut plan, fact)?;
            plan.named = named;
            self.count_once(&mut measures, fact)?;
        }
        let mut select: Vec<Selection> = Vec::new();
        let mut group_by: Vec<Expression> = Vec::new();
        let mut periods = 0;
        for group in &groups {
            let columns = match group {
                Group::Period { grain, at, date } => {
                    let column = match date {
                        Some(date) => self.column(*date, Some(fact))?,
                        None => self.period_column(fact, &measures, *at)?,
                    };
                    self.join(&mut plan, column.table)?;
                    let grain = self.part_of_date(frame, *grain, column, *at)?;
                    let expression =
                        Expression::Period { column: self.catalog.reference(column), grain };
                    periods += 1;
                    let alias = period_name(grain);
                    select.push(Selection { expression: expression.clone(), alias: Some(alias) });
                    group_by.push(expression);
                    continue;
                }
                Group::Table(table, at) => {
                    let table = self.table(*table, *at);
                    let key = self.schema.profile(table).primary_key.clone();
                    self.join(&mut plan, table)?;
                    group_by.extend(key.iter().map(|column| self.column_expression(*column)));
                    self.label(table)
                }
                Group::Thing(at) => {
                    if let Some(Target::Label(table)) = self.target(*at) {
                        let key = self.schema.profile(table).primary_key.clone();
                        self.join(&mut plan, table)?;
                        group_by.extend(key.iter().map(|column| self.column_expression(*column)));
                    }
                    match self.target(*at) {
                        Some(Target::Label(_)) => self.output(*at, Some(fact))?,
                        _ => vec![self.column(*at, Some(fact))?],
                    }
                }
            };
            for column in columns {
                self.join(&mut plan, column.table)?;
                let expression = self.column_expression(column);
                if !group_by.contains(&expression) {
                    group_by.push(expression.clone());
                }
                let item = Selection { expression, alias: None };
                if !select.contains(&item) {
                    select.push(item);
                }
            }
        }
        if plan.multiplied {
            self.count_once(&mut measures, fact)?;
        }
        let date = measures.aggregates.iter().find_map(|measure| measure.date);
        self.filters(frame, &mut plan, date)?;
        if plan.multiplied {
            self.count_once(&mut measures, fact)?;
        }
        self.window(frame, &measures, fact, &mut plan)?;
        self.settle(&mut plan)?;
        let group_labels: Vec<Expression> =
            select.iter().map(|item| item.expression.clone()).collect();
        for measure in &measures.aggregates {
            select.push(Selection {
                expression: measure.expression.clone(),
                alias: Some(measure.alias.clone()),
            });
        }
        self.tell_apart(&mut select);
        let (order_by, limit) = self.group_order(frame, &measures, &group_labels, periods)?;
        Ok(QueryTree {
            from: self.schema.profile(plan.base).key.clone(),
            joins: plan.joins,
            select,
            distinct: false,
            filters: plan.filters,
            group_by,
            having: measures.having,
            order_by,
            limit,
            top: None,
            over_groups: None,
            also: Vec::new(),
        })
    }

    pub(super) fn is_numeric(&self, at: usize) -> bool {
        matches!(self.target(at), Some(Target::Column(column))
            if self.catalog.column_at(column).data_type.is_numeric()
                && !self.schema.has_role(column, Role::Identifier))
    }

    /// Groups that the question implies: the things that are ranked, or listed beside a measure of other rows.
    pub(super) fn implied_groups(
        &self,
        frame: &Frame,
        head: Option<TableId>,
        fact: TableId,
        measures: &Measures,
        groups: &mut Vec<Group>,
    ) {
        let measured: Vec<usize> = measures.aggregates.iter().map(|measure| measure.at).collect();
        for at in frame.outputs.iter().filter(|at| !measured.contains(at)) {
            let known = groups.iter().any(|group| match group {
                Group::Thing(other) => other == at,
                Group::Table(table, _) => {
                    self.target(*at).and_then(|target| target.table()) == Some(*table)
                        && matches!(self.target(*at), Some(Target::Label(_)))
                }
                Group::Period { .. } => false,
            });
            if !known {
                groups.push(Group::Thing(*at));
            }
        }
        for (table, at) in &frame.output_tables {
            if *table != fact {
                groups.push(Group::Table(*table, *at));
            }
        }
        let Some((head, at)) = head.and(frame.head) else { return };
        let counted = frame.measures.iter().any(|measure| measure.at == at);
        let ranked = measures.order.is_some() && groups.is_empty();
        if head != fact && !counted && (groups.is_empty() || ranked)
            || ranked
                && head == fact
                && !counted
                && measures.order.as_ref().is_some_and(|order| is_aggregate(&order.expression))
                && !matches!(
                    measures.order.as_ref().map(|order| &order.expression),
                    Some(Expression::Aggregate { argument: None, .. })
                )
        {
            groups.insert(0, Group::Table(head, at));
        }
    }

    /// Table to start from so that things without any counted row count as zero.
    pub(super) fn counts_absent(
        &self,
        frame: &Frame,
        groups: &[Group],
        fact: TableId,
        fewest: bool,
    ) -> Option<TableId> {
        let [Group::Table(table, _)] = groups else { return None };
        let counts = frame
            .superlative
            .as_ref()
            .and_then(|superlative| superlative.by.as_ref())
            .is_some_and(|by| matches!(by.target, MeasureTarget::Count(_)));
        let free = frame.conditions.is_empty() && frame.times.is_empty() && frame.vague.is_empty();
        (fewest && counts && free && *table != fact).then_some(*table)
    }

    /// Table that is named beside what is counted and what it is counted for, and refers to both: "which clinicians
    /// treated the most patients" is about treatments, whatever else links the two.
    fn counted_through(
        &self,
        frame: &Frame,
        groups: &[Group],
        fact: TableId,
        measures: &Measures,
    ) -> Option<TableId> {
        let [Group::Table(group, _)] = groups else { return None };
        let counts = |measure: &Resolved| {
            let Expression::Aggregate { function, argument, .. } = &measure.expression else {
                return false;
            };
            *function == Aggregate::Count && argument.is_none()
        };
        if !measures.aggregates.iter().all(counts) {
            return None;
        }
        let with = frame.related.iter().filter(|related| related.how != TableUse::Without);
        let dated = frame.times.iter().filter_map(|time| self.target(time.column?)?.table());
        let through = frame.through.iter().map(|(via, _)| *via);
        with.map(|related| related.table).chain(dated).chain(through).find(|table| {
            let refers = |edge: &Edge| edge.to_one && edge.to == *group;
            *table != fact
                && *table != *group
                && self.schema.edges(*table).iter().any(refers)
                && self.schema.distance(*table, fact).is_some_and(|(_, to_many)| !to_many)
        })
    }

    /// Counts the partners' keys instead of rows: a row without a partner then counts as zero.
    pub(super) fn count_partners(&self, measures: &mut Measures, fact: TableId) {
        let Some(key) = self.schema.profile(fact).primary_key.first().copied() else { return };
        let counted = Expression::Aggregate {
            function: Aggregate::Count,
            argument: Some(Box::new(self.column_expression(key))),
            distinct: false,
        };
        for measure in measures.aggregates.iter_mut().chain(measures.order.iter_mut()) {
            if matches!(measure.expression, Expression::Aggregate { argument: None, .. }) {
                measure.expression = counted.clone();
            }
        }
    }

    /// Where joins multiply the counted rows, each counts once; a sum would count amounts twice and is refused.
    pub(super) fn count_once(&self, measures: &mut Measures, fact: TableId) -> Result<(), Failure> {
        let key = self.schema.profile(fact).primary_key.clone();
        for measure in measures.aggregates.iter_mut().chain(measures.order.iter_mut()) {
            let Expression::Aggregate { function, argument, distinct } = &mut measure.expression
            else {
                continue;
            };
            let harmless = *distinct || matches!(function, Aggregate::Maximum | Aggregate::Minimum);
            match (argument.is_none(), key.as_slice()) {
                _ if harmless => {}
                (true, [key]) => {
                    *argument =
                        Some(Box::new(Expression::Column { column: self.catalog.reference(*key) }));
                    *distinct = true;
                }
                _ => {
                    let at = measure.at;
                    return Err(self.fail(
                        FailureCode::FanOut,
                        format!(
                            "joining multiplies the {}, so amounts would count more than once",
                            self.table_rows(fact)
                        ),
                        "group by something that each row has only one of",
                        Some(at),
                    ));
                }
            }
        }
        Ok(())
    }

    pub(super) fn period_column(
        &mut self,
        fact: TableId,
        measures: &Measures,
        at: usize,
    ) -> Result<ColumnId, Failure> {
        if let Some(column) = measures.aggregates.iter().find_map(|measure| measure.date) {
            return Ok(column);
        }
        let mut near = vec![fact];
        near.extend(self.dated_neighbours(fact));
        for table in near {
            if let Some(column) = self.date_of_table(table, at) {
                return Ok(column);
            }
        }
        Err(self.fail(
            FailureCode::NoDateColumn,
            format!("{} have no date to group by", self.table_rows(fact)),
            "name a table with a date",
            Some(at),
        ))
    }
}
