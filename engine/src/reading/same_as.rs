//! "In the same city as Ada": rows that share a value with the one that is named.
//!
//! Valid: "employees in the same department as Ada Lovelace", "products of the same category as Chai". Not read: "the same as
//! last year", and rows of another table.

use super::frame::Condition;
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::linking::{ColumnId, Lexical, TableId, Target};

impl Parser<'_> {
    /// Reads what is the same, with the row it is the same as; gives back where to go on.
    pub(super) fn same_as(&mut self, at: usize) -> Option<usize> {
        if !says_same(&self.mentions[at].phrase) {
            return None;
        }
        let thing = at + 1;
        let (head, _) = self.frame.head?;
        let columns = self.shared_columns(head, thing)?;
        let mut next = thing + 1;
        let mut compares = false;
        while self.part(next) == Part::Lexical && next < self.mentions.len() {
            let mention = &self.mentions[next];
            compares |= mention.phrase.to_lowercase().split(' ').any(|word| word == "as");
            if !compares && !mention.is(Lexical::Filler) {
                return None;
            }
            next += 1;
        }
        let valued = |at: usize| {
            self.part(at) == Part::Schema
                && self.mentions.get(at).is_some_and(|mention| {
                    mention.readings.iter().any(|reading| {
                        matches!(reading.target, Target::Value(column, _) if column.table == head)
                    })
                })
        };
        let values: Vec<usize> = (next..self.mentions.len()).take_while(|at| valued(*at)).collect();
        let last = values.last().copied().filter(|_| compares)?;
        // "who do not have the same manager"
        let missing = self.missing.take().is_some();
        let negated = self.negated.take().is_some() || missing;
        self.clause = Clause::Main;
        self.frame.conditions.push(Condition::Same {
            table: head,
            columns,
            at: thing,
            values,
            negated,
        });
        (self.subject, self.last_value) = (None, None);
        Some(last + 1)
    }

    /// Columns of rows that are equal where the thing at a mention is the same: the column, or the key to its table.
    pub(super) fn shared_columns(&self, head: TableId, at: usize) -> Option<Vec<ColumnId>> {
        if self.part(at) != Part::Schema {
            return None;
        }
        match self.target(at)? {
            Target::Column(column) if column.table == head => Some(vec![*column]),
            Target::Table(table) if *table != head => {
                let mut keys = self
                    .index
                    .edges(head)
                    .iter()
                    .filter(|edge| edge.forward && edge.to_one && edge.to == *table);
                let key = keys.next().filter(|_| keys.next().is_none())?;
                let column = |column: &u16| ColumnId { table: head, column: *column };
                Some(key.from_columns.iter().map(column).collect())
            }
            _ => None,
        }
    }
}

/// Whether words end in "same".
pub(crate) fn says_same(phrase: &str) -> bool {
    phrase.to_lowercase().split(' ').next_back() == Some("same")
}
