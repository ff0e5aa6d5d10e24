//! Conditions on the date of the last or first of related rows: "customers whose last order was in 2024".

use super::frame::Condition;
use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, TableId, Target};

/// A table with its mention.
type Named = (TableId, usize);

impl Parser<'_> {
    /// Reads "whose last order was in 2024" as a condition on the rows before it, which are asked about.
    ///
    /// Invalid, so that it is refused: "whose last order was over 500", where the order itself is compared.
    pub(super) fn last_of_rows(&mut self) {
        let Some((owner, rows, last)) = self.whose_end() else { return };
        let said = self.frame.conditions.iter().any(|condition| condition.at() > rows.1);
        if said && self.frame.superlative.is_some() {
            self.block(rows.1, "what the last or first of related rows is takes two steps");
            return;
        }
        let [time] = self.frame.times.as_slice() else { return };
        let (head, done) = (owner.0, rows.0);
        let said = (rows.1 + 1..time.at).all(|between| self.part(between) == Part::Lexical)
            && (rows.1 + 1..time.at).any(|between| self.mentions[between].is(Lexical::Is));
        let ends = (time.at + 1..self.mentions.len()).all(|behind| self.adds_nothing(behind));
        let plain = self.frame.measures.is_empty()
            && self.frame.groups.is_empty()
            && self.frame.conditions.is_empty()
            && time.others.is_empty()
            && !time.negated;
        let refers = self.index.distance(done, head) == Some((1, false));
        if !said || !ends || !plain || !refers {
            return;
        }
        let condition = Condition::End {
            table: done,
            last,
            range: time.range.clone(),
            at: time.at,
            rows: rows.1,
        };
        let own = |table: TableId| table == head || table == done;
        self.frame.times.clear();
        self.frame.superlative = None;
        self.frame.beside = None;
        self.frame.outputs.retain(|output| *output < owner.1);
        self.frame.output_tables.retain(|(table, _)| !own(*table));
        self.frame.related.retain(|related| !own(related.table));
        self.frame.head = Some(owner);
        self.frame.conditions.push(condition);
    }

    /// Refuses a condition on the last or first of related rows, which would else be one on all rows before the last is
    /// taken: "patients with a pain score above 7 at the last assessment".
    pub(super) fn block_conditions_at_end(&mut self) {
        let Some(superlative) = self.frame.superlative.as_ref().map(|found| found.at) else {
            return;
        };
        let table = |at: usize| match self.target(at) {
            Some(Target::Table(table)) if self.part(at) == Part::Schema => Some((*table, at)),
            _ => None,
        };
        let within = |at: usize| {
            let phrase = self.mentions[at].phrase.to_lowercase();
            phrase.split(' ').any(|word| ["at", "during", "in", "on"].contains(&word))
        };
        let led = (superlative.saturating_sub(2)..=superlative).any(within);
        let rows = (superlative + 1..self.mentions.len()).find_map(table);
        let Some(rows) = rows.filter(|_| led) else { return };
        let Some(owner) = (0..superlative).find_map(table).filter(|owner| owner.0 != rows.0) else {
            return;
        };
        let many = self.index.distance(owner.0, rows.0).is_some_and(|(_, to_many)| to_many);
        let said = |at: usize| owner.1 < at && at < superlative;
        if many && self.frame.conditions.iter().any(|condition| said(condition.at())) {
            self.block(rows.1, "what the last or first of related rows is takes two steps");
        }
    }

    /// Rows, those of which one is the last or the first, with their mentions, and whether it is the last.
    fn whose_end(&self) -> Option<(Named, Named, bool)> {
        let table = |at: usize| match self.target(at) {
            Some(Target::Table(table)) if self.part(at) == Part::Schema => Some((*table, at)),
            _ => None,
        };
        let whose = (1..self.mentions.len()).find(|at| {
            let phrase = self.mentions[*at].phrase.to_lowercase();
            phrase.split(' ').any(|word| word == "whose")
        })?;
        let owner = (0..whose).rev().find_map(table)?;
        let rows = (whose + 1..self.mentions.len()).find_map(table)?;
        let word = (whose..rows.1).flat_map(|at| {
            let phrase = self.mentions[at].phrase.to_lowercase();
            phrase.split(' ').map(str::to_owned).collect::<Vec<_>>()
        });
        let mut last = word.filter_map(|word| match word.as_str() {
            "last" | "latest" | "newest" | "recent" => Some(true),
            "first" | "earliest" | "oldest" => Some(false),
            _ => None,
        });
        let last = last.next_back()?;
        (rows.0 != owner.0).then_some((owner, rows, last))
    }
}
