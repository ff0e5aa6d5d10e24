//! Building a query tree from a frame.

use super::context::{Composer, Failure};
use super::describe::{plural, table_words};
use super::measure::Resolved;
use super::plan::{Counted, Plan};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::Decision;
use crate::clarification::{ClarificationOption, OptionBinding};
use crate::intent::{
    Aggregate, Expression, Literal, Ordering, Predicate, QueryTree, Selection, TimeGrain,
};
use crate::linking::{ColumnId, Named, TableId, Target};
use crate::reading::{Condition, CountTarget, Frame, Group, MeasureTarget, OrderSpec, TableUse};

/// Rows of a superlative in the plural that names no number.
const SEVERAL: u32 = 10;

/// Query tree of a frame, with every decision noted in the composer.
pub(crate) fn compose(composer: &mut Composer<'_>, frame: &Frame) -> Result<QueryTree, Failure> {
    if let Some(blocked) = frame.blocked.first() {
        let message = format!(
            "“{}” is not written without a model: {}",
            composer.phrase(blocked.at),
            blocked.reason
        );
        return Err(composer.fail(
            "not_composable",
            message,
            "ask for one step of it, such as a count, a sum or a list",
            Some(blocked.at),
        ));
    }
    composer.unread(&frame.unread);
    let head = composer.head(frame);
    let mut measures = composer.measures(frame, head)?;
    if let Some((counted, having)) = composer.counted_groups(frame) {
        measures.aggregates.push(counted);
        measures.having.push(having);
    }
    composer.measure_conditions(frame, &mut measures)?;
    let ranked_by_role = frame
        .superlative
        .as_ref()
        .is_some_and(|superlative| superlative.by.is_none() && !superlative.roles.is_empty());
    if ranked_by_role && !frame.groups.is_empty() && measures.aggregates.is_empty() {
        let at = frame.superlative.as_ref().map(|superlative| superlative.at);
        return Err(composer.fail(
            "not_composable",
            "the first row of each group takes two steps, which needs a model".to_owned(),
            "ask for the highest number of each group instead",
            at,
        ));
    }
    if measures.aggregates.is_empty() && frame.groups.is_empty() && frame.trend.is_none() {
        composer.rows(frame, head, measures.order)
    } else {
        composer.groups(frame, head, measures)
    }
}

/// Measures of a frame.
#[derive(Debug, Default)]
struct Measures {
    /// Aggregates, in order.
    aggregates: Vec<Resolved>,
    /// What the superlative orders by.
    order: Option<Resolved>,
    /// Conditions on groups.
    having: Vec<Predicate>,
}

