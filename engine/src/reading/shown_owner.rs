//! Rows that each of the listed rows belongs to, named to be shown: "orders with customer, employee and shipper".
//!
//! Valid: such rows in the singular and without an article, at the end of a question; and in a list of what is shown, as
//! in "first name, department and city of each employee". "Orders with a customer" is a condition.

use super::parse::Parser;
use super::part::Part;
use crate::linking::{Edge, Lexical, TableId, Target};

impl Parser<'_> {
    /// "orders over 500 with their customer": the row that each of the rows has anyway is named at the end to be shown.
    pub(super) fn ends_with_owner(&self, at: usize, table: TableId) -> bool {
        let joined = at.checked_sub(1).is_some_and(|before| {
            let before = &self.mentions[before];
            let phrase = before.phrase.to_lowercase();
            let some =
                phrase.split(' ').next_back().is_some_and(|word| ["a", "an"].contains(&word));
            !some
                && (before.is(Lexical::With)
                    || before.is(Lexical::And)
                    || before.is(Lexical::Filler))
        });
        let ends = (at + 1..self.mentions.len()).all(|behind| {
            let also = self.mentions[behind].is(Lexical::And)
                || match self.target(behind) {
                    Some(&Target::Table(other)) => self.is_owner(behind, other),
                    Some(Target::Column(_)) => self.part(behind) == Part::Schema,
                    _ => false,
                };
            also || self.adds_nothing(behind)
        });
        ends && joined && self.is_owner(at, table)
    }

    /// Whether a table stands behind a comma or "and" in a list of such rows.
    pub(super) fn continues_owners(&self, at: usize, table: TableId) -> bool {
        let Some((_, last)) = self.frame.output_tables.last() else { return false };
        let between = &self.mentions[last + 1..at];
        let gap = self.mentions[*last].tokens.end < self.mentions[at].tokens.start;
        gap && between.iter().all(|word| word.is(Lexical::And)) && self.is_owner(at, table)
    }

    /// Whether a mention is a singular noun for a table that the rows asked for have exactly one foreign key to.
    fn is_owner(&self, at: usize, table: TableId) -> bool {
        let one = |edge: &&Edge| edge.to == table && edge.forward && edge.to_one;
        let owns = |head: TableId| self.index.edges(head).iter().filter(one).count() == 1;
        let singular = !self.mentions[at].phrase.to_lowercase().ends_with('s');
        singular && self.frame.head.is_some_and(|(head, _)| owns(head))
    }

    /// "first name, department and city of each employee": a table between columns that are shown, where the rows asked for
    /// are named at the end.
    pub(super) fn is_listed_output(&self, at: usize, table: TableId) -> bool {
        let tables = self.frame.output_tables.iter().map(|(_, at)| *at);
        let before = self.frame.outputs.iter().copied().chain(tables).filter(|last| *last < at);
        let Some(last) = before.max() else { return false };
        let joins = |one: usize, other: usize| {
            self.mentions[one].tokens.end < self.mentions[other].tokens.start
                && self.mentions[one + 1..other].iter().all(|word| word.is(Lexical::And))
        };
        let next = (at + 1..self.mentions.len()).find(|next| self.part(*next) == Part::Schema);
        let more = next.is_some_and(|next| {
            joins(at, next)
                && matches!(self.target(next), Some(Target::Column(_) | Target::Table(_)))
        });
        let ended = self.mentions.get(at + 1).is_some_and(|next| {
            next.is(Lexical::Of) || next.is(Lexical::Group) || next.is(Lexical::Everything)
        });
        let listed = joins(last, at) && (more || ended);
        let owner = (at + 1..self.mentions.len()).find(|rows| match self.target(*rows) {
            Some(Target::Table(rows)) => {
                self.index.distance(*rows, table).is_some_and(|(joins, many)| joins > 0 && !many)
            }
            _ => false,
        });
        let introduced = owner.is_some_and(|rows| {
            let before = &self.mentions[rows - 1];
            [Lexical::Of, Lexical::Group, Lexical::Everything].iter().any(|kind| before.is(*kind))
        });
        listed && introduced
    }
}
