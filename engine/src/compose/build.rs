//! Building a query tree from a frame.

use super::context::{Composer, Failure, Open};
use super::measure::Resolved;
use super::option::{OPTIONS, WITHOUT_CONDITION, ignore_option};
use super::plan::Plan;
use super::rank::is_days;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{Decision, OptionBinding, Relation};
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, Predicate, QueryTree, Selection};
use crate::linking::{ColumnId, Named, TableId, Target};
use crate::order;
use crate::reading::{Condition, CountTarget, Frame, Measure, MeasureTarget, UNNAMED_SHARE};

/// Rows of a superlative in the plural that names no number.
pub(super) const SEVERAL: u32 = 10;
/// Most joins between two things that a verb may only link: one table stands between them.
const NEAR: usize = 2;

/// Query tree of a frame, with every decision noted in the composer.
pub(crate) fn compose(composer: &mut Composer<'_>, frame: &Frame) -> Result<QueryTree, Failure> {
    composer.through.clone_from(&frame.through);
    let open = composer.open.clone();
    match compose_once(composer, frame) {
        // "Revenue of Blue Train": the total of an order includes lines that do not meet the condition.
        Ok(tree) if !composer.of_lines && composer.sums_beyond_condition(frame, &tree) => {
            Ok(compose_of_lines(composer, frame, open).unwrap_or(tree))
        }
        // "Sales by product": totals of whole orders cannot be split, amounts of their lines can.
        Err(failure) if failure.code == FailureCode::FanOut && !composer.of_lines => {
            compose_of_lines(composer, frame, open).ok_or(failure)
        }
        composed => composed,
    }
}

/// Composes again from amounts of line items, with `open` as the decisions so far; `None`, with the decisions of the
/// first attempt kept, if that fails.
fn compose_of_lines(
    composer: &mut Composer<'_>,
    frame: &Frame,
    open: Vec<Open>,
) -> Option<QueryTree> {
    let first = std::mem::replace(&mut composer.open, open);
    composer.of_lines = true;
    let again = compose_once(composer, frame);
    composer.of_lines = false;
    if again.is_err() {
        composer.open = first;
    }
    again.ok()
}

fn compose_once(composer: &mut Composer<'_>, frame: &Frame) -> Result<QueryTree, Failure> {
    if let Some(blocked) = frame.blocked.first() {
        let left = if composer.settings.model {
            "left to the model"
        } else {
            "not written without a model"
        };
        let message = format!("“{}” is {left}: {}", composer.phrase(blocked.at), blocked.reason);
        let failure = composer.fail(
            FailureCode::NotComposable,
            message,
            "ask for one step at a time, such as a count, a sum or a list",
            Some(blocked.at),
        );
        if composer.settings.model {
            // What else is open is asked all the same, before a model writes it.
            let rest =
                Frame { blocked: Vec::new(), share: None, unread: Vec::new(), ..frame.clone() };
            let _ = compose(composer, &rest);
            composer.ties();
        } else if blocked.reason == UNNAMED_SHARE && !frame.unread.is_empty() {
            return Err(composer.part_unknown(frame, blocked.at));
        }
        return Err(failure);
    }
    if let Some(share) = &frame.share {
        let rows = composer.rows_of_rate(frame, share).or(frame.head);
        return composer.share(&Frame { head: rows, ..frame.clone() }, share);
    }
    if let Some(at) = frame.growth {
        return composer.growth(frame, at);
    }
    if let Some(at) = frame.median {
        return composer.median(frame, at);
    }
    if let Some(at) = frame.average {
        return composer.average(frame, at);
    }
    if let Some((summed, at)) = composer.mean_of_totals(frame) {
        return composer.average(&summed, at);
    }
    if let Some(groups) = composer.counts_groups(frame) {
        return composer.number_of_groups(&groups);
    }
    if let Some(against) = frame.against {
        return composer.against_mean(frame, against);
    }
    if frame.top_of_each {
        return composer.top_of_each(frame);
    }
    composer.unread(frame);
    composer.linking(frame);
    if let Some(difference) = composer.difference(frame) {
        return composer.without_values(frame, difference);
    }
    if let Some(listed) = composer.listed_apart(frame) {
        return composer.union(frame, listed);
    }
    let mut frame = frame.clone();
    composer.scoped(&mut frame)?;
    composer.for_each_or_all(&mut frame);
    composer.restate(&mut frame);
    let head = composer.head(&frame);
    let frame = &frame;
    let mut measures = composer.measures(frame, head)?;
    if let Some((counted, having)) = composer.counted_groups(frame) {
        measures.aggregates.push(counted);
        measures.having.push(having);
    }
    composer.measure_conditions(frame, &mut measures)?;
    if measures.aggregates.is_empty() && frame.groups.is_empty() && frame.trend.is_none() {
        let rows = composer.rows(frame, head, measures.order)?;
        Ok(composer.kinds_with_both(frame, rows))
    } else {
        composer.groups(frame, head, measures)
    }
}

