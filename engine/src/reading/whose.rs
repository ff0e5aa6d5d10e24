//! "Whose wounds are infected": the names of those whose rows are asked about.

use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, TableId, Target, holds_persons};

impl Parser<'_> {
    /// Shows the person that the rows behind "whose" refer to, and refuses where it is open who that is.
    pub(super) fn show_whose(&mut self) {
        let asks = self.mentions.first().is_some_and(|first| {
            first.phrase.eq_ignore_ascii_case("whose") && first.readings.is_empty()
        });
        let noun = (1..self.mentions.len()).find(|at| !self.mentions[*at].is(Lexical::Filler));
        let rows = match noun.filter(|at| asks && self.part(*at) == Part::Schema) {
            Some(at) => match self.target(at) {
                Some(Target::Table(table)) => *table,
                _ => return,
            },
            None => return,
        };
        if self.frame.head.is_none_or(|(head, _)| head != rows) || !self.frame.measures.is_empty() {
            return;
        }
        let mut owners: Vec<TableId> = self
            .index
            .edges(rows)
            .iter()
            .filter(|edge| edge.forward && edge.to_one && edge.to != rows)
            .map(|edge| edge.to)
            .filter(|to| holds_persons(self.index, *to) || self.may_act(*to))
            .collect();
        owners.sort_unstable();
        owners.dedup();
        match owners.as_slice() {
            [owner] => {
                let shown = self.frame.output_tables.iter().any(|(table, _)| table == owner);
                if !shown {
                    self.frame.output_tables.insert(0, (*owner, 0));
                }
            }
            _ => self.block(0, "it is not clear whose name is asked for"),
        }
    }

    /// Whether a table is called like persons or companies that do something: "customers".
    fn may_act(&self, table: TableId) -> bool {
        let name = self.index.profile(table).stems.last();
        name.is_some_and(|name| self.lexicon.is_agent(name))
    }
}
