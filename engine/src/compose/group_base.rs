//! What groups stand on: the groups that a question implies, and the table that the rows are counted from.

use super::build::{Measures, is_aggregate};
use super::context::{Composer, Failure};
use super::measure::Resolved;
use super::plan::Plan;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression};
use crate::linking::{Edge, Lexical, Named, TableId, Target};
use crate::reading::{Condition, Frame, Group, MeasureTarget, TableUse};

impl Composer<'_> {
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
        let ranked = measures.order.is_some() && groups.is_empty();
        for at in frame.outputs.iter().filter(|at| !measured.contains(at)) {
            if ranked && self.is_of_head(frame, head, *at) {
                continue;
            }
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
        // "Top 5 products by revenue and their suppliers", "orders worth over 100 and their customer" are still one row
        // for each product or order.
        let restricted =
            frame.conditions.iter().any(|condition| matches!(condition, Condition::Measure { .. }));
        let beside = |table: TableId| {
            let chosen = measures.order.is_some() || restricted;
            let ranked = head.filter(|head| *head != fact && chosen);
            let ways = ranked.and_then(|head| self.schema.distance(head, table));
            groups.is_empty() && ways.is_some_and(|(_, to_many)| !to_many)
        };
        let shown: Vec<(TableId, usize)> =
            frame.output_tables.iter().filter(|(table, _)| !beside(*table)).copied().collect();
        for (table, at) in &shown {
            if *table != fact {
                groups.push(Group::Table(*table, *at));
            }
        }
        let Some((head, at)) = head.and(frame.head) else { return };
        if head == fact && groups.is_empty() && self.is_of_each(frame, measures) {
            groups.push(Group::Table(head, at));
            return;
        }
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

    /// Whether a column shown is one that each of the rows ranked has: "and their country".
    pub(super) fn is_of_head(&self, frame: &Frame, head: Option<TableId>, at: usize) -> bool {
        let table = self.target(at).and_then(|target| target.table());
        let Some((head, table)) = head.zip(table).filter(|(head, _)| frame.beside == Some(*head))
        else {
            return false;
        };
        self.schema.distance(head, table).is_some_and(|(_, to_many)| !to_many)
    }

    /// Whether what goods in stock are worth ranks or restricts the goods: "products by stock value".
    fn is_of_each(&self, frame: &Frame, measures: &Measures) -> bool {
        let [measure] = measures.aggregates.as_slice() else { return false };
        let stocked =
            self.mentions.get(measure.at).is_some_and(|mention| mention.stocked.is_some());
        let by = measure.at.checked_sub(1).is_some_and(|before| {
            self.mentions[before].is(Lexical::By) || self.mentions[before].is(Lexical::Order)
        });
        let restricted = frame.conditions.iter().any(
            |condition| matches!(condition, Condition::Measure { at, .. } if *at == measure.at),
        );
        stocked && (by || restricted)
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
    pub(super) fn counted_through(
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

    /// Counts each row once where joins multiply them, unless each of a group is joined once anyway.
    pub(super) fn count_once_in_groups(
        &self,
        groups: &[Group],
        plan: &Plan,
        measures: &mut Measures,
        fact: TableId,
    ) -> Result<(), Failure> {
        if !plan.multiplied {
            return Ok(());
        }
        match self.count_once(measures, fact) {
            Err(failure) if failure.code == FailureCode::FanOut && self.has_pairs(groups, plan) => {
                Ok(())
            }
            counted => counted,
        }
    }

    /// Whether groups are the rows of a table that a linking table joins with what is looked at, each pair once: the
    /// average price of the products of each supplier.
    fn has_pairs(&self, groups: &[Group], plan: &Plan) -> bool {
        let (&[Group::Table(group, _)], [there, back]) = (groups, plan.joins.as_slice()) else {
            return false;
        };
        let Some(link) = self.schema.table(&there.to_table) else { return false };
        let key = &self.schema.profile(link).primary_key;
        let ties: Vec<&String> = there.to_columns.iter().chain(&back.from_columns).collect();
        there.to_table == back.from_table
            && back.to_table == self.schema.profile(group).key
            && self.follows_key(back)
            && !key.is_empty()
            && key.iter().all(|part| ties.contains(&&self.catalog.column_at(*part).name))
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
}