impl Composer<'_> {
    /// Words that tie to nothing: left out only by decision.
    fn unread(&mut self, unread: &[usize]) {
        let Some(first) = unread.first() else { return };
        let words: Vec<&str> = unread.iter().map(|at| self.phrase(*at)).collect();
        let phrase = words.join("”, “");
        self.decide(Decision {
            kind: AmbiguityKind::UnknownTerm,
            severity: Severity::Critical,
            span: self.span(*first),
            reason: "nothing in the catalog, its synonyms or its stored values is named so"
                .to_owned(),
            options: vec![ClarificationOption {
                id: "ignore".to_owned(),
                label: format!("leave “{phrase}” out"),
                description: "the rest of the question is answered".to_owned(),
                binding: OptionBinding::Ignore,
            }],
            phrase,
            recommended: None,
            custom: None,
        });
    }

    /// Table asked about: the one named, else the one of what is shown or filtered.
    fn head(&mut self, frame: &Frame) -> Option<TableId> {
        if let Some((table, at)) = frame.head {
            return Some(self.table(table, at));
        }
        let of = |composer: &Self, at: usize| composer.target(at).and_then(|target| target.table());
        let shown = frame.outputs.iter().find_map(|at| of(self, *at));
        shown.or_else(|| {
            frame.conditions.iter().find_map(|condition| match condition {
                Condition::Values { at, .. } => at.first().and_then(|at| of(self, *at)),
                Condition::Compare { column: Some(at), .. }
                | Condition::Set { at, .. }
                | Condition::Null { at, .. } => of(self, *at),
                Condition::Key { table, .. } => Some(*table),
                _ => None,
            })
        })
    }

    /// Table that a mention means; several that fit equally are decided on.
    fn table(&mut self, table: TableId, at: usize) -> TableId {
        let Some(mention) = self.mentions.get(at) else { return table };
        let Some(best) = mention.readings.first().map(|reading| reading.score) else {
            return table;
        };
        let rivals: Vec<TableId> = mention
            .readings
            .iter()
            .filter(|reading| best - reading.score < self.settings.rival_gap / 2.0)
            .filter_map(|reading| match reading.target {
                Target::Table(table) => Some(table),
                _ => None,
            })
            .collect();
        if rivals.len() < 2 {
            return table;
        }
        let options = rivals
            .iter()
            .take(5)
            .map(|rival| ClarificationOption {
                id: self.schema.profile(*rival).key.clone(),
                label: table_words(self.catalog, *rival),
                description: self.catalog.table_at(*rival).description.clone(),
                binding: OptionBinding::Table { table: self.schema.profile(*rival).key.clone() },
            })
            .collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Table,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            reason: "several tables fit these words".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Table { table: key } => self.schema.table(&key).unwrap_or(table),
            _ => table,
        }
    }

    fn measures(&mut self, frame: &Frame, head: Option<TableId>) -> Result<Measures, Failure> {
        let mut measures = Measures::default();
        for measure in &frame.measures {
            let resolved = self.measure(measure, head)?;
            measures.aggregates.push(resolved);
        }
        let Some(superlative) = &frame.superlative else {
            return Ok(measures);
        };
        let by = match &superlative.by {
            Some(by) => Some(self.measure(by, head)?),
            None => None,
        };
        let ranks = superlative.roles.is_empty();
        let by = match (by, head) {
            (None, Some(head)) if ranks => self.decide_order(head, superlative),
            (by, _) => by,
        };
        let Some(by) = by else { return Ok(measures) };
        if is_aggregate(&by.expression) {
            if !measures
                .aggregates
                .iter()
                .any(|known| known.expression == by.expression && known.fact == by.fact)
            {
                measures.aggregates.push(by.clone());
            }
        } else if let Some(head) = head
            && let Expression::Column { column } = &by.expression
            && (by.fact != head
                && self.schema.distance(head, by.fact).is_none_or(|(_, to_many)| to_many)
                || frame.head.is_none()
                    && !frame.outputs.is_empty()
                    && superlative.roles.is_empty())
            && let Some(column) = self.column_id(column)
            && self.catalog.column_at(column).data_type.is_numeric()
        {
            let summed = self.summed(column, by.at);
            measures.aggregates.push(summed.clone());
            measures.order = Some(summed);
            return Ok(measures);
        }
        measures.order = Some(by);
        Ok(measures)
    }

    /// Conditions on what is computed: they hold for groups.
    fn measure_conditions(
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
                    "nothing_to_compare",
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
    fn counted_groups(&mut self, frame: &Frame) -> Option<(Resolved, Predicate)> {
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

    /// "top customers": what they are ranked by, of their own numbers and of the rows that refer to them.
    fn decide_order(
        &mut self,
        head: TableId,
        superlative: &crate::reading::Superlative,
    ) -> Option<Resolved> {
        let at = superlative.at;
        let own = self.schema.profile(head).measures.clone();
        let mut options: Vec<(ClarificationOption, Resolved)> = Vec::new();
        let mut children: Vec<TableId> = self
            .schema
            .edges(head)
            .iter()
            .filter(|edge| {
                !edge.to_one && edge.to != head && !self.schema.profile(edge.to).is_bridge
            })
            .map(|edge| edge.to)
            .collect();
        children.dedup();
        for column in own {
            options.push(self.order_option(self.plain_order(column, at), column, "own number"));
        }
        for child in &children {
            for column in self.schema.profile(*child).measures.clone().into_iter().take(1) {
                let summed = Resolved {
                    expression: Expression::Aggregate {
                        function: Aggregate::Sum,
                        argument: Some(Box::new(self.column_expression(column))),
                        distinct: false,
                    },
                    alias: format!("total_{}", self.catalog.column_at(column).name).to_lowercase(),
                    ..self.plain_order(column, at)
                };
                options.push(self.order_option(summed, column, "sum over"));
            }
        }
        for child in children {
            let target = MeasureTarget::Count(CountTarget::Rows(child));
            let Ok(counted) = self.measure(&crate::reading::Measure { target, at }, None) else {
                continue;
            };
            let rows = plural(&table_words(self.catalog, child));
            let key = self.schema.profile(child).key.clone();
            let option = ClarificationOption {
                id: format!("count_{key}"),
                label: format!("number of {rows}"),
                description: format!("counts {rows}"),
                binding: OptionBinding::Table { table: key },
            };
            options.push((option, counted));
        }
        options.truncate(5);
        let recommended = (!options.is_empty()).then_some(0);
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::MetricDefinition,
            severity: Severity::Critical,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            reason: "the question does not say what is compared".to_owned(),
            options: options.iter().map(|(option, _)| option.clone()).collect(),
            recommended,
            custom: None,
        });
        options
            .into_iter()
            .find(|(option, _)| option.binding == chosen)
            .map(|(_, resolved)| resolved)
    }

    fn plain_order(&self, column: ColumnId, at: usize) -> Resolved {
        Resolved {
            expression: self.column_expression(column),
            fact: column.table,
            alias: self.catalog.column_at(column).name.clone(),
            at,
            date: None,
        }
    }

    fn order_option(
        &self,
        resolved: Resolved,
        column: ColumnId,
        how: &str,
    ) -> (ClarificationOption, Resolved) {
        let words = super::describe::column_words(self.catalog, column);
        let reference = self.catalog.reference(column);
        let rows = plural(&table_words(self.catalog, column.table));
        let label = match &resolved.expression {
            Expression::Aggregate { .. } => format!("total {words} of {rows}"),
            _ => words,
        };
        let option = ClarificationOption {
            id: format!("{}.{}", reference.table, reference.column),
            label,
            description: format!("{how} {rows}"),
            binding: OptionBinding::Column { column: reference },
        };
        (option, resolved)
    }

    /// A column of related rows that orders: summed, unless decided otherwise.
    fn summed(&mut self, column: ColumnId, at: usize) -> Resolved {
        let function = self.decide_function(at, Severity::Minor);
        let name = self.catalog.column_at(column).name.clone();
        Resolved {
            expression: Expression::Aggregate {
                function,
                argument: Some(Box::new(self.column_expression(column))),
                distinct: false,
            },
            fact: column.table,
            alias: format!("{}_{name}", function_name(function)).to_lowercase(),
            at,
            date: None,
        }
    }

    fn decide_function(&mut self, at: usize, severity: Severity) -> Aggregate {
        let options = [
            (Aggregate::Sum, "the sum"),
            (Aggregate::Average, "the average"),
            (Aggregate::Maximum, "the highest"),
            (Aggregate::Minimum, "the lowest"),
        ]
        .into_iter()
        .map(|(function, label)| ClarificationOption {
            id: function_name(function).to_owned(),
            label: label.to_owned(),
            description: String::new(),
            binding: OptionBinding::Aggregate { function },
        })
        .collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Aggregation,
            severity,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            reason: "several rows have to become one number".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Aggregate { function } => function,
            _ => Aggregate::Sum,
        }
    }

    fn named(&self, frame: &Frame) -> Vec<TableId> {
        frame
            .head
            .iter()
            .map(|(table, _)| *table)
            .chain(frame.related.iter().map(|related| related.table))
            .chain(frame.output_tables.iter().map(|(table, _)| *table))
            .collect()
    }

    /// Rows of a table.
    fn rows(
        &mut self,
        frame: &Frame,
        head: Option<TableId>,
        order: Option<Resolved>,
    ) -> Result<QueryTree, Failure> {
        let base = head.or(order.as_ref().map(|order| order.fact));
        let Some(base) = base else {
            return Err(self.fail(
                "nothing_asked",
                "it is not clear which rows are asked for".to_owned(),
                "name a table of this data",
                None,
            ));
        };
        let mut plan = Plan::new(base, self.named(frame));
        let mut shown: Vec<ColumnId> = Vec::new();
        for at in &frame.outputs {
            for column in self.output(*at, Some(base))? {
                if !shown.contains(&column) {
                    shown.push(column);
                }
            }
        }
        for (table, _) in &frame.output_tables {
            if shown.is_empty() {
                shown.extend(self.label(base));
            }
            shown.extend(self.label(*table));
        }
        for column in &shown {
            self.join(&mut plan, column.table)?;
        }
        self.filters(frame, &mut plan, None)?;
        let (order_by, limit) = self.row_order(frame, &mut plan, order)?;
        let ordering: Vec<ColumnId> = order_by
            .iter()
            .filter_map(|order| match &order.expression {
                Expression::Column { column } => self.column_id(column),
                _ => None,
            })
            .collect();
        if shown.is_empty() {
            shown = self.default_columns(base, &ordering);
        } else if frame.superlative.is_some() {
            shown.extend(
                ordering
                    .iter()
                    .copied()
                    .filter(|column| !shown.contains(column))
                    .collect::<Vec<_>>(),
            );
        }
        self.settle(&mut plan)?;
        let named = frame.head.is_some();
        let keyed = shown.iter().any(|column| self.catalog.column_at(*column).unique);
        let distinct = (frame.distinct || !named && !frame.outputs.is_empty() && !keyed)
            && frame.superlative.is_none();
        let mut select: Vec<Selection> =
            shown.iter().map(|column| self.selection(*column)).collect();
        self.tell_apart(&mut select);
        let order_by = self.total_order(order_by, base, &shown, distinct);
        Ok(QueryTree {
            from: self.schema.profile(base).key.clone(),
            joins: plan.joins,
            select,
            distinct,
            filters: plan.filters,
            group_by: Vec::new(),
            having: Vec::new(),
            order_by,
            limit,
        })
    }

    /// Ordering with the primary key, or the shown columns, behind it: the same rows in the same order every time.
    fn total_order(
        &self,
        mut order: Vec<Ordering>,
        base: TableId,
        shown: &[ColumnId],
        distinct: bool,
    ) -> Vec<Ordering> {
        let last: Vec<ColumnId> =
            if distinct { shown.to_vec() } else { self.schema.profile(base).primary_key.clone() };
        for column in last {
            let expression = self.column_expression(column);
            if !order.iter().any(|known| known.expression == expression) {
                order.push(Ordering { expression, descending: false });
            }
        }
        order
    }

    fn row_order(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        order: Option<Resolved>,
    ) -> Result<(Vec<Ordering>, Option<u32>), Failure> {
        let mut order_by = Vec::new();
        let mut limit = frame.limit.map(|(limit, _)| limit);
        if let Some(superlative) = &frame.superlative {
            let column = match &order {
                Some(Resolved { expression: Expression::Column { column }, .. }) => {
                    self.column_id(column)
                }
                _ => self.superlative_column(plan.base, &superlative.roles),
            };
            let Some(column) = column else {
                let message = format!(
                    "it is not clear what “{}” is measured by",
                    self.phrase(superlative.at)
                );
                return Err(self.fail(
                    "nothing_to_order",
                    message,
                    "name the column that orders",
                    Some(superlative.at),
                ));
            };
            self.join(plan, column.table)?;
            order_by.push(Ordering {
                expression: self.column_expression(column),
                descending: superlative.descending,
            });
            limit = Some(superlative.limit.or(limit).unwrap_or(self.implied_limit(frame)));
            if self.catalog.column_at(column).nullable {
                let predicate =
                    Predicate::IsNull { column: self.catalog.reference(column), negated: true };
                plan.filters.push(predicate);
            }
        }
        for spec in &frame.order {
            for column in self.ordered_columns(spec, plan.base)? {
                self.join(plan, column.table)?;
                order_by.push(Ordering {
                    expression: self.column_expression(column),
                    descending: spec.descending,
                });
            }
        }
        Ok((order_by, limit))
    }

    fn ordered_columns(
        &mut self,
        spec: &OrderSpec,
        base: TableId,
    ) -> Result<Vec<ColumnId>, Failure> {
        match spec.at {
            Some(at) => self.output(at, Some(base)),
            None => Ok(self.label(base)),
        }
    }

    /// Column that a superlative without a column orders by.
    fn superlative_column(&self, table: TableId, roles: &[String]) -> Option<ColumnId> {
        let profile = self.schema.profile(table);
        let columns = |role: &str| {
            (0..self.catalog.table_at(table).columns.len())
                .map(|column| ColumnId { table, column: column as u16 })
                .find(|column| self.schema.has_role(*column, role))
        };
        roles.iter().find_map(|role| match role.as_str() {
            "any_date" => profile.date.or(profile.dates.first().copied()),
            "event_date" => profile.date.or_else(|| columns(role)),
            "amount" => profile.measures.first().copied().or_else(|| columns(role)),
            "identifier" => profile.primary_key.first().copied(),
            role => columns(role),
        })
    }

    /// Rows of a superlative that names no number: one in the singular, several in the plural.
    fn implied_limit(&self, frame: &Frame) -> u32 {
        let Some(superlative) = &frame.superlative else { return SEVERAL };
        let thing = frame.head.map(|(_, at)| at).or(frame.outputs.first().copied()).or_else(|| {
            frame.groups.first().map(|group| match group {
                Group::Thing(at) | Group::Table(_, at) | Group::Period(_, at) => *at,
            })
        });
        let top = self.mentions.get(superlative.at).is_some_and(|mention| {
            mention.is(crate::linking::Lexical::Top) || mention.is(crate::linking::Lexical::Bottom)
        });
        let plural = thing.is_some_and(|at| self.phrase(at).to_lowercase().ends_with('s'));
        if plural || top && thing.is_none() { SEVERAL } else { 1 }
    }

    /// Conditions, times, vague terms and related tables.
    fn filters(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        date: Option<ColumnId>,
    ) -> Result<(), Failure> {
        let base = plan.base;
        for related in &frame.related {
            match related.how {
                TableUse::With => {
                    let path = self.path(base, related.table, &plan.named)?;
                    if path.to_many {
                        self.relate(plan, related.table, None, false);
                    }
                }
                TableUse::Without => self.relate(plan, related.table, None, true),
                TableUse::Path => {}
            }
        }
        for condition in &frame.conditions {
            if let Condition::CountOf { table, operator, value, .. } = condition
                && *table != base
            {
                plan.counted.push(Counted {
                    table: *table,
                    operator: *operator,
                    value: value.clone(),
                    conditions: Vec::new(),
                });
            }
        }
        for condition in &frame.conditions {
            if let Some((table, predicate)) = self.condition(condition, base)? {
                self.constrain(plan, table, predicate)?;
            }
        }
        for time in &frame.times {
            let column = self.date_of(time, base, date)?;
            let reference = self.catalog.reference(column);
            let range = self.range_of(time, column);
            let first = Predicate::InRange { column: reference.clone(), range };
            let predicate = if time.others.is_empty() {
                first
            } else {
                let others = time.others.iter().map(|range| Predicate::InRange {
                    column: reference.clone(),
                    range: range.clone(),
                });
                Predicate::Any { conditions: std::iter::once(first).chain(others).collect() }
            };
            self.constrain(plan, column.table, super::condition::negate(predicate, time.negated))?;
        }
        for term in &frame.vague {
            if let Some(predicate) = self.vague(term, Some(base)) {
                let table = predicate_table(&predicate)
                    .and_then(|key| self.schema.table(key))
                    .unwrap_or(base);
                self.constrain(plan, table, predicate)?;
            }
        }
        Ok(())
    }

    /// Aggregates, for all rows or for each group.
    fn groups(
        &mut self,
        frame: &Frame,
        head: Option<TableId>,
        mut measures: Measures,
    ) -> Result<QueryTree, Failure> {
        if measures.aggregates.is_empty() {
            let Some(head) = head else {
                return Err(self.fail(
                    "nothing_to_measure",
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
                let severity = if summed { Severity::Minor } else { Severity::Important };
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
                "not_composable",
                "two measures come from different tables, which takes two steps".to_owned(),
                "ask for one of them at a time",
                Some(at),
            ));
        }
        let mut groups = frame.groups.clone();
        if let Some(at) = frame.trend
            && !groups.iter().any(|group| matches!(group, Group::Period(..)))
        {
            groups.insert(0, Group::Period(TimeGrain::Month, at));
        }
        self.implied_groups(frame, head, fact, &measures, &mut groups);
        let fewest = frame.superlative.as_ref().is_some_and(|superlative| !superlative.descending);
        let outer = self.counts_absent(frame, &groups, fact, fewest);
        let mut plan = Plan::new(outer.unwrap_or(fact), self.named(frame));
        if outer.is_some() {
            self.join(&mut plan, fact)?;
            for step in &mut plan.joins {
                step.outer = true;
            }
            plan.multiplied = false;
            self.count_partners(&mut measures, fact);
        }
        let mut select: Vec<Selection> = Vec::new();
        let mut group_by: Vec<Expression> = Vec::new();
        let mut periods = 0;
        for group in &groups {
            let columns = match group {
                Group::Period(grain, at) => {
                    let column = self.period_column(fact, &measures, *at)?;
                    self.join(&mut plan, column.table)?;
                    let expression = Expression::Period {
                        column: self.catalog.reference(column),
                        grain: *grain,
                    };
                    periods += 1;
                    let alias = super::describe::grain_words(*grain).to_owned();
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
                    self.output(*at, Some(fact))?
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
        })
    }

    fn is_numeric(&self, at: usize) -> bool {
        matches!(self.target(at), Some(Target::Column(column))
            if self.catalog.column_at(column).data_type.is_numeric()
                && !self.schema.has_role(column, "identifier"))
    }

    /// Groups that the question implies: the things that are ranked, or listed beside a measure of other rows.
    fn implied_groups(
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
                Group::Period(..) => false,
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
    fn counts_absent(
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

    /// Counts the partners' keys instead of rows: a row without a partner then counts as zero.
    fn count_partners(&self, measures: &mut Measures, fact: TableId) {
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
    fn count_once(&self, measures: &mut Measures, fact: TableId) -> Result<(), Failure> {
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
                        "fan_out",
                        format!(
                            "joining multiplies the {}, so amounts would count more than once",
                            plural(&table_words(self.catalog, fact))
                        ),
                        "group by something that each of them has one of",
                        Some(at),
                    ));
                }
            }
        }
        Ok(())
    }

    fn period_column(
        &mut self,
        fact: TableId,
        measures: &Measures,
        at: usize,
    ) -> Result<ColumnId, Failure> {
        if let Some(column) = measures.aggregates.iter().find_map(|measure| measure.date) {
            return Ok(column);
        }
        let mut near = vec![fact];
        near.extend(self.to_one_neighbours(fact));
        for table in near {
            if let Some(column) = self.date_of_table(table, at) {
                return Ok(column);
            }
        }
        Err(self.fail(
            "no_date_column",
            format!("{} have no date to group by", plural(&table_words(self.catalog, fact))),
            "name a table with a date",
            Some(at),
        ))
    }

    /// The period of a trend or an average that names none.
    fn window(
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
        let Some(date) = date.filter(|date| !self.schema.has_role(*date, "birth_date")) else {
            return Ok(());
        };
        let severity = if frame.trend.is_some() { Severity::Important } else { Severity::Minor };
        let at = frame.trend.or(measures.aggregates.first().map(|measure| measure.at));
        if let Some(predicate) = self.time_window(date, at, severity) {
            self.constrain(plan, date.table, predicate)?;
        }
        Ok(())
    }

    fn group_order(
        &mut self,
        frame: &Frame,
        measures: &Measures,
        labels: &[Expression],
        periods: usize,
    ) -> Result<(Vec<Ordering>, Option<u32>), Failure> {
        let mut order_by: Vec<Ordering> = Vec::new();
        let mut limit = frame.limit.map(|(limit, _)| limit);
        if let Some(superlative) = &frame.superlative
            && !labels.is_empty()
        {
            let by = measures.order.as_ref().or(measures.aggregates.first());
            if let Some(by) = by {
                order_by.push(Ordering {
                    expression: by.expression.clone(),
                    descending: superlative.descending,
                });
            }
            limit = Some(superlative.limit.or(limit).unwrap_or(self.implied_limit(frame)));
        }
        for spec in &frame.order {
            let measure = spec.at.and_then(|at| {
                measures
                    .aggregates
                    .iter()
                    .find(|measure| measure.at == at || self.phrase(measure.at) == self.phrase(at))
            });
            match (measure, spec.at) {
                (Some(measure), _) => {
                    order_by.push(Ordering {
                        expression: measure.expression.clone(),
                        descending: spec.descending,
                    });
                }
                (None, Some(at)) => {
                    let column = self.column(at, None)?;
                    let expression = self.column_expression(column);
                    if labels.contains(&expression) {
                        order_by.push(Ordering { expression, descending: spec.descending });
                    } else if let Some(first) = measures.aggregates.first() {
                        order_by.push(Ordering {
                            expression: first.expression.clone(),
                            descending: spec.descending,
                        });
                    }
                }
                (None, None) => {}
            }
        }
        if order_by.is_empty()
            && periods == 0
            && !labels.is_empty()
            && frame.order.is_empty()
            && let Some(first) = measures.aggregates.first()
        {
            order_by.push(Ordering { expression: first.expression.clone(), descending: true });
        }
        for label in labels {
            if !order_by.iter().any(|known| known.expression == *label) {
                let descending =
                    frame.order.iter().any(|spec| spec.at.is_none() && spec.descending);
                order_by.push(Ordering { expression: label.clone(), descending });
            }
        }
        Ok((order_by, limit))
    }
}

fn is_aggregate(expression: &Expression) -> bool {
    matches!(expression, Expression::Aggregate { .. })
}

fn function_name(function: Aggregate) -> &'static str {
    match function {
        Aggregate::Average => "average",
        Aggregate::Count => "count",
        Aggregate::Maximum => "maximum",
        Aggregate::Minimum => "minimum",
        Aggregate::Sum => "sum",
    }
}

/// Table that a predicate on one column is about.
fn predicate_table(predicate: &Predicate) -> Option<&str> {
    match predicate {
        Predicate::AgainstAverage { column, .. }
        | Predicate::Extreme { column, .. }
        | Predicate::InRange { column, .. }
        | Predicate::IsNull { column, .. }
        | Predicate::OneOf { column, .. }
        | Predicate::Text { column, .. }
        | Predicate::Compare { left: Expression::Column { column }, .. } => Some(&column.table),
        Predicate::Not { condition } => predicate_table(condition),
        Predicate::Any { conditions } => conditions.first().and_then(predicate_table),
        _ => None,
    }
}
