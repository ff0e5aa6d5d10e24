//! The row of the same table that a row refers to, shown beside it.
//!
//! Valid: "employees and their managers", "employees with the name of their manager", "each employee and who they
//! report to"; and that there is none: "employees without a manager". Not so where a value says which row is meant, as in "employees whose manager is Ada".

use wherefore_english::singular;

use super::frame::Condition;
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::linking::{ColumnId, Lexical, TableId, Target};

/// Words that say whose the row is.
const OWNERS: [&str; 8] = ["their", "his", "her", "its", "they", "he", "she", "each"];

impl Parser<'_> {
    /// Shows the row that a key leads to beside the rows asked about.
    pub(super) fn beside_parent(&mut self, at: usize, key: ColumnId) -> bool {
        if !self.is_owned(at) || !self.shows_rows(key.table) {
            return false;
        }
        if !self.frame.parents.iter().any(|(known, _)| *known == key) {
            self.frame.parents.push((key, at));
        }
        (self.subject, self.last_value, self.conjunction) = (None, None, None);
        true
    }

    /// The same for a word that names the row: "manager", "boss".
    pub(super) fn beside_named_parent(&mut self, at: usize) -> bool {
        let said = singular(&self.mentions[at].phrase.to_lowercase());
        let Some(listed) = self.listed_rows() else { return false };
        let Some(key) = self.superior_key(listed, &said) else { return false };
        let none = self.clause == Clause::Without && self.missing.is_some();
        if none || self.is_had(at) {
            self.missing = None;
            self.clause = Clause::Main;
            let (values, negated, of_child) = (Vec::new(), none, false);
            self.frame.conditions.push(Condition::Parent { key, at, values, negated, of_child });
            return true;
        }
        self.beside_parent(at, key)
    }

    /// Whether the words before say that there is one: "employees who have a manager".
    fn is_had(&self, at: usize) -> bool {
        let with = |at: Option<usize>| {
            at.is_some_and(|at| {
                self.part(at) == Part::Lexical && self.mentions[at].is(Lexical::With)
            })
        };
        let Some(before) = at.checked_sub(1) else { return false };
        let phrase = self.mentions[before].phrase.to_lowercase();
        let article = phrase.split(' ').next_back().is_some_and(|word| ["a", "an"].contains(&word));
        article && (with(Some(before)) || with(before.checked_sub(1)))
    }

    /// Table of the rows asked about, or of the only values that say which.
    fn listed_rows(&self) -> Option<TableId> {
        let valued = || match self.frame.conditions.as_slice() {
            [Condition::Values { at, .. }] => {
                at.first().and_then(|at| self.target(*at)).and_then(Target::table)
            }
            _ => None,
        };
        self.frame.head.map(|(head, _)| head).or_else(valued)
    }

    /// The same for a verb: "who they report to".
    pub(super) fn beside_superior(&mut self, at: usize) -> bool {
        let Some(listed) = self.listed_rows() else { return false };
        self.only_superior_key(listed).is_some_and(|key| self.beside_parent(at, key))
    }

    /// Whether the words before say that the row is one of those asked about.
    fn is_owned(&self, at: usize) -> bool {
        let before = (0..at).rev().take(2);
        before.take_while(|before| *before + 2 >= at).any(|before| {
            let mention = &self.mentions[before];
            let phrase = mention.phrase.to_lowercase();
            !mention.lexical.is_empty()
                && phrase.split(' ').next_back().is_some_and(|word| OWNERS.contains(&word))
        })
    }

    /// Whether rows of a table are listed, and nothing is computed of them.
    fn shows_rows(&self, table: TableId) -> bool {
        let computed = self.count.is_some()
            || !self.aggregates.is_empty()
            || !self.frame.measures.is_empty()
            || self.grouping
            || self.ordering
            || self.frame.share.is_some()
            || self.negated.is_some()
            || self.missing.is_some();
        let compared = |at: usize| {
            [Lexical::MoreThan, Lexical::LessThan, Lexical::Compare]
                .iter()
                .any(|kind| self.mentions[at].is(*kind))
        };
        self.listed_rows() == Some(table) && !computed && !(0..self.mentions.len()).any(compared)
    }
}
