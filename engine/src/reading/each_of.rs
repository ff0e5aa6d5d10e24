//! What each row has one of, listed row by row.
//!
//! Valid: "price of each product", "category of each product", "the phone number of every supplier". Not so where rows
//! have several ("orders of each customer") or where something is computed ("average price of each category").

use super::frame::Group;
use super::parse::Parser;
use crate::linking::{TableId, Target};

impl Parser<'_> {
    /// Lists the rows that things are asked for each of, with these things beside their names, instead of grouping.
    pub(super) fn list_for_each(&mut self) {
        let frame = &self.frame;
        let [Group::Table(of, at)] = *frame.groups.as_slice() else { return };
        let computed = !frame.measures.is_empty()
            || frame.superlative.is_some()
            || frame.share.is_some()
            || frame.trend.is_some()
            || frame.growth.is_some()
            || frame.average.is_some()
            || frame.coordination.is_some()
            || frame.distinct
            || self.count.is_some();
        if computed || !frame.related.is_empty() || self.quantifier_of(at).is_none() {
            return;
        }
        let has_one = |table: TableId| {
            let ways = self.index.distance(of, table);
            table == of || ways.is_some_and(|(_, to_many)| !to_many)
        };
        let shown: Option<Vec<TableId>> =
            frame.outputs.iter().map(|at| self.target(*at).and_then(Target::table)).collect();
        let Some(shown) = shown else { return };
        let head = frame.head.filter(|(head, _)| *head != of);
        if !shown.iter().chain(head.iter().map(|(head, _)| head)).all(|table| has_one(*table)) {
            return;
        }
        match head {
            _ if !shown.is_empty() => {
                let label = &self.index.profile(of).label;
                let named = frame.outputs.iter().any(|at| match self.target(*at) {
                    Some(Target::Column(column)) => label.contains(column),
                    Some(Target::Label(table)) => *table == of,
                    _ => false,
                });
                self.frame.beside = (!named).then_some(of);
            }
            Some(head) => {
                self.frame.output_tables.push(head);
                self.frame.beside = Some(of);
            }
            None => return,
        }
        self.frame.head = Some((of, at));
        self.frame.groups.clear();
    }
}
