//! Rows that a linking table pairs with rows of the same table: "states that border Texas", "friends of Alice".
//!
//! The word has to be that of one of the two keys, which says whose rows are asked about: `border_info(state_name,
//! border)`, `friend(person_id, friend_id)`.

use super::frame::{Condition, Pair};
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::linking::{ColumnId, Edge, Lexical, TableId, Target};
use crate::text::stem;

impl Parser<'_> {
    /// Reads the word for a pair of rows with the values that name the other row; gives back where to go on.
    pub(super) fn paired_with(&mut self, at: usize) -> Option<usize> {
        let pair = self.pair_of(at)?;
        let joins = [Lexical::Filler, Lexical::Not, Lexical::Where];
        let noun = (0..at).rev().find(|before| {
            self.part(*before) != Part::Lexical
                || !joins.iter().any(|kind| self.mentions[*before].is(*kind))
        });
        let verb = self.frame.head.is_some_and(|(head, _)| head == pair.rows)
            || noun.is_some_and(|noun| self.is_table(noun, pair.rows));
        let of = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Of));
        let free = self.frame.head.is_none() && self.frame.outputs.is_empty();
        if !(verb || of && free) {
            return None;
        }
        let skipped = [Lexical::Filler, Lexical::Of, Lexical::With, Lexical::In];
        let mut next = self.behind(at + 1, &skipped);
        let named = self.is_table(next, pair.rows);
        next += usize::from(named);
        let values: Vec<usize> =
            (next..self.mentions.len()).take_while(|at| self.is_value_in(*at, pair.rows)).collect();
        let last = values.last().copied()?;
        let behind = last + 1;
        let listed = self.mentions.get(behind).is_some_and(|next| {
            (next.is(Lexical::Or) || next.is(Lexical::And))
                && self.is_value_in(behind + 1, pair.rows)
        });
        if listed {
            self.block(behind, "several other rows of a pair take two steps");
        }
        let missing = self.missing.take().is_some();
        let negated = self.negated.take().is_some() || missing;
        let pair = if self.has_the_other(at) {
            Pair { rows: pair.rows, of: pair.by, by: pair.of }
        } else {
            pair
        };
        self.head_if_none(pair.rows, at);
        self.frame.operation = true;
        self.frame.conditions.push(Condition::Paired { pair, at, values, negated });
        self.clause = Clause::Main;
        (self.subject, self.last_value, self.conjunction) = (None, None, None);
        Some(behind + usize::from(!named && self.is_table(behind, pair.rows)))
    }

    fn is_table(&self, at: usize, rows: TableId) -> bool {
        self.part(at) == Part::Schema
            && matches!(self.target(at), Some(Target::Table(table)) if *table == rows)
    }

    /// "Who have friends in Austin", "who are friends with Bob": the word says what the named rows are to those asked about.
    fn has_the_other(&self, at: usize) -> bool {
        let before = (0..at).rev().find(|before| !self.mentions[*before].is(Lexical::Filler));
        let is = |kind: Lexical| before.is_some_and(|before| self.mentions[before].is(kind));
        let with = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::With));
        with || is(Lexical::With) || is(Lexical::Without)
    }

    /// Keys of the linking table whose word stands at a mention, the one that the word names first.
    fn pair_of(&self, at: usize) -> Option<Pair> {
        let mention = &self.mentions[at];
        let word = stem(&mention.phrase.to_lowercase());
        let tables = mention.readings.iter().filter_map(|reading| reading.target.table());
        tables.filter_map(|table| self.pair_in(table)).find_map(|(rows, keys)| {
            let named = |key: &ColumnId| self.index.stems_of(*key).contains(&word);
            let [one, other] = keys;
            let (of, by) = match (named(&one), named(&other)) {
                (true, false) => (one, other),
                (false, true) => (other, one),
                _ => return None,
            };
            Some(Pair { rows, of, by })
        })
    }

    /// The table that both keys of a linking table refer to, with the keys.
    fn pair_in(&self, table: TableId) -> Option<(TableId, [ColumnId; 2])> {
        let keys = |edge: &&Edge| edge.forward && edge.to_one && edge.to != table;
        let mut edges = self.index.edges(table).iter().filter(keys);
        let (one, other) = (edges.next()?, edges.next()?);
        let [first] = one.from_columns.as_slice() else { return None };
        let [second] = other.from_columns.as_slice() else { return None };
        let column = |column: u16| ColumnId { table, column };
        let alike = one.to == other.to && one.to_columns == other.to_columns && first != second;
        (alike && edges.next().is_none()).then(|| (one.to, [column(*first), column(*second)]))
    }
}
