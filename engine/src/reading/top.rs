//! The first rows of each group.
//!
//! Valid: "top 3 products of each category by revenue", "the latest order of each customer", "the most expensive
//! product in each category", "last order date of each customer". Invalid, so that it is refused: a group inside another, and an order that nothing names.

use super::frame::{CountTarget, Group, Measure, MeasureTarget, Related, TableUse};
use super::parse::Parser;
use super::part::Part;
use crate::intent::Aggregate;
use crate::linking::Target;

impl Parser<'_> {
    /// "last order date of each customer": one end of the dates of each group.
    fn end_of_dates(&mut self) {
        let Some(superlative) = &self.frame.superlative else { return };
        let Some(Measure { target: MeasureTarget::Own, at }) = superlative.by else { return };
        let dated =
            matches!(self.target(at), Some(Target::Column(column)) if self.is_date(*column));
        let frame = &self.frame;
        let alone = frame.measures.is_empty()
            && frame.outputs.is_empty()
            && frame.head.is_none()
            && superlative.limit.is_none()
            && (superlative.at + 1 == at || self.is_state_of(superlative.at + 1, at))
            && !frame.groups.is_empty();
        if alone && dated {
            let function =
                if superlative.descending { Aggregate::Maximum } else { Aggregate::Minimum };
            self.frame.superlative = None;
            self.frame.measures.push(Measure { target: MeasureTarget::Aggregate(function), at });
        }
    }

    /// "latest stock count date": a stored value right before the date of its rows.
    fn is_state_of(&self, value: usize, date: usize) -> bool {
        let table = match self.target(value) {
            Some(Target::Value(column, _)) => Some(column.table),
            _ => None,
        };
        value + 1 == date && table.is_some() && table == self.target(date).and_then(Target::table)
    }

    /// "number of albums per artist, top 10": a number of groups behind them, which their only figure orders.
    fn first_groups(&mut self) {
        let Some(superlative) = &mut self.frame.superlative else { return };
        let bare = superlative.limit.is_some()
            && superlative.by.is_none()
            && superlative.roles.is_empty()
            && superlative.concepts.is_empty();
        let [measure] = self.frame.measures.as_slice() else { return };
        let follows = |group: &Group| match group {
            Group::Table(_, at) | Group::Thing(at) | Group::Period { at, .. } => {
                *at < superlative.at
            }
        };
        let grouped = !self.frame.groups.is_empty() && self.frame.groups.iter().all(follows);
        if bare && grouped && measure.at < superlative.at {
            superlative.by = Some(measure.clone());
            self.frame.head = None;
        }
    }

    /// Tells the first rows of each group from the groups at one end of an order.
    pub(super) fn rank_in_groups(&mut self) {
        self.end_of_dates();
        self.first_groups();
        let Some(superlative) = &self.frame.superlative else { return };
        let common = self.frame.outputs.first().filter(|_| superlative.counted);
        let common = common.and_then(|at| self.target(*at)?.table());
        let head = self.frame.head.map(|(head, _)| head).or(common);
        let counts_head = superlative.by.as_ref().is_some_and(|by| {
            head.is_some_and(|head| by.target == MeasureTarget::Count(CountTarget::Rows(head)))
        });
        let apart = self.frame.groups.iter().find_map(|group| match group {
            Group::Table(table, at) => (head != Some(*table)).then_some(*at),
            Group::Thing(at) | Group::Period { at, .. } => Some(*at),
        });
        // "The best selling product in each month": what is ranked within the groups is named by the way.
        let within = apart.filter(|group| {
            head.is_none()
                && self.frame.related.iter().any(|related| {
                    related.how == TableUse::Path && (superlative.at..*group).contains(&related.at)
                })
        });
        if let Some(group) = within {
            let named = |related: &Related| {
                related.how == TableUse::Path && (superlative.at..group).contains(&related.at)
            };
            let Some(place) = self.frame.related.iter().position(named) else { return };
            let ranked = self.frame.related.remove(place);
            self.frame.head = Some((ranked.table, ranked.at));
        }
        let Some(superlative) = &self.frame.superlative else { return };
        let head = self.frame.head.map(|(head, _)| head).or(common);
        let by_role = superlative.by.is_none() && !superlative.roles.is_empty();
        let named = |at: usize| {
            self.part(at) == Part::Schema && matches!(self.target(at), Some(Target::Column(_)))
        };
        let beside =
            self.frame.head.is_some_and(|(_, at)| at == superlative.at + 1 && !named(at + 1));
        let figure = !superlative.roles.is_empty() && superlative.limit.is_none() && !beside;
        // "The highest salary of each department" is one figure of each group.
        let rows = by_role && self.frame.measures.is_empty();
        let ranked = !counts_head && !figure && head.is_some();
        let Some(at) = apart.filter(|_| rows || ranked) else { return };
        let ordered = by_role || superlative.by.is_some();
        // "The most popular product in each category": the rows asked about are ranked by those that refer to them.
        let popular = superlative.counted
            && superlative.by.is_none()
            && self.frame.head.is_some()
            && self.frame.outputs.is_empty()
            && self.frame.measures.is_empty();
        // "The best selling product of each category": what is sold of the rows asked about ranks them.
        let by_concept = superlative.by.is_none()
            && !superlative.concepts.is_empty()
            && self.frame.head.is_some()
            && self.frame.measures.is_empty();
        if self.frame.groups.len() == 1
            && (ordered && !superlative.counted || popular || by_concept)
        {
            self.frame.top_of_each = true;
        } else {
            self.block(at, "the first rows of each group take two steps");
        }
    }
}
