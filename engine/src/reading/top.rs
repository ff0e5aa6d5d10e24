//! The first rows of each group.
//!
//! Valid: "top 3 products of each category by revenue", "the latest order of each customer", "the most expensive
//! product in each category". Invalid, so that it is refused: a group inside another, and an order that nothing names.

use super::frame::{CountTarget, Group, MeasureTarget, TableUse};
use super::parse::Parser;

impl Parser<'_> {
    /// Tells the first rows of each group from the groups at one end of an order.
    pub(super) fn rank_in_groups(&mut self) {
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
        if let Some(at) = within {
            self.block(at, "the first rows of each group take two steps");
            return;
        }
        let by_role = superlative.by.is_none() && !superlative.roles.is_empty();
        let figure = !superlative.roles.is_empty() && superlative.limit.is_none();
        // "The highest salary of each department" is one figure of each group.
        let rows = by_role && self.frame.measures.is_empty();
        let ranked = !counts_head && !figure && head.is_some();
        let Some(at) = apart.filter(|_| rows || ranked) else { return };
        let ordered = by_role || superlative.by.is_some();
        if self.frame.groups.len() == 1 && ordered && !superlative.counted {
            self.frame.top_of_each = true;
        } else {
            self.block(at, "the first rows of each group take two steps");
        }
    }
}
