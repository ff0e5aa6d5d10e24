//! What each row has one of, listed row by row.
//!
//! Valid: "price of each product", "category of each product", "the phone number of every supplier". Not so where rows
//! have several ("orders of each customer") or where something is computed ("average price of each category").

use super::frame::Group;
use super::parse::Parser;
use super::part::Part;
use crate::linking::{TableId, Target};

impl Parser<'_> {
    /// Lists the rows that things are asked for each of, with these things beside their names, instead of grouping.
    pub(super) fn list_for_each(&mut self) {
        let frame = &self.frame;
        let computed = !frame.measures.is_empty()
            || frame.superlative.is_some()
            || frame.share.is_some()
            || frame.trend.is_some()
            || frame.growth.is_some()
            || frame.average.is_some()
            || frame.coordination.is_some()
            || frame.distinct
            || self.count.is_some();
        if computed || !frame.related.is_empty() {
            return;
        }
        if let Some((of, things)) = self.owned_by_each() {
            self.frame.head = Some((of, things[0]));
            self.frame.outputs = things;
            self.frame.groups.clear();
            return;
        }
        let [Group::Table(of, at)] = *self.frame.groups.as_slice() else { return };
        if self.quantifier_of(at).is_none() {
            return;
        }
        let frame = &self.frame;
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

    /// "each student's first name": the columns that stand behind the rows that have them, with the table of these rows.
    fn owned_by_each(&self) -> Option<(TableId, Vec<usize>)> {
        let things: Option<Vec<usize>> = self
            .frame
            .groups
            .iter()
            .map(|group| match group {
                Group::Thing(at) => Some(*at),
                Group::Table(..) | Group::Period { .. } => None,
            })
            .collect();
        let things = things?;
        let first = *things.first()?;
        let phrase = self.mentions[first].phrase.replace('’', "'");
        let of = self.target(first).and_then(Target::table)?;
        let own = |at: &usize| match self.target(*at) {
            Some(Target::Column(column)) => column.table == of,
            Some(Target::Label(table)) => *table == of,
            _ => false,
        };
        let owned = phrase.contains("'s ") || phrase.contains("s' ");
        let alone = (0..first).all(|before| self.part(before) == Part::Lexical);
        let listed = owned
            && alone
            && self.quantifier_of(first).is_some()
            && self.frame.outputs.is_empty()
            && self.frame.head.is_none_or(|(head, _)| head == of)
            && things.iter().all(own);
        listed.then_some((of, things))
    }
}
