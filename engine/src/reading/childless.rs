//! Rows that none of another table belong to: "empty playlists", "warehouses that are empty", "unused dressings".
//!
//! Invalid, so that it is asked: rows of several tables that could be meant.

use super::frame::{Related, TableUse};
use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, TableId, Target};

impl Parser<'_> {
    /// Takes a word that says that no rows belong to those of a table, where only one table has such rows.
    pub(super) fn says_childless(&mut self, at: usize) -> bool {
        let phrase = self.mentions[at].phrase.to_lowercase();
        if !phrase.split(' ').next_back().is_some_and(|word| self.lexicon.is_childless(word)) {
            return false;
        }
        let behind = match self.target(at + 1) {
            Some(Target::Table(table)) if self.part(at + 1) == Part::Schema => Some(*table),
            _ => None,
        };
        // "are empty", "that are not empty"
        let is = phrase.contains(' ')
            || at.checked_sub(1).is_some_and(|before| {
                [Lexical::Is, Lexical::Not].iter().any(|kind| self.mentions[before].is(*kind))
            });
        let head = self.frame.head.map(|(head, _)| head).filter(|_| is);
        let Some(child) = behind.or(head).and_then(|table| self.only_child(table)) else {
            return false;
        };
        let negated = self.negated.take().is_some();
        let how = if negated { TableUse::With } else { TableUse::Without };
        self.frame.related.push(Related { table: child, at, how });
        true
    }

    /// The only table whose rows belong to those of a table.
    fn only_child(&self, table: TableId) -> Option<TableId> {
        let edges = self.index.edges(table).iter();
        let mut children: Vec<TableId> = edges
            .filter(|edge| !edge.to_one && edge.to != table && !self.index.profile(edge.to).is_view)
            .map(|edge| edge.to)
            .collect();
        children.dedup();
        match children.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }
}
