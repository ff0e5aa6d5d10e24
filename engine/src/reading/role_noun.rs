//! Words for what rows are to others, by the name of a key: "managers" are the employees that `manager_id` refers to.
//!
//! Valid: "how many managers do we have", "sales reps hired in 2025". Not so where the rows with the key are named as well,
//! as in "managers of warehouses", and not where they make groups, as in "employees per manager".

use wherefore_english::singular;

use super::frame::{Condition, CountTarget, Group, MeasureTarget, Related, TableUse};
use super::parse::Parser;
use super::part::Part;
use crate::confidence::Method;
use crate::linking::{ColumnId, Named, TableId, Target, words_of_identifier};
use crate::text::stem;

impl Parser<'_> {
    /// Restricts rows that are only called like a key to those that the key refers to.
    pub(super) fn restrict_to_role(&mut self) {
        self.show_rows_of_key();
        let Some((at, table, word)) = self.role_noun() else { return };
        let keys = self.keys_called(&word, table);
        let known = |condition: &Condition| matches!(condition, Condition::Parent { .. });
        if keys.is_empty()
            || self.frame.conditions.iter().any(known)
            || keys.iter().any(|key| key.table != table && self.is_named(key.table, at))
        {
            return;
        }
        let own = keys.iter().find(|key| key.table == table);
        match (own, keys.as_slice()) {
            (Some(key), _) => {
                let (values, negated, of_child) = (Vec::new(), false, true);
                let key = *key;
                self.frame.conditions.push(Condition::Parent {
                    key,
                    at,
                    values,
                    negated,
                    of_child,
                });
            }
            (None, [only]) => self.with_rows(only.table, at),
            (None, _) => self.frame.unread.push(at),
        }
    }

    /// "Sales reps hired in 2025": the rows that a key refers to, where the key alone would be shown.
    fn show_rows_of_key(&mut self) {
        let Some(at) = self.frame.outputs.first().copied() else { return };
        let Some(&Target::Column(key)) = self.target(at) else { return };
        let same = |other: &usize| self.target(*other) == Some(&Target::Column(key));
        if !self.frame.outputs.iter().all(same) {
            return;
        }
        let Some(table) = self.referred(key).filter(|table| *table != key.table) else { return };
        let said = self.mentions[at].phrase.to_lowercase();
        let several = said.ends_with('s') && !said.split(' ').any(|word| word.starts_with("id"));
        let free = self.frame.head.is_none_or(|(head, _)| head == table)
            && self.frame.measures.is_empty()
            && self.frame.groups.is_empty()
            && self.frame.superlative.is_none();
        if several && free && !self.is_named(key.table, at) {
            self.frame.outputs.clear();
            self.frame.head = Some((table, at));
            self.with_rows(key.table, at);
        }
    }

    fn with_rows(&mut self, table: TableId, at: usize) {
        if !self.frame.related.iter().any(|related| related.table == table) {
            self.frame.related.push(Related { table, at, how: TableUse::With });
        }
    }

    /// The mention of the rows that are listed, counted or measured, where only a key is called so, and that word in the
    /// singular.
    fn role_noun(&self) -> Option<(usize, TableId, String)> {
        let counted = self.frame.measures.iter().find_map(|measure| match measure.target {
            MeasureTarget::Count(CountTarget::Rows(table)) => Some(table),
            _ => None,
        });
        let measured = self.frame.measures.iter().find_map(|measure| match measure.target {
            MeasureTarget::Aggregate(_) => self.target(measure.at)?.table(),
            _ => None,
        });
        let table = self.frame.head.map(|(table, _)| table).or(counted).or(measured)?;
        let stems = &self.index.profile(table).stems;
        let mut rows = (0..self.mentions.len()).filter_map(|at| {
            let first = self.mentions[at].readings.first()?;
            let said = self.mentions[at].phrase.to_lowercase();
            let mut words = said.split(' ');
            let word = words.next()?;
            // "Managers hired" may be one mention, of the hire date of employees.
            let dated = matches!(first.target, Target::Column(column) if column.table == table)
                && words.next().is_some()
                && word.ends_with('s');
            let role = first.target == Target::Table(table) && first.method == Method::Head;
            let called = said.split(' ').any(|word| stems.contains(&stem(word)));
            let word = if dated { word } else { said.split(' ').next_back()? };
            (self.part(at) == Part::Schema && (dated || first.target == Target::Table(table)))
                .then(|| (at, singular(word), (dated || role) && !called))
        });
        let (at, word, role) = rows.next()?;
        let only = rows.next().is_none() && !self.frame.parents.iter().any(|(_, of)| *of == at);
        let grouped = self.frame.groups.iter().any(|group| match group {
            Group::Thing(of) | Group::Table(_, of) | Group::Period { at: of, .. } => *of == at,
        });
        (only && role && !grouped).then_some((at, table, word))
    }

    /// Keys to a table whose names end with a word in the singular.
    fn keys_called(&self, said: &str, table: TableId) -> Vec<ColumnId> {
        let called = |column: &ColumnId| {
            let mut words = words_of_identifier(&self.catalog.column_at(*column).name);
            words.pop_if(|word| word == "id");
            words.last().is_some_and(|last| last == said)
        };
        let columns = self.index.ids().flat_map(|of| {
            let columns = 0..self.catalog.table_at(of).columns.len() as u16;
            columns.map(move |column| ColumnId { table: of, column })
        });
        columns.filter(|column| self.referred(*column) == Some(table) && called(column)).collect()
    }

    /// Table of the rows that a column with a foreign key of its own refers to.
    pub(super) fn referred(&self, column: ColumnId) -> Option<TableId> {
        let mut edges = self.index.edges(column.table).iter();
        let edge = edges.find(|edge| edge.forward && edge.from_columns == [column.column])?;
        Some(edge.to)
    }

    /// Whether another mention is about a table.
    pub(super) fn is_named(&self, table: TableId, but: usize) -> bool {
        (0..self.mentions.len()).any(|other| {
            let again = self.target(other) == self.target(but);
            !again
                && self.part(other) == Part::Schema
                && self.target(other).and_then(Target::table) == Some(table)
        })
    }
}
