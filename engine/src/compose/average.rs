//! Averages over groups: the measure of each group, and the mean of these.

use wherefore_english::{and_list, plural, singular};

use super::build::compose;
use super::context::{Composer, Failure};
use super::option::ignore_option;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::MetricAggregate;
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, Ordering, OverGroups, QueryTree, Selection, TimeGrain};
use crate::linking::{Lexical, Mention, TableId, Target};
use crate::narration::{Describer, rows};
use crate::reading::{Frame, Group, Measure, MeasureTarget};

impl Composer<'_> {
    /// Query tree of an average over groups; `at` is the mention that says so.
    pub(super) fn average(&mut self, frame: &Frame, at: usize) -> Result<QueryTree, Failure> {
        let shown_for = self.groups_around(frame, at)?;
        let plain = Frame { average: None, ..frame.clone() };
        let mut tree = compose(self, &plain)?;
        let (by, labels) = match shown_for {
            Some(group) => self.shown_for(&plain, group)?,
            None => (Vec::new(), Vec::new()),
        };
        let mut measures = tree.select.iter().filter(|item| item.expression.is_aggregate());
        let (Some(measure), None) = (measures.next().cloned(), measures.next()) else {
            return Err(self.not_averaged(at));
        };
        let named = measure.alias.clone();
        let total = matches!(
            &measure.expression,
            Expression::Aggregate { function: Aggregate::Count | Aggregate::Sum, .. }
        );
        // Days of the week come back: the mean of each is over its dates, not over the seven.
        let recurring = tree.group_by.iter().filter(|key| !by.contains(key)).any(|key| {
            matches!(
                key,
                Expression::Period {
                    grain: TimeGrain::DayOfWeek | TimeGrain::HourOfDay | TimeGrain::MonthOfYear,
                    ..
                }
            )
        });
        let plain = total
            && !recurring
            && tree.also.is_empty()
            && tree.top.is_none()
            && tree.having.is_empty();
        let within = by.iter().all(|key| tree.group_by.contains(key));
        let (Some(name), true, true) = (named, plain && within, tree.limit.is_none()) else {
            return Err(self.not_averaged(at));
        };
        self.note_average(&tree, &by, at);
        tree.select.retain(|item| labels.contains(&item.expression));
        tree.select.push(Selection { expression: measure.expression, alias: Some(name.clone()) });
        self.keep_keys(&mut tree.group_by, &by);
        let order = labels.into_iter().map(|expression| Ordering { expression, descending: false });
        tree.order_by = order.collect();
        let (function, alias) = (Aggregate::Average, format!("average_{name}"));
        tree.over_groups = Some(OverGroups { function, by, alias });
        Ok(tree)
    }

    /// "average revenue per customer": the mean of what is added up for each customer, where that is decided, and
    /// the word that says so; the other reading is the mean of each customer's rows.
    pub(super) fn mean_of_totals(&mut self, frame: &Frame) -> Option<(Frame, usize)> {
        let [measure] = frame.measures.as_slice() else { return None };
        let ([group]
        | [group @ (Group::Table(..) | Group::Thing(_)), Group::Period { .. }]
        | [Group::Period { .. }, group @ (Group::Table(..) | Group::Thing(_))]) =
            frame.groups.as_slice()
        else {
            return None;
        };
        let (Group::Table(_, of) | Group::Thing(of) | Group::Period { at: of, .. }) = group;
        let mean = measure.target == MeasureTarget::Aggregate(Aggregate::Average);
        let summed = match self.target(measure.at) {
            Some(Target::Metric(metric)) => {
                let metric = self.catalog.metrics.get(metric);
                metric.is_some_and(|metric| metric.aggregate == MetricAggregate::Sum)
            }
            Some(_) => false,
            None => self.mentions.get(measure.at).is_some_and(|mention| mention.concept.is_some()),
        };
        let said = |wanted: &dyn Fn(&Mention) -> bool, before: usize| {
            (0..before).rev().find(|at| self.mentions.get(*at).is_some_and(wanted))
        };
        let per = said(&|mention| mention.phrase.eq_ignore_ascii_case("per"), *of);
        let at = said(&|mention| mention.is(Lexical::Average), measure.at)?;
        let apart = frame.superlative.is_none() && frame.outputs.is_empty();
        if !mean || !summed || per.is_none_or(|per| per < measure.at) || !apart {
            return None;
        }
        let target = MeasureTarget::Aggregate(Aggregate::Sum);
        let measures = vec![Measure { target, at: measure.at }];
        let totals = Frame { average: Some(at), measures, ..frame.clone() };
        if self.is_one_row_each(&totals.measures[0], group) {
            return Some((totals, at));
        }
        let (each, all) = (singular(self.phrase(*of)), plural(self.phrase(*of)));
        let mean = self.mean_words(at, "the average");
        let option = |function: Aggregate, label: String, description: String| {
            let id = function.function().to_owned();
            ClarificationOption {
                id,
                label,
                description,
                binding: OptionBinding::Aggregate { function },
                confidence: None,
            }
        };
        let amount = self.phrase(measure.at);
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Aggregation,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "the mean can be of totals or of single amounts".to_owned(),
            options: vec![
                option(
                    Aggregate::Sum,
                    format!("{mean} of the totals of all {all}"),
                    format!("one number: adds up the {amount} of each {each} first"),
                ),
                option(
                    Aggregate::Average,
                    format!("{mean} of single amounts for each {each}"),
                    format!("one row for each {each}"),
                ),
            ],
            recommended: None,
            custom: None,
        });
        (chosen == OptionBinding::Aggregate { function: Aggregate::Sum }).then_some((totals, at))
    }

    /// Whether each group is one row of the table that is added up, so that totals are single amounts.
    fn is_one_row_each(&self, measure: &Measure, group: &Group) -> bool {
        let mut apart =
            Composer { open: Vec::new(), given: Vec::new(), through: Vec::new(), ..*self };
        let summed = apart.measure(measure, None);
        matches!(group, Group::Table(table, _) if summed.is_ok_and(|summed| summed.fact == *table))
    }

    /// What the word at a mention computes of several numbers.
    fn mean_words(&self, at: usize, average: &'static str) -> &'static str {
        let median = self.mentions.get(at).is_some_and(|mention| mention.is(Lexical::Median));
        if median { "the median" } else { average }
    }

    /// The group that the figure is shown for, where there are two: the one that holds several of the other.
    fn groups_around(&self, frame: &Frame, at: usize) -> Result<Option<Group>, Failure> {
        match frame.groups.as_slice() {
            [_] => Ok(None),
            // "average order value by month": the mean of the orders of each month.
            [period @ Group::Period { .. }, table] | [table, period @ Group::Period { .. }]
                if self.table_of_group(table).is_some() =>
            {
                Ok(Some(*period))
            }
            [one, other] => {
                let tables = self.table_of_group(one).zip(self.table_of_group(other));
                let (first, second) = tables.ok_or_else(|| self.not_averaged(at))?;
                let holds = |outer: TableId, inner: TableId| {
                    self.schema.distance(inner, outer).is_some_and(|(_, to_many)| !to_many)
                        && self.schema.distance(outer, inner).is_some_and(|(_, to_many)| to_many)
                };
                // A column of the rows of the other group, such as the country of customers.
                let told = |outer: &Group, inner: &Group| {
                    first == second && matches!((outer, inner), (Group::Thing(_), Group::Table(..)))
                };
                if holds(second, first) || told(other, one) {
                    Ok(Some(*other))
                } else if holds(first, second) || told(one, other) {
                    Ok(Some(*one))
                } else {
                    Err(self.not_averaged(at))
                }
            }
            _ => Err(self.not_averaged(at)),
        }
    }

    fn table_of_group(&self, group: &Group) -> Option<TableId> {
        match group {
            Group::Table(table, _) => Some(*table),
            Group::Thing(at) => self.target(*at)?.table(),
            Group::Period { .. } => None,
        }
    }

    /// Grouping keys and labels of the group that the figure is shown for.
    fn shown_for(
        &self,
        frame: &Frame,
        group: Group,
    ) -> Result<(Vec<Expression>, Vec<Expression>), Failure> {
        let mut apart = Composer {
            open: Vec::new(),
            given: Vec::new(),
            through: self.through.clone(),
            ..*self
        };
        let alone = compose(&mut apart, &Frame { groups: vec![group], ..frame.clone() })?;
        let labels = alone.select.into_iter().map(|item| item.expression);
        Ok((alone.group_by, labels.filter(|label| !label.is_aggregate()).collect()))
    }

    /// Leaves out labels beside the key that tells their groups apart.
    fn keep_keys(&self, group_by: &mut Vec<Expression>, by: &[Expression]) {
        let all = group_by.clone();
        group_by.retain(|expression| {
            let Expression::Column { column } = expression else { return true };
            let Some(table) = self.schema.table(&column.table) else { return true };
            let key = &self.schema.profile(table).primary_key;
            let keyed = !key.is_empty()
                && key.iter().all(|part| all.contains(&self.column_expression(*part)));
            by.contains(expression)
                || !keyed
                || key.iter().any(|part| self.column_expression(*part) == *expression)
        });
    }

    /// Says which groups the mean is over: only those with any rows.
    fn note_average(&mut self, tree: &QueryTree, by: &[Expression], at: usize) {
        let inner = QueryTree {
            group_by: tree.group_by.iter().filter(|key| !by.contains(key)).cloned().collect(),
            ..QueryTree::default()
        };
        let groups = Describer { catalog: self.catalog }.groups(&inner);
        let groups: Vec<String> = groups.iter().map(|group| plural(group)).collect();
        let counted = rows(self.catalog, &tree.from);
        let mean = self.mean_words(at, "the mean");
        self.decide(Decision {
            kind: AmbiguityKind::Aggregation,
            severity: Severity::Minor,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "groups without rows are not in the data that is averaged".to_owned(),
            options: vec![ignore_option(
                format!("{mean} over the {} that have {counted}", and_list(&groups)),
                "those without any are left out",
            )],
            recommended: None,
            custom: None,
        });
    }

    fn not_averaged(&self, at: usize) -> Failure {
        self.fail(
            FailureCode::NotComposable,
            "it is not clear what the average is over".to_owned(),
            "name one number and what it is averaged over, such as the number of orders per customer",
            Some(at),
        )
    }
}
