//! Rows that refer to a row of their own table.
//!
//! Valid: "who reports to Ada Lovelace", "employees whose manager is Ada", and the other way round "Ada's manager", "the
//! manager of Ada", "who does Ada report to".

use wherefore_english::singular;

use super::frame::Condition;
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target, words_of_identifier};

impl Parser<'_> {
    /// Takes the stored values beside the key at `at` as those of the row that it refers to, or of the rows that refer to
    /// the one asked about.
    pub(super) fn of_parent(&mut self, at: usize, key: ColumnId) -> bool {
        if self.frame.head.is_some_and(|(head, _)| head != key.table) {
            return false;
        }
        let (values, of_child) = match self.values_behind(at, key.table) {
            Some(found) => found,
            None => match self.values_before(at, key.table) {
                Some(values) => (values, true),
                None => return false,
            },
        };
        self.head_if_none(key.table, at);
        self.taken.extend(values.iter().copied());
        self.frame.conditions.retain(|condition| {
            !matches!(condition, Condition::Values { at, .. } if at.iter().any(|at| values.contains(at)))
        });
        let negated = self.negated.take().is_some();
        self.frame.conditions.push(Condition::Parent { key, at, values, negated, of_child });
        (self.subject, self.last_value) = (None, None);
        true
    }

    /// Takes a word for the row that a row refers to: the name of the key without "id", or a word for a superior where
    /// people refer to people.
    pub(super) fn of_named_parent(&mut self, at: usize) -> bool {
        let said = singular(&self.mentions[at].phrase.to_lowercase());
        let beside = [at + 1, at + 2, at.wrapping_sub(1)];
        let key = match self.frame.head {
            Some((head, _)) => self.superior_key(head, &said),
            None => {
                self.tables_of_values(&beside).find_map(|table| self.superior_key(table, &said))
            }
        };
        key.is_some_and(|key| self.of_parent(at, key))
    }

    /// Key to another row of the same table: by its name without "id", or by a word for a superior where people refer to
    /// people.
    pub(super) fn superior_key(&self, table: TableId, said: &str) -> Option<ColumnId> {
        let keys = self.own_keys(table);
        let named = |key: &&ColumnId| {
            let mut words = words_of_identifier(&self.catalog.column_at(**key).name);
            words.pop_if(|word| word == "id");
            words.join(" ") == said
        };
        let people = self.index.profile(table).label.len() > 1;
        keys.iter().find(named).copied().or_else(|| match keys.as_slice() {
            [only] if people && self.lexicon.is_superior(said) => Some(*only),
            _ => None,
        })
    }

    /// Takes a verb such as "report to" as the key of people that refers to people.
    pub(super) fn of_superior(&mut self, at: usize) -> bool {
        let key = match self.frame.head {
            Some((head, _)) => self.only_superior_key(head),
            None => self
                .tables_of_values(&[at + 1, at.wrapping_sub(1)])
                .find_map(|table| self.only_superior_key(table)),
        };
        key.is_some_and(|key| self.of_parent(at, key))
    }

    /// "without subordinates": whether other people refer to those asked about.
    pub(super) fn has_subordinates(&mut self, at: usize) -> bool {
        let word = self.mentions[at].phrase.to_lowercase();
        let denied = self.missing.is_some() || self.negated.is_some();
        // "With more than 3 subordinates" compares their number.
        let counted = at.checked_sub(1).is_some_and(|before| self.part(before) == Part::Number);
        let said = !counted && (denied || self.clause == Clause::With);
        let key = self.frame.head.and_then(|(head, _)| self.only_superior_key(head));
        let Some(key) = key.filter(|_| said && self.lexicon.is_subordinate(&word)) else {
            return false;
        };
        (self.missing, self.negated) = (None, None);
        let (values, negated, of_child) = (Vec::new(), denied, true);
        self.frame.conditions.push(Condition::Parent { key, at, values, negated, of_child });
        true
    }

    /// The only key of a table of people that refers to people.
    pub(super) fn only_superior_key(&self, table: TableId) -> Option<ColumnId> {
        match self.own_keys(table).as_slice() {
            [only] if self.index.profile(table).label.len() > 1 => Some(*only),
            _ => None,
        }
    }

    /// Tables that have the first stored value among some mentions, the likeliest first.
    pub(super) fn tables_of_values<'b>(
        &'b self,
        places: &[usize],
    ) -> impl Iterator<Item = TableId> + use<'b> {
        let value = |at: &usize| matches!(self.target(*at), Some(Target::Value(..)));
        let readings = places
            .iter()
            .find(|at| value(at))
            .map_or(&[][..], |at| self.mentions[*at].readings.as_slice());
        readings.iter().filter_map(|reading| match &reading.target {
            Target::Value(column, _) => Some(column.table),
            _ => None,
        })
    }

    fn own_keys(&self, table: TableId) -> Vec<ColumnId> {
        let columns = 0..self.catalog.table_at(table).columns.len() as u16;
        columns
            .map(|column| ColumnId { table, column })
            .filter(|column| self.refers_to_own_table(*column))
            .collect()
    }

    /// Values behind a key: of the row that it refers to, or behind "of", of the one that refers.
    fn values_behind(&self, at: usize, table: TableId) -> Option<(Vec<usize>, bool)> {
        let passed = |next: &usize| {
            let kinds = [Lexical::Is, Lexical::Filler, Lexical::EqualTo, Lexical::Of];
            self.part(*next) == Part::Lexical
                && kinds.iter().any(|kind| self.mentions[*next].is(*kind))
        };
        let first = (at + 1..self.mentions.len()).find(|next| !passed(next))?;
        let of = (at + 1..first).any(|between| self.mentions[between].is(Lexical::Of));
        let values: Vec<usize> = (first..self.mentions.len())
            .take_while(|next| self.is_value_in(*next, table))
            .collect();
        (!values.is_empty()).then_some((values, of))
    }

    /// Values before a key that say whose it is: "Ada's manager", "who does Ada report to".
    fn values_before(&self, at: usize, table: TableId) -> Option<Vec<usize>> {
        let mut values: Vec<usize> =
            (0..at).rev().take_while(|before| self.is_value_in(*before, table)).collect();
        values.reverse();
        let (first, last) = (*values.first()?, *values.last()?);
        let phrase = &self.mentions[last].phrase;
        let owned = phrase.ends_with("'s") || phrase.ends_with("’s") || phrase.ends_with("s'");
        let helped = self.mentions[..first]
            .iter()
            .any(|mention| self.lexicon.is_auxiliary(&mention.phrase.to_lowercase()));
        (owned || helped).then_some(values)
    }

    /// Whether a mention is a stored value of a table.
    pub(super) fn is_value_in(&self, at: usize, table: TableId) -> bool {
        self.part(at) == Part::Schema
            && matches!(self.target(at), Some(Target::Value(..)))
            && self.mentions[at].readings.iter().any(|reading| {
                matches!(&reading.target, Target::Value(column, _) if column.table == table)
            })
    }
}
