//! Rows that share a value with some row of another table: "customers in the same city as an employee".
//!
//! Valid: "customers who live in the same city as one of our employees", "customers in a city where we also have a
//! supplier". Not read: keys, names, and columns that only one of the two tables has.

use super::frame::Condition;
use super::parse::{Clause, Parser};
use super::part::Part;
use super::same_as::says_same;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

impl Parser<'_> {
    /// Reads "the same city as an employee"; gives back where to go on.
    pub(super) fn same_as_rows(&mut self, at: usize) -> Option<usize> {
        let (head, _) = self.frame.head.filter(|_| says_same(&self.mentions[at].phrase))?;
        let thing = at + 1;
        let says_as =
            |at: usize| self.mentions[at].phrase.to_lowercase().split(' ').any(|word| word == "as");
        let passed = |at: &usize| {
            let mention = &self.mentions[*at];
            let one = mention.number.as_ref().is_some_and(|number| number.value == "1");
            let kinds = [Lexical::Filler, Lexical::Of, Lexical::Generic];
            let any = mention.phrase.to_lowercase().split(' ').any(|word| word == "any");
            one || self.part(*at) == Part::Lexical
                && (any || says_as(*at) || kinds.iter().any(|kind| mention.is(*kind)))
        };
        let rows = (thing + 1..self.mentions.len()).find(|at| !passed(at))?;
        // "The same city as their customer": the one that a row belongs to, not any.
        let certain = |at: usize| {
            let phrase = self.mentions[at].phrase.to_lowercase();
            phrase.split(' ').any(|word| ["the", "their", "its", "his", "her"].contains(&word))
        };
        let after_as = (thing + 1..rows).skip_while(|at| !says_as(*at));
        let one = after_as.last().is_some_and(certain);
        let other = self.rows_at(rows).filter(|_| !one && (thing + 1..rows).any(says_as))?;
        if self.says_more(rows) {
            self.block(rows, "more is said of the rows that others are compared with");
            return None;
        }
        self.share_value(thing, (head, other), rows).then_some(rows + 1)
    }

    /// Reads the other table of "in a city where we also have a supplier"; whether it is one.
    pub(super) fn shares_place(&mut self, at: usize, other: TableId) -> bool {
        let Some((head, _)) = self.frame.head else { return false };
        let Some(thing) = (0..at).rev().find(|before| self.part(*before) != Part::Lexical) else {
            return false;
        };
        let lead = (0..thing).rev().find(|before| !self.mentions[*before].is(Lexical::Filler));
        let placed = lead.is_some_and(|lead| self.mentions[lead].is(Lexical::In));
        let where_there_are = (thing + 1..at).all(|between| {
            self.part(between) == Part::Lexical && !self.mentions[between].is(Lexical::Not)
        }) && (thing + 1..at).any(|between| {
            let phrase = self.mentions[between].phrase.to_lowercase();
            phrase.split(' ').any(|word| word == "where")
        });
        placed
            && where_there_are
            && !self.says_more(at)
            && self.share_value(thing, (head, other), at)
    }

    /// Adds the condition that rows have the same in the column that a mention names, where both tables have it.
    fn share_value(
        &mut self,
        thing: usize,
        (head, other): (TableId, TableId),
        rows: usize,
    ) -> bool {
        let (Some(column), Some(than)) =
            (self.column_in(thing, head), self.column_in(thing, other))
        else {
            return false;
        };
        let types = |column: ColumnId| self.catalog.column_at(column).data_type;
        let names = [column, than]
            .iter()
            .any(|column| self.index.profile(column.table).label.contains(column));
        let keys = self.is_foreign(column) || self.is_foreign(than);
        if head == other || names || keys || types(column) != types(than) {
            return false;
        }
        let missing = self.missing.take().is_some();
        let negated = self.negated.take().is_some() || missing;
        self.clause = Clause::Main;
        self.frame.outputs.retain(|output| *output != thing);
        self.frame.conditions.push(Condition::Shared { column, than, at: thing, rows, negated });
        (self.subject, self.last_value) = (None, None);
        true
    }

    /// Whether something is said behind the other table, which may hold for its rows.
    fn says_more(&self, rows: usize) -> bool {
        (rows + 1..self.mentions.len()).any(|at| self.part(at) != Part::Lexical)
    }

    /// Column of a table that a mention may name.
    fn column_in(&self, at: usize, table: TableId) -> Option<ColumnId> {
        let mention = self.mentions.get(at).filter(|_| self.part(at) == Part::Schema)?;
        mention.readings.iter().find_map(|reading| match reading.target {
            Target::Column(column) if column.table == table => Some(column),
            _ => None,
        })
    }

    fn rows_at(&self, at: usize) -> Option<TableId> {
        match self.target(at) {
            Some(Target::Table(table)) if self.part(at) == Part::Schema => Some(*table),
            _ => None,
        }
    }
}
