//! Groups: aggregates for all rows or for each group.

use super::build::{Measures, function_name};
use super::context::{Composer, Failure};
use super::measure::Resolved;
use super::period::period_name;
use super::plan::Plan;
use crate::ambiguity::Severity;
use crate::catalog::ColumnRef;
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, Literal, Predicate, QueryTree, Selection, TimeGrain};
use crate::linking::{Act, ColumnId, Lexical, Named, TableId, Target};
use crate::reading::{Condition, CountTarget, Frame, Group, MeasureTarget, TableUse};

/// What rows are grouped by, and what is shown of each group.
#[derive(Debug, Default)]
struct GroupKeys {
    select: Vec<Selection>,
    group_by: Vec<Expression>,
    /// Number of periods among them.
    periods: usize,
}

impl GroupKeys {
    /// Groups by a period of a date, and shows it.
    fn add_period(&mut self, column: ColumnRef, grain: TimeGrain) {
        let expression = Expression::Period { column, grain };
        self.periods += 1;
        let alias = Some(period_name(grain));
        self.select.push(Selection { expression: expression.clone(), alias });
        self.group_by.push(expression);
    }

    /// Groups by a column, and shows it once.
    fn add_label(&mut self, expression: Expression) {
        if !self.group_by.contains(&expression) {
            self.group_by.push(expression.clone());
        }
        let item = Selection { expression, alias: None };
        if !self.select.contains(&item) {
            self.select.push(item);
        }
    }
}

