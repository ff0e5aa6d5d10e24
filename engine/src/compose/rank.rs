//! Ranking: what rows or groups are put in order by, and how many are asked for.

use std::ops::Range;

use wherefore_english::singular;

use super::build::{Measures, SEVERAL, function_name};
use super::context::{Composer, Failure};
use super::measure::Resolved;
use super::plan::Plan;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, Ordering, Predicate};
use crate::linking::{ColumnId, Named, TableId, Target, holds_persons};
use crate::reading::{CountTarget, Frame, Group, Measure, MeasureTarget, OrderSpec};

/// Concepts that rank what is sold, and whom it is sold to.
const SALES: [&str; 2] = ["sales", "units sold"];
/// Most options of sales where a superlative does not name them.
const SALES_OFFERED: usize = 2;

impl Composer<'_> {
    /// "top customers": what they are ranked by, of their own numbers and of the rows that refer to them.
    pub(super) fn decide_order(
        &mut self,
        head: TableId,
        superlative: &crate::reading::Superlative,
    ) -> Option<Resolved> {
        let at = superlative.at;
        let sold = self.sold_options(head, superlative);
        let only_sold = superlative.roles.is_empty() && !superlative.concepts.is_empty();
        if !sold.is_empty() || only_sold && !superlative.counted {
            return self.decide_sold(head, superlative, sold);
        }
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
        let counted = superlative.counted;
        // "Top 5 customers": what is sold to them ranks them as well as their number of orders does.
        if !counted && superlative.roles.is_empty() && superlative.concepts.is_empty() {
            let concepts = SALES.map(str::to_owned).to_vec();
            let by_sales = crate::reading::Superlative { concepts, ..superlative.clone() };
            options = self.sold_options(head, &by_sales);
            options.truncate(SALES_OFFERED);
        }
        for column in own.into_iter().filter(|_| !counted) {
            options.push(self.order_option(self.plain_order(column, at), column));
        }
        for child in children.iter().filter(|_| !counted) {
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
                options.push(self.order_option(summed, column));
            }
        }
        for child in &children {
            options.extend(self.count_option(*child, at));
        }
        if counted {
            options.extend(self.counts_behind(head, &children, at));
        }
        let mut known: Vec<(Expression, String)> = Vec::new();
        options.retain(|(option, resolved)| {
            let own = (resolved.expression.clone(), option.label.clone());
            let new = !known.contains(&own);
            known.push(own);
            new
        });
        options.truncate(5);
        let counts = |(option, _): &(ClarificationOption, Resolved)| {
            matches!(option.binding, OptionBinding::Table { .. })
        };
        // "the largest" is not silently the one with the most of anything.
        if options.is_empty() || !superlative.roles.is_empty() && options.iter().all(counts) {
            return None;
        }
        if counted && options.len() == 1 {
            return options.pop().map(|(_, resolved)| resolved);
        }
        self.decide_among(at, options)
    }

    /// "Busiest department": what happens in it is not told by its only related rows if these have no date, such as beds
    /// and physicians; rows behind them that have one are offered too.
    fn counts_behind(
        &mut self,
        head: TableId,
        children: &[TableId],
        at: usize,
    ) -> Vec<(ClarificationOption, Resolved)> {
        let happens = |table: TableId| {
            self.schema.profile(table).date.is_some() && !holds_persons(self.schema, table)
        };
        if children.iter().any(|child| happens(*child)) {
            return Vec::new();
        }
        let edges = children.iter().flat_map(|child| self.schema.edges(*child));
        let mut behind: Vec<TableId> = edges
            .filter(|edge| !edge.to_one && edge.to != head && happens(edge.to))
            .map(|edge| edge.to)
            .collect();
        behind.dedup();
        behind.truncate(3);
        behind.into_iter().filter_map(|table| self.count_option(table, at)).collect()
    }

    /// What things are ranked by that are sold, with the number of their own that the words may mean.
    fn decide_sold(
        &mut self,
        head: TableId,
        superlative: &crate::reading::Superlative,
        mut options: Vec<(ClarificationOption, Resolved)>,
    ) -> Option<Resolved> {
        let at = superlative.at;
        let own = self.superlative_column(head, &superlative.roles);
        options.truncate(5 - usize::from(own.is_some()));
        if let Some(column) = own {
            options.push(self.order_option(self.plain_order(column, at), column));
        }
        if options.is_empty() { None } else { self.decide_among(at, options) }
    }

    pub(super) fn decide_among(
        &mut self,
        at: usize,
        options: Vec<(ClarificationOption, Resolved)>,
    ) -> Option<Resolved> {
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::MetricDefinition,
            severity: Severity::Critical,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::GoesBy,
            reason: "the question does not say what is compared".to_owned(),
            options: options.iter().map(|(option, _)| option.clone()).collect(),
            recommended: Some(0),
            custom: None,
        });
        options
            .into_iter()
            .find(|(option, _)| option.binding == chosen)
            .map(|(_, resolved)| resolved)
    }

    /// A superlative whose column is missing, and that orders another one the other way round: the youngest has
    /// the lowest age.
    pub(super) fn turn_superlative(&self, frame: &mut Frame, head: Option<TableId>) {
        let Some(superlative) = &mut frame.superlative else { return };
        let opposite = superlative.by.as_ref().is_some_and(|by| {
            by.target == MeasureTarget::Own
                && matches!(self.target(by.at), Some(Target::Column(column))
                    if superlative.opposite.iter().any(|role| self.schema.has_role(column, *role)))
        });
        if opposite {
            superlative.opposite.clear();
            superlative.descending = !superlative.descending;
            return;
        }
        let Some(head) = head else { return };
        let missing = superlative.by.is_none()
            && self.superlative_column(head, &superlative.roles).is_none_or(|column| {
                !superlative.opposite.is_empty() && !self.schema.has_role(column, Role::BirthDate)
            });
        if missing && self.superlative_column(head, &superlative.opposite).is_some() {
            superlative.roles = std::mem::take(&mut superlative.opposite);
            superlative.descending = !superlative.descending;
        }
    }

    /// A number of rows to rank by.
    pub(super) fn count_option(
        &mut self,
        table: TableId,
        at: usize,
    ) -> Option<(ClarificationOption, Resolved)> {
        let target = MeasureTarget::Count(CountTarget::Rows(table));
        let counted = self.measure(&Measure { target, at }, None).ok()?;
        let rows = self.table_rows(table);
        let key = self.schema.profile(table).key.clone();
        let option = ClarificationOption {
            id: format!("count_{key}"),
            label: format!("number of {rows}"),
            description: format!("counts {rows}"),
            binding: OptionBinding::Table { table: key },
            confidence: None,
        };
        Some((option, counted))
    }

    pub(super) fn plain_order(&self, column: ColumnId, at: usize) -> Resolved {
        Resolved {
            expression: self.column_expression(column),
            fact: column.table,
            alias: self.catalog.column_at(column).name.clone(),
            at,
            date: None,
        }
    }

    pub(super) fn order_option(
        &self,
        resolved: Resolved,
        column: ColumnId,
    ) -> (ClarificationOption, Resolved) {
        let words = self.column_words(column);
        let reference = self.catalog.reference(column);
        let rows = self.table_rows(column.table);
        let description = match &resolved.expression {
            Expression::Aggregate { .. } => format!("added up over {rows}"),
            _ => format!("compares the {words} of each {}", singular(&rows)),
        };
        let label = match &resolved.expression {
            Expression::Aggregate { .. } if words.starts_with("total") => {
                format!("{words} of {rows}")
            }
            Expression::Aggregate { .. } => format!("total {words} of {rows}"),
            _ => words,
        };
        let option = ClarificationOption {
            id: format!("{}.{}", reference.table, reference.column),
            label,
            description,
            binding: OptionBinding::Column { column: reference },
            confidence: None,
        };
        (option, resolved)
    }

    /// A column of related rows that orders: summed, unless decided otherwise.
    pub(super) fn summed(&mut self, column: ColumnId, at: usize) -> Resolved {
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

    pub(super) fn decide_function(&mut self, at: usize, severity: Severity) -> Aggregate {
        let options = [
            (Aggregate::Sum, "the total", "all values added up"),
            (Aggregate::Average, "the average", "the mean of the values"),
            (Aggregate::Maximum, "the highest", "the largest value"),
            (Aggregate::Minimum, "the lowest", "the smallest value"),
        ]
        .into_iter()
        .map(|(function, label, description)| ClarificationOption {
            id: function_name(function).to_owned(),
            label: label.to_owned(),
            description: description.to_owned(),
            binding: OptionBinding::Aggregate { function },
            confidence: None,
        })
        .collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Aggregation,
            severity,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
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

    pub(super) fn row_order(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        order: Option<Resolved>,
    ) -> Result<(Vec<Ordering>, Option<u32>), Failure> {
        let mut order_by = Vec::new();
        let mut limit = frame.limit.map(|(limit, _)| limit);
        if let Some(superlative) = &frame.superlative {
            let days = order.as_ref().filter(|order| is_days(&order.expression));
            let column = match &order {
                Some(Resolved {
                    expression:
                        Expression::Age { column, .. }
                        | Expression::Column { column }
                        | Expression::Days { to: column, .. },
                    ..
                }) => self.column_id(column),
                _ => self.superlative_column(plan.base, &superlative.roles),
            };
            let Some(column) = column else {
                let message = format!(
                    "it is not clear what “{}” is measured by",
                    self.phrase(superlative.at)
                );
                return Err(self.fail(
                    FailureCode::NothingToOrder,
                    message,
                    "name the column that orders",
                    Some(superlative.at),
                ));
            };
            self.join(plan, column.table)?;
            let expression =
                days.map_or_else(|| self.column_expression(column), |days| days.expression.clone());
            order_by.push(Ordering { expression, descending: superlative.descending });
            limit = Some(superlative.limit.or(limit).unwrap_or(self.implied_limit(frame)));
            let start = days.and_then(|days| match &days.expression {
                Expression::Days { from, .. } => self.column_id(from),
                _ => None,
            });
            for column in std::iter::once(column).chain(start) {
                if self.catalog.column_at(column).nullable {
                    let column = self.catalog.reference(column);
                    let filled = Predicate::IsNull { column, negated: true };
                    if !plan.filters.contains(&filled) {
                        plan.filters.push(filled);
                    }
                }
            }
        }
        for spec in &frame.order {
            let descending = spec.descending != self.is_reversed(spec, plan.base);
            for column in self.ordered_columns(spec, plan.base)? {
                self.join(plan, column.table)?;
                let expression = self.column_expression(column);
                order_by.push(Ordering { expression, descending });
            }
        }
        Ok((order_by, limit))
    }

    pub(super) fn ordered_columns(
        &mut self,
        spec: &OrderSpec,
        base: TableId,
    ) -> Result<Vec<ColumnId>, Failure> {
        match (spec.at, spec.at.and_then(|at| self.target(at))) {
            (Some(at), Some(Target::Table(table))) => {
                let table = self.table(table, at);
                Ok(self.label(table))
            }
            (Some(at), _) => self.output(at, Some(base)),
            (None, _) if !spec.roles.is_empty() => {
                let reversed = self.is_reversed(spec, base);
                let roles = if reversed { &spec.opposite } else { &spec.roles };
                let column = self.superlative_column(base, roles);
                let Some(column) = column else {
                    let message = "it is not clear what the rows are put in order by".to_owned();
                    let hint = "name the column that orders";
                    return Err(self.fail(FailureCode::NothingToOrder, message, hint, None));
                };
                Ok(vec![column])
            }
            (None, _) => Ok(self.label(base)),
        }
    }

    /// Whether rows of a table have no column that an adjective orders by, but one that it orders the other way round.
    fn is_reversed(&self, spec: &OrderSpec, base: TableId) -> bool {
        let own = self.superlative_column(base, &spec.roles);
        let dated = own.is_some_and(|column| self.schema.has_role(column, Role::BirthDate));
        spec.at.is_none() && !dated && self.superlative_column(base, &spec.opposite).is_some()
    }

    /// Column that a superlative without a column orders by: of the rows, or of the rows that they are as well.
    pub(super) fn superlative_column(&self, table: TableId, roles: &[Role]) -> Option<ColumnId> {
        self.own_superlative_column(table, roles).or_else(|| {
            let same = self.same_rows(table);
            same.into_iter().find_map(|table| self.own_superlative_column(table, roles))
        })
    }

    fn own_superlative_column(&self, table: TableId, roles: &[Role]) -> Option<ColumnId> {
        let profile = self.schema.profile(table);
        let columns = |role: Role| {
            (0..self.catalog.table_at(table).columns.len())
                .map(|column| ColumnId { table, column: column as u16 })
                .find(|column| self.schema.has_role(*column, role))
        };
        let by_role = roles.iter().find_map(|role| match *role {
            Role::AnyDate => profile.date.or(profile.dates.first().copied()),
            Role::EventDate => profile.date.or_else(|| columns(*role)),
            Role::Amount => profile
                .measures
                .iter()
                .copied()
                .find(|column| self.schema.has_role(*column, Role::Amount))
                .or_else(|| columns(*role)),
            Role::Identifier => profile.primary_key.first().copied(),
            role => columns(role),
        });
        by_role.or_else(|| self.only_years(table).filter(|_| roles.contains(&Role::AnyDate)))
    }

    /// The only column of a table that holds years: "the newest film" of a table without a date.
    fn only_years(&self, table: TableId) -> Option<ColumnId> {
        let columns = self.catalog.table_at(table).columns.iter().enumerate();
        let mut years = columns
            .filter(|(_, column)| column.holds_years())
            .map(|(position, _)| ColumnId { table, column: position as u16 });
        years.next().filter(|_| years.next().is_none())
    }

    /// Rows of a superlative that names no number: one in the singular, several in the plural.
    pub(super) fn implied_limit(&self, frame: &Frame) -> u32 {
        let Some(superlative) = &frame.superlative else { return SEVERAL };
        let counted = frame.outputs.first().copied().filter(|_| superlative.counted);
        let head = frame.head.map(|(_, at)| at);
        let thing = counted.or(head).or(frame.outputs.first().copied()).or_else(|| {
            frame.groups.first().map(|group| match group {
                Group::Thing(at) | Group::Table(_, at) | Group::Period { at, .. } => *at,
            })
        });
        let top = self.mentions.get(superlative.at).is_some_and(|mention| {
            mention.is(crate::linking::Lexical::Top) || mention.is(crate::linking::Lexical::Bottom)
        });
        let plural = thing
            .is_some_and(|at| self.phrase(at).to_lowercase().ends_with('s') && !self.is_one_of(at));
        if plural || top && thing.is_none() { SEVERAL } else { 1 }
    }

    /// "which of our nurses has the most patients": a verb in the singular asks for one of the things.
    fn is_one_of(&self, thing: usize) -> bool {
        let Some(span) = self.span(thing) else { return false };
        let text = |range: Range<u32>| {
            let range = range.start as usize..range.end as usize;
            self.question.get(range).unwrap_or_default()
        };
        let before = text(0..span.start);
        let behind = text(span.end..u32::try_from(self.question.len()).unwrap_or(u32::MAX));
        let mut led = before.split_whitespace().rev().map(str::to_lowercase);
        let owner = led
            .next()
            .filter(|word| ["our", "the", "these", "those", "your"].contains(&word.as_str()));
        let of = if owner.is_some() { led.next() } else { None };
        let which = led.next();
        let asks = of.as_deref() == Some("of") && matches!(which.as_deref(), Some("which" | "one"));
        let verb = behind.split_whitespace().next().unwrap_or_default().to_lowercase();
        asks && !["are", "do", "have", "were"].contains(&verb.as_str())
    }

    /// Ordering with the primary key, or the shown columns, behind it: the same rows in the same order every time.
    pub(super) fn total_order(
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

    /// Refuses a number that each row of a group has for itself: "highest priced product per category".
    fn refuse_own_of_rows(&self, by: &Resolved, labels: &[Expression]) -> Result<(), Failure> {
        let Expression::Column { column: own } = &by.expression else { return Ok(()) };
        let of_group = labels.iter().any(
            |label| matches!(label, Expression::Column { column } if column.table == own.table),
        );
        if of_group {
            return Ok(());
        }
        Err(self.fail(
            FailureCode::NotComposable,
            "the rows of each group have several of these".to_owned(),
            "ask for the top row of each group, such as “top product by price in each category”",
            Some(by.at),
        ))
    }

    pub(super) fn group_order(
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
                self.refuse_own_of_rows(by, labels)?;
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
                    let columns = match self.target(at) {
                        Some(Target::Table(table)) => self.label(table),
                        _ => vec![self.column(at, None)?],
                    };
                    let Some(column) = columns.first().copied() else { continue };
                    let expression = self.column_expression(column);
                    let label = self.named_label(at, labels);
                    if labels.contains(&expression) {
                        order_by.push(Ordering { expression, descending: spec.descending });
                    } else if let Some(expression) = label {
                        order_by.push(Ordering { expression, descending: spec.descending });
                    } else if self.is_text(column) && !labels.is_empty() {
                        let message = format!("the groups do not show “{}”", self.phrase(at));
                        return Err(self.fail(
                            FailureCode::NotComposable,
                            message,
                            "sort by what is shown",
                            Some(at),
                        ));
                    } else if let Some(first) = measures.aggregates.first() {
                        order_by.push(Ordering {
                            expression: first.expression.clone(),
                            descending: spec.descending,
                        });
                    }
                }
                (None, None) => {
                    let first = measures.aggregates.first();
                    if let Some(first) = first.filter(|_| !spec.of_labels && periods == 0) {
                        order_by.push(Ordering {
                            expression: first.expression.clone(),
                            descending: spec.descending,
                        });
                    }
                }
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
                let by_label = |spec: &OrderSpec| spec.at.is_none() && spec.descending;
                let descending = order_by.is_empty() && frame.order.iter().any(by_label);
                order_by.push(Ordering { expression: label.clone(), descending });
            }
        }
        Ok((order_by, limit))
    }
}

/// Whether an expression is the time between two dates.
pub(super) fn is_days(expression: &Expression) -> bool {
    matches!(expression, Expression::Age { .. } | Expression::Days { .. })
}