/// Measures of a frame.
#[derive(Debug, Default)]
pub(super) struct Measures {
    /// Aggregates, in order.
    pub(super) aggregates: Vec<Resolved>,
    /// What the superlative orders by.
    pub(super) order: Option<Resolved>,
    /// Conditions on groups.
    pub(super) having: Vec<Predicate>,
}

impl Composer<'_> {
    /// Columns that words may mean, where nothing was decided about the words yet.
    fn ties(&mut self) {
        for at in 0..self.mentions.len() {
            let span = self.span(at);
            let known = self.open.iter().any(|open| open.clarification.span == span);
            if !known && matches!(self.target(at), Some(Target::Column(_))) {
                let _ = self.column(at, None);
            }
        }
    }

    /// Words that tie to nothing: left out, or taken as a condition or a column, only by decision.
    pub(super) fn unread(&mut self, frame: &Frame) {
        let far = frame.linking.iter().filter(|at| self.joins_far(**at));
        let mut unread: Vec<usize> = frame.unread.iter().chain(far).copied().collect();
        order::natural(&mut unread);
        if unread.is_empty() {
            return;
        }
        let about = frame.head.map(|(table, _)| table).or_else(|| self.implied_head(frame));
        let custom = about.map(|table| self.own_words(table));
        // A noun that may mean rows is asked about by itself, since the answer may read the other words anew.
        let noun = unread.iter().position(|at| !self.tables_for_unknown(*at).is_empty());
        if let Some(noun) = noun.filter(|_| unread.len() > 1) {
            let noun = unread.remove(noun);
            let chosen = self.decide_unknown(noun, custom.clone());
            self.give(chosen);
        }
        let chosen = if let [only] = unread.as_slice() {
            self.decide_unknown(*only, custom)
        } else {
            let words: Vec<&str> = unread.iter().map(|at| self.phrase(*at)).collect();
            let phrase = words.join("”, “");
            self.decide_left_out(&unread, phrase, Vec::new(), custom)
        };
        self.give(chosen);
    }

    /// Adds a condition that a person gave in words of their own for words that tie to nothing.
    fn give(&mut self, chosen: OptionBinding) {
        if let OptionBinding::Predicate { predicate } = chosen
            && !self.given.contains(&predicate)
        {
            self.given.push(predicate);
        }
    }

    /// Whether a verb stands between things that are so far apart that it may say what their tables do not.
    fn joins_far(&self, at: usize) -> bool {
        let tables =
            |range: std::ops::Range<usize>| range.filter_map(|at| self.target(at)?.table());
        // A verb that is tied to something on the way says nothing else.
        let plain = |at: usize| {
            self.mentions
                .get(at)
                .is_some_and(|mention| mention.lexical.is_empty() && mention.readings.is_empty())
        };
        let counted = self.mentions.get(at + 1).is_some_and(|next| next.number.is_some());
        if !plain(at) || counted {
            return false;
        }
        let before = tables(0..at).next_back();
        let after = tables(at + 1..self.mentions.len()).next();
        before.zip(after).is_some_and(|(from, to)| {
            let joins = self.schema.distance(from, to).map_or(usize::MAX, |(joins, _)| joins);
            joins > NEAR
        })
    }

    /// Verbs that only say how two things hang together, and nouns that only say what kind of thing a column
    /// holds: left out, and said so.
    fn linking(&mut self, frame: &Frame) {
        let verbs = frame.linking.iter().filter(|at| !self.joins_far(**at));
        let verb = ("a link, no condition", "it only links two other words");
        let noun = ("the kind of thing named", "it only says what the name next to it is");
        let words: Vec<_> = verbs
            .chain(&frame.by_class)
            .map(|at| (at, verb))
            .chain(frame.classifying.iter().map(|at| (at, noun)))
            .collect();
        for (at, (label, reason)) in words {
            let phrase = self.phrase(*at).to_owned();
            self.decide(Decision {
                kind: AmbiguityKind::UnknownTerm,
                severity: Severity::Minor,
                span: self.span(*at),
                relation: Relation::Means,
                reason: reason.to_owned(),
                options: vec![ignore_option(label.to_owned(), WITHOUT_CONDITION)],
                phrase,
                recommended: None,
                custom: None,
            });
        }
    }

    /// Table asked about: the one named, else the one of what is shown or filtered.
    pub(super) fn head(&mut self, frame: &Frame) -> Option<TableId> {
        if let Some((table, at)) = frame.head {
            return Some(self.table(table, at));
        }
        self.implied_head(frame)
    }

    /// Table of what is shown or filtered.
    fn implied_head(&self, frame: &Frame) -> Option<TableId> {
        let of = |composer: &Self, at: usize| composer.target(at).and_then(|target| target.table());
        let shown = frame.outputs.iter().find_map(|at| self.table_named_behind(*at));
        let shown = shown.or_else(|| frame.outputs.iter().find_map(|at| of(self, *at)));
        shown.or_else(|| {
            frame.conditions.iter().find_map(|condition| match condition {
                Condition::Values { at, .. } => at.first().and_then(|at| of(self, *at)),
                Condition::Bound { column: Some(at), .. }
                | Condition::Compare { column: Some(at), .. }
                | Condition::Figure { column: Some(at), .. }
                | Condition::Columns { column: Some(at), .. }
                | Condition::Dates { at, .. }
                | Condition::Set { at, .. }
                | Condition::Null { at, .. } => of(self, *at),
                Condition::Key { table, .. } => Some(*table),
                _ => None,
            })
        })
    }

    /// Table that a mention means; several that fit equally are decided on.
    pub(super) fn table(&mut self, table: TableId, at: usize) -> TableId {
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
            .filter(|rival| *rival == table || !self.relates(*rival, table))
            .collect();
        if rivals.len() < 2 {
            return table;
        }
        let options = rivals.iter().take(OPTIONS).map(|rival| self.table_option(*rival)).collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Table,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
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

    pub(super) fn measures(
        &mut self,
        frame: &Frame,
        head: Option<TableId>,
    ) -> Result<Measures, Failure> {
        let mut measures = Measures::default();
        for measure in &frame.measures {
            let resolved = self.measure(measure, head)?;
            measures.aggregates.push(self.in_unit(frame, resolved));
        }
        let Some(superlative) = &frame.superlative else {
            return Ok(measures);
        };
        let by = match &superlative.by {
            Some(by) => {
                let resolved = self.measure(by, head)?;
                Some(self.in_unit(frame, resolved))
            }
            None => None,
        };
        // "youngest" is never a number of rows; "largest" may be.
        let ranks = superlative.roles.is_empty()
            || superlative.figure
                && head.is_some_and(|head| {
                    self.superlative_column(head, &superlative.roles).is_none()
                        || self.is_large_by_records(head, superlative)
                });
        // "The most common city of patients": rows are counted for each of what is shown.
        let counts = superlative.counted && by.is_none() && frame.measures.is_empty();
        let shown = frame.outputs.first().filter(|_| counts);
        let counted = shown.and_then(|at| {
            frame.head.map(|(table, _)| table).or_else(|| self.target(*at)?.table())
        });
        let by = match counted {
            Some(table) => {
                let target = MeasureTarget::Count(CountTarget::Rows(table));
                Some(self.measure(&Measure { target, at: superlative.at }, head)?)
            }
            None => by,
        };
        let by = match (by, head) {
            (None, Some(_)) if superlative.counted && !frame.measures.is_empty() => None,
            (None, Some(head)) if ranks => self.decide_order(head, superlative),
            (None, None) if self.ranks_bare_periods(frame) => self.decide_best_period(superlative),
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

    pub(super) fn named(&self, frame: &Frame) -> Vec<TableId> {
        frame
            .head
            .iter()
            .map(|(table, _)| *table)
            .chain(frame.related.iter().map(|related| related.table))
            .chain(frame.output_tables.iter().map(|(table, _)| *table))
            .collect()
    }

    /// Rows of a table.
    pub(super) fn rows(
        &mut self,
        frame: &Frame,
        head: Option<TableId>,
        order: Option<Resolved>,
    ) -> Result<QueryTree, Failure> {
        let base = head.or(order.as_ref().map(|order| order.fact));
        let Some(base) = base else {
            return Err(self.fail(
                FailureCode::NothingAsked,
                "it is not clear which rows are asked for".to_owned(),
                "name a table of this data",
                None,
            ));
        };
        let mut plan = Plan::new(base, self.named(frame));
        let mut shown = self.asked_columns(frame, base, &mut plan)?;
        for column in &shown {
            self.join(&mut plan, column.table)?;
        }
        if frame.beside == Some(base) {
            self.keep_all_rows(base, &mut plan);
        }
        self.filters(frame, &mut plan, None)?;
        let days = order.clone().filter(|order| is_days(&order.expression));
        let (order_by, limit) = self.row_order(frame, &mut plan, order)?;
        let ordering: Vec<ColumnId> = order_by
            .iter()
            .filter_map(|order| match &order.expression {
                Expression::Column { column } => self.column_id(column),
                _ => None,
            })
            .collect();
        if shown.is_empty() {
            let one = self.names_row_of(frame, base);
            shown =
                if one { self.all_columns(base) } else { self.default_columns(base, &ordering) };
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
        self.ask_unused_key(frame, &plan);
        let named = frame.head.is_some();
        let keyed = shown.iter().any(|column| self.catalog.column_at(*column).unique);
        // Rows that are made one have no order by what they do not show; PostgreSQL refuses it.
        let hidden: Vec<ColumnId> =
            ordering.iter().copied().filter(|column| !shown.contains(column)).collect();
        let values = !named
            && !frame.outputs.is_empty()
            && !keyed
            && hidden.is_empty()
            && !self.names_row_of(frame, base);
        let distinct = (frame.distinct || values) && frame.superlative.is_none();
        if distinct {
            shown.extend(hidden);
        }
        let mut select: Vec<Selection> =
            shown.iter().map(|column| self.selection(*column)).collect();
        select.extend(days.map(|days| Selection {
            expression: days.expression,
            alias: Some(days.alias.to_lowercase()),
        }));
        for parent in &frame.parents {
            select.extend(self.parent_names(*parent));
        }
        self.tell_apart(&mut select);
        let order_by = self.total_order(order_by, base, &shown, distinct);
        let (limit, top) = if distinct {
            (limit, None)
        } else {
            self.limit_of_things(&mut plan, &shown, &ordering, limit)?
        };
        self.possible(QueryTree {
            from: self.schema.profile(base).key.clone(),
            joins: plan.joins,
            select,
            distinct,
            filters: plan.filters,
            group_by: Vec::new(),
            having: Vec::new(),
            order_by,
            limit,
            top,
            against_mean: None,
            over_groups: None,
            also: Vec::new(),
        })
    }

    /// "The shipper of each order": orders without a shipper are listed too.
    pub(super) fn keep_all_rows(&self, base: TableId, plan: &mut Plan) {
        let key = &self.schema.profile(base).key;
        let columns = &self.catalog.table_at(base).columns;
        let mut may_lack: Vec<String> = Vec::new();
        for step in &mut plan.joins {
            let mut nullable = columns.iter().filter(|column| column.nullable);
            let lacks = step.from_table == *key
                && nullable.any(|column| step.from_columns.contains(&column.name));
            if lacks || may_lack.contains(&step.from_table) {
                step.outer = true;
                may_lack.push(step.to_table.clone());
            }
        }
    }

    /// Columns that a list shows because words ask for them; none for the columns that are shown by default.
    fn asked_columns(
        &mut self,
        frame: &Frame,
        base: TableId,
        plan: &mut Plan,
    ) -> Result<Vec<ColumnId>, Failure> {
        let mut shown: Vec<ColumnId> = Vec::new();
        let mut firsts: Vec<(usize, ColumnId)> = Vec::new();
        for at in &frame.outputs {
            let columns = self.output(*at, Some(base))?;
            for column in self.with_names(*at, columns, plan) {
                if !shown.contains(&column) {
                    firsts.push((*at, column));
                    shown.push(column);
                }
            }
        }
        self.name_who(frame, base, &mut shown);
        self.name_owners(frame, base, &mut shown);
        self.name_rows_beside_parents(frame, base, &mut shown);
        if let Some(beside) = frame.beside {
            let label = self.label(beside);
            let label: Vec<ColumnId> = label.into_iter().filter(|it| !shown.contains(it)).collect();
            shown.splice(0..0, label);
        }
        for (table, said) in &frame.output_tables {
            if shown.is_empty() {
                shown.extend(self.label(base));
            }
            // What is shown stands in the order of the words.
            let later = firsts.iter().find(|(at, _)| at > said);
            let place = later.and_then(|(_, column)| shown.iter().position(|it| it == column));
            let place = place.unwrap_or(shown.len());
            shown.splice(place..place, self.label(*table));
        }
        if shown.is_empty() && !frame.parents.is_empty() {
            shown.extend(self.label(base));
        }
        Ok(shown)
    }
}

pub(super) fn is_aggregate(expression: &Expression) -> bool {
    matches!(expression, Expression::Aggregate { .. })
}

pub(super) fn function_name(function: Aggregate) -> &'static str {
    match function {
        Aggregate::Average => "average",
        Aggregate::Count => "count",
        Aggregate::Maximum => "maximum",
        Aggregate::Median => "median",
        Aggregate::Minimum => "minimum",
        Aggregate::Sum => "sum",
    }
}

/// Table whose rows a predicate is about.
pub(crate) fn predicate_table(predicate: &Predicate) -> Option<&str> {
    match predicate {
        Predicate::AgainstColumn { column, .. }
        | Predicate::AgainstFigure { column, .. }
        | Predicate::Extreme { column, .. }
        | Predicate::InRange { column, .. }
        | Predicate::IsNull { column, .. }
        | Predicate::OneOf { column, .. }
        | Predicate::Text { column, .. }
        | Predicate::Compare {
            left: Expression::Column { column } | Expression::Days { to: column, .. },
            ..
        } => Some(&column.table),
        Predicate::Not { condition } => predicate_table(condition),
        Predicate::All { conditions } | Predicate::Any { conditions } => {
            conditions.first().and_then(predicate_table)
        }
        Predicate::Exists { joins, .. }
        | Predicate::RelatedCount { joins, .. }
        | Predicate::RelatedToAll { joins, .. } => {
            joins.first().map(|step| step.from_table.as_str())
        }
        Predicate::AmongGroups { .. } | Predicate::Compare { .. } => None,
    }
}