impl Composer<'_> {
    /// Aggregates, for all rows or for each group.
    pub(super) fn groups(
        &mut self,
        frame: &Frame,
        head: Option<TableId>,
        mut measures: Measures,
    ) -> Result<QueryTree, Failure> {
        if measures.aggregates.is_empty() {
            measures.aggregates = self.implied_measures(frame, head)?;
        }
        let (figures, frame) = self.vague_figures(frame, &measures);
        let frame = &frame;
        let by_period = frame.groups.iter().any(|group| matches!(group, Group::Period { .. }));
        if let Some(term) = figures.first().filter(|_| head.is_some() && by_period) {
            return Err(self.fail(
                FailureCode::NotComposable,
                "it is not clear whether the figure is of each row or of each period".to_owned(),
                "ask for one of them at a time",
                Some(term.at),
            ));
        }
        let fact = self.only_fact(&measures)?;
        let groups = self.groups_of(frame, head, fact, &measures);
        let mut plan = self.group_plan(frame, &groups, fact, &mut measures)?;
        let mut keys = GroupKeys::default();
        for group in &groups {
            self.group(frame, group, (fact, &measures), &mut plan, &mut keys)?;
        }
        self.show_beside(frame, &groups, &mut plan, &mut keys)?;
        if let Some(rows) = frame.beside {
            self.keep_all_rows(rows, &mut plan);
        }
        self.join_prices(&measures, &mut plan)?;
        self.count_once_in_groups(&groups, &plan, &mut measures, fact)?;
        let date = measures.aggregates.iter().find_map(|measure| measure.date);
        self.filters(frame, &mut plan, date)?;
        self.keep_rows_of_head(frame, head, fact, &mut plan)?;
        self.count_once_in_groups(&groups, &plan, &mut measures, fact)?;
        self.count_rows_of_groups(frame, (&groups, fact), plan.multiplied, &mut measures)?;
        for term in &figures {
            self.vague_figure(term, &mut measures);
        }
        self.window(frame, &measures, fact, &mut plan)?;
        self.settle(&mut plan)?;
        let GroupKeys { mut select, group_by, periods } = keys;
        let labels: Vec<Expression> = select.iter().map(|item| item.expression.clone()).collect();
        for measure in &measures.aggregates {
            select.push(Selection {
                expression: measure.expression.clone(),
                alias: Some(measure.alias.clone()),
            });
        }
        self.tell_apart(&mut select);
        let (order_by, limit) = self.group_order(frame, &measures, &labels, periods)?;
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
            against_mean: None,
            over_groups: None,
            also: Vec::new(),
        })
    }

    /// "Categories with more than 10 products and an average price above 20": the rows of each group are counted, where
    /// the groups are the rows that have them.
    fn count_rows_of_groups(
        &self,
        frame: &Frame,
        (groups, fact): (&[Group], TableId),
        multiplied: bool,
        measures: &mut Measures,
    ) -> Result<(), Failure> {
        let head = frame.head.map(|(head, _)| head);
        let of_head = |group: &Group| match group {
            Group::Table(table, _) => Some(*table) == head,
            Group::Thing(at) => self.target(*at).and_then(|target| target.table()) == head,
            Group::Period { .. } => false,
        };
        let of_rows = head.is_some() && !groups.is_empty() && groups.iter().all(of_head);
        for condition in &frame.conditions {
            let Condition::CountOf { table, operator, value, at } = condition else { continue };
            let right = Literal::Number { value: value.clone() };
            let is_counted = |known: &Predicate| {
                matches!(known, Predicate::Compare {
                    left: Expression::Aggregate { function: Aggregate::Count, .. },
                    operator: own,
                    right: bound,
                } if own == operator && *bound == right)
            };
            if *table != fact || measures.having.iter().any(is_counted) {
                continue;
            }
            if multiplied || !of_rows {
                return Err(self.fail(
                    FailureCode::NotComposable,
                    "it is not clear which rows are counted".to_owned(),
                    "ask for one of the figures at a time",
                    Some(*at),
                ));
            }
            let left = Expression::Aggregate {
                function: Aggregate::Count,
                argument: None,
                distinct: false,
            };
            measures.having.push(Predicate::Compare { left, operator: *operator, right });
        }
        Ok(())
    }

    /// "The average age of gymnasts", where ages are those of people: only people that are gymnasts count.
    fn keep_rows_of_head(
        &mut self,
        frame: &Frame,
        head: Option<TableId>,
        fact: TableId,
        plan: &mut Plan,
    ) -> Result<(), Failure> {
        let paths = frame.related.iter().filter(|related| related.how == TableUse::Path);
        let named: Vec<TableId> = head.into_iter().chain(paths.map(|path| path.table)).collect();
        for table in named {
            let known = plan.tables.contains(&table) || plan.relates();
            if table == fact || plan.base != fact || known {
                continue;
            }
            let path = self.path(fact, table, &plan.named)?;
            if path.steps.iter().any(|step| !self.follows_key(step)) {
                self.relate(plan, table, None, false);
            }
        }
        Ok(())
    }

    /// What is computed for each group where nothing is said: the numbers that are shown, else the number of rows.
    fn implied_measures(
        &mut self,
        frame: &Frame,
        head: Option<TableId>,
    ) -> Result<Vec<Resolved>, Failure> {
        let Some(head) = head else {
            return Err(self.fail(
                FailureCode::NothingToMeasure,
                "it is not clear what is counted or computed for each group".to_owned(),
                "name a table or a number",
                None,
            ));
        };
        let outputs: Vec<usize> =
            frame.outputs.iter().copied().filter(|at| self.is_numeric(*at)).collect();
        if outputs.is_empty() {
            let counted = crate::reading::Measure {
                target: MeasureTarget::Count(CountTarget::Rows(head)),
                at: frame.head.map_or(0, |(_, at)| at),
            };
            return Ok(vec![self.measure(&counted, Some(head))?]);
        }
        outputs.into_iter().map(|at| self.implied_figure(at, head)).collect()
    }

    /// A figure of a column that is named without one: decided on, unless the column holds amounts or quantities.
    fn implied_figure(&mut self, at: usize, head: TableId) -> Result<Resolved, Failure> {
        let column = self.column(at, Some(head))?;
        let summed = self.phrase(at).to_lowercase().split(' ').any(|word| word == "total");
        let has = |role: Role| self.schema.has_role(column, role);
        let amount = has(Role::Amount) || has(Role::Cost) && !has(Role::Price);
        let counted = has(Role::Quantity) || has(Role::StockLevel);
        let pieces = counted && !self.schema.stems_of(column).iter().any(|stem| stem == "per");
        let adds_up = summed || amount || pieces;
        let severity = if adds_up { Severity::Minor } else { Severity::Important };
        let function = self.decide_function(at, severity);
        let name = &self.catalog.column_at(column).name;
        Ok(Resolved {
            expression: Expression::Aggregate {
                function,
                argument: Some(Box::new(self.column_expression(column))),
                distinct: false,
            },
            fact: column.table,
            alias: format!("{}_{name}", function_name(function)).to_lowercase(),
            at,
            date: None,
        })
    }

    /// Table that all measures are computed from.
    fn only_fact(&self, measures: &Measures) -> Result<TableId, Failure> {
        let fact = measures.aggregates[0].fact;
        match measures.aggregates.iter().find(|measure| measure.fact != fact) {
            None => Ok(fact),
            Some(other) => Err(self.fail(
                FailureCode::NotComposable,
                "two measures come from different tables, which takes two steps".to_owned(),
                "ask for one of them at a time",
                Some(other.at),
            )),
        }
    }

    /// Groups of the frame, with the months of a trend and those that the question implies.
    fn groups_of(
        &self,
        frame: &Frame,
        head: Option<TableId>,
        fact: TableId,
        measures: &Measures,
    ) -> Vec<Group> {
        let mut groups = frame.groups.clone();
        if let Some(at) = frame.trend
            && !groups.iter().any(|group| matches!(group, Group::Period { .. }))
        {
            let (grain, date) = (TimeGrain::Month, None);
            groups.insert(0, Group::Period { grain, at, date });
        }
        self.implied_groups(frame, head, fact, measures, &mut groups);
        // "Average freight per order": each group is one row, so the average is that of all.
        let averaged = |measure: &Resolved| {
            matches!(measure.expression, Expression::Aggregate {
                function: Aggregate::Average, argument: Some(ref argument), distinct: false, ..
            } if matches!(argument.as_ref(), Expression::Column { .. } | Expression::Days { .. }))
        };
        if !measures.aggregates.is_empty() && measures.aggregates.iter().all(averaged) {
            // "Average lead time by supplier": each of them is shown.
            let by = |at: usize| at > 0 && self.mentions[at - 1].is(Lexical::By);
            groups.retain(
                |group| !matches!(group, Group::Table(table, at) if *table == fact && !by(*at)),
            );
        }
        if frame.superlative.as_ref().is_some_and(|superlative| superlative.counted)
            && groups.len() > 1
        {
            // "The most common status across all cities": the cities are what is counted.
            groups.retain(|group| !matches!(group, Group::Table(table, _) if *table == fact));
        }
        groups
    }

    /// Plan that starts from what is counted, or from what it is counted for or through.
    fn group_plan(
        &mut self,
        frame: &Frame,
        groups: &[Group],
        fact: TableId,
        measures: &mut Measures,
    ) -> Result<Plan, Failure> {
        let fewest = frame.superlative.as_ref().is_some_and(|superlative| !superlative.descending);
        let outer = self.counts_absent(frame, groups, fact, fewest);
        let through = self.counted_through(frame, groups, fact, measures);
        let mut plan = Plan::new(outer.or(through).unwrap_or(fact), self.named(frame));
        if outer.is_some() {
            self.join(&mut plan, fact)?;
            for step in &mut plan.joins {
                step.outer = true;
            }
            plan.multiplied = false;
            self.count_partners(measures, fact);
        } else if through.is_some() {
            // What is counted is not looked for behind what it is counted for.
            let named = std::mem::take(&mut plan.named);
            self.join(&mut plan, fact)?;
            plan.named = named;
            self.count_once(measures, fact)?;
        }
        Ok(plan)
    }

    /// Adds one group to the keys, and the joins that it needs to the plan.
    fn group(
        &mut self,
        frame: &Frame,
        group: &Group,
        (fact, measures): (TableId, &Measures),
        plan: &mut Plan,
        keys: &mut GroupKeys,
    ) -> Result<(), Failure> {
        let columns = match group {
            Group::Period { grain, at, date } => {
                let column = match date {
                    Some(date) => self.column(*date, Some(fact))?,
                    None => self.period_column(fact, measures, *at)?,
                };
                self.join(plan, column.table)?;
                let grain = self.part_of_date(frame, *grain, column, *at)?;
                // "Shipments per month" are those that happened.
                let act =
                    self.mentions.iter().any(|mention| mention.act == Some(Act::Dated(column)));
                if act && date.is_none() && self.catalog.column_at(column).nullable {
                    let column = self.catalog.reference(column);
                    plan.filters.push(Predicate::IsNull { column, negated: true });
                }
                keys.add_period(self.catalog.reference(column), grain);
                return Ok(());
            }
            Group::Table(table, at) => {
                let table = self.table(*table, *at);
                self.group_by_key(table, plan, keys)?;
                self.label(table)
            }
            Group::Thing(at) => {
                if let Some(Target::Label(table)) = self.target(*at) {
                    self.group_by_key(table, plan, keys)?;
                    self.output(*at, Some(fact))?
                } else if let Some(Target::Value(column, _)) = self.target(*at) {
                    vec![column]
                } else {
                    let column = self.column(*at, Some(fact))?;
                    if self.names_listed_rows(column, fact) {
                        self.group_by_key(column.table, plan, keys)?;
                    }
                    vec![column]
                }
            }
        };
        for column in columns {
            self.join(plan, column.table)?;
            keys.add_label(self.column_expression(column));
            // "The most common organism": a row that names none is no organism.
            let counted = frame.superlative.as_ref().is_some_and(|superlative| superlative.counted);
            if counted && self.catalog.column_at(column).nullable {
                let column = self.catalog.reference(column);
                plan.filters.push(Predicate::IsNull { column, negated: true });
            }
            if let Group::Thing(at) = group {
                for name in self.names_of_key(*at, column, plan) {
                    keys.add_label(self.column_expression(name));
                }
            }
        }
        Ok(())
    }

    /// "The first names of the five waiters with the most orders": whether a column names rows that the question speaks of
    /// beside it, so that rows with equal names stay apart.
    fn names_listed_rows(&self, column: ColumnId, fact: TableId) -> bool {
        let table = column.table;
        let profile = self.schema.profile(table);
        let one_each = self.schema.distance(fact, table).is_some_and(|(_, to_many)| !to_many);
        table != fact
            && one_each
            && profile.label.contains(&column)
            && (0..self.mentions.len()).any(|at| self.target(at) == Some(Target::Table(table)))
    }

    /// "top 5 products by revenue and their suppliers": the names of rows that each group has one of.
    fn show_beside(
        &mut self,
        frame: &Frame,
        groups: &[Group],
        plan: &mut Plan,
        keys: &mut GroupKeys,
    ) -> Result<(), Failure> {
        let [Group::Table(grouped, _)] = groups else { return Ok(()) };
        for at in &frame.outputs {
            if !self.is_of_head(frame, Some(*grouped), *at) {
                continue;
            }
            let column = self.column(*at, Some(*grouped))?;
            self.join(plan, column.table)?;
            keys.add_label(self.column_expression(column));
        }
        for (table, _) in &frame.output_tables {
            let ways = self.schema.distance(*grouped, *table);
            if table == grouped || ways.is_none_or(|(_, to_many)| to_many) {
                continue;
            }
            for column in self.label(*table) {
                self.join(plan, column.table)?;
                keys.add_label(self.column_expression(column));
            }
        }
        Ok(())
    }

    /// Groups by the primary key of a table, which is joined.
    fn group_by_key(
        &mut self,
        table: TableId,
        plan: &mut Plan,
        keys: &mut GroupKeys,
    ) -> Result<(), Failure> {
        self.join(plan, table)?;
        for column in &self.schema.profile(table).primary_key {
            let key = self.column_expression(*column);
            if !keys.group_by.contains(&key) {
                keys.group_by.push(key);
            }
        }
        Ok(())
    }

    pub(super) fn is_numeric(&self, at: usize) -> bool {
        matches!(self.target(at), Some(Target::Column(column))
            if self.catalog.column_at(column).data_type.is_numeric()
                && !self.schema.has_role(column, Role::Identifier))
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
