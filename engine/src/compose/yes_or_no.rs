//! "Is Chai discontinued?": a question about one row is answered by what the row has, whatever it is.

use super::context::Composer;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};
use crate::reading::{Condition, Frame};

impl Composer<'_> {
    /// Shows the flag or date that a question asks of one row that is named, instead of requiring it.
    pub(super) fn show_what_is_asked_of_row(&self, frame: &mut Frame) {
        let asked = self.mentions.first().is_some_and(|first| {
            let phrase = first.phrase.to_lowercase();
            let verb = ["is", "was", "has", "had"].contains(&phrase.as_str());
            verb && first.lexical.iter().all(|kind| *kind != Lexical::List)
        });
        let plain = frame.measures.is_empty()
            && frame.outputs.is_empty()
            && frame.output_tables.is_empty()
            && frame.groups.is_empty()
            && frame.times.is_empty()
            && frame.vague.is_empty()
            && frame.related.is_empty()
            && frame.superlative.is_none();
        let [one, other] = frame.conditions.as_slice() else { return };
        if !asked || !plain {
            return;
        }
        let (named, said) = match (self.names_one_row(one), self.names_one_row(other)) {
            (true, false) => (0, 1),
            (false, true) => (1, 0),
            _ => return,
        };
        let Condition::Set { at: shown, .. } = frame.conditions[said] else { return };
        let table = |at: usize| {
            self.target(at).and_then(|target| match target {
                Target::Column(column) | Target::Value(column, _) => Some(column.table),
                _ => None,
            })
        };
        let row = match &frame.conditions[named] {
            Condition::Key { table, .. } => Some(*table),
            condition => table(condition.at()),
        };
        if row.is_some()
            && row == table(shown)
            && frame.head.is_none_or(|(head, _)| Some(head) == row)
        {
            frame.conditions.remove(said);
            frame.head = row.map(|row| (row, frame.conditions[0].at()));
            frame.outputs.push(shown);
        }
    }

    /// Whether conditions tell a row of a table by its whole name: "Mia Becker's salary".
    ///
    /// Without a key of one column, a thing may have several rows, such as a river in each state that it crosses.
    pub(super) fn names_row_of(&self, frame: &Frame, table: TableId) -> bool {
        let label = &self.schema.profile(table).label;
        let unique = label.iter().any(|column| self.catalog.column_at(*column).unique);
        if !unique && self.catalog.table_at(table).primary_key.len() != 1 {
            return false;
        }
        let said = |column: &ColumnId| {
            frame.conditions.iter().any(|condition| match condition {
                Condition::Values { at, negated: false, .. } => matches!(at.as_slice(), [at]
                    if matches!(self.target(*at), Some(Target::Value(own, _)) if own == *column)),
                _ => false,
            })
        };
        !label.is_empty() && label.iter().all(said)
    }

    /// Whether a condition tells a row by its name or key.
    fn names_one_row(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Key { .. } => true,
            Condition::Values { at, negated: false, .. } => match at.as_slice() {
                [at] => matches!(self.target(*at), Some(Target::Value(column, _))
                    if self.schema.profile(column.table).label.as_slice() == [column]),
                _ => false,
            },
            _ => false,
        }
    }
}
