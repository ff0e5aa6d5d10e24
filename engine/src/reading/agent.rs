//! Verbs with rows of their own: "patients treated by Ada" are related to Ada by their treatments, and by nothing else.
//!
//! Valid: "which clinician treated the most patients", "how many patients were treated by Ada in 2025".

use super::frame::{Condition, Related, TableUse};
use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, TableId, Target};

impl Parser<'_> {
    /// Notes through which rows things are related that a verb with rows of its own joins.
    pub(super) fn find_agents(&mut self) {
        for at in 0..self.mentions.len() {
            let word = self.mentions[at].phrase.to_lowercase();
            let past = self.lexicon.is_past(&word) || self.lexicon.is_used_as_past(&word);
            let verb = past || self.auxiliary_before(at).is_some() && !word.ends_with('s');
            let done = match self.target(at) {
                Some(Target::Table(table)) => *table,
                Some(Target::Column(column)) if self.is_date(*column) => column.table,
                _ => continue,
            };
            if !verb || self.part(at) != Part::Schema {
                continue;
            }
            let passive = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::By));
            if passive {
                self.done_by(at, done);
            } else {
                self.done_to(at, done);
            }
        }
    }

    /// Place of the "do", "does" or "did" that a verb in its base form follows.
    fn auxiliary_before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|before| self.mentions[*before].has_do())
    }

    /// "patients treated by Ada": the agent stands behind the verb.
    fn done_by(&mut self, at: usize, done: TableId) {
        let Some((head, _)) = self.frame.head else { return };
        let agent = match (self.target(at), self.target(at + 2)) {
            (Some(Target::Table(_)), Some(Target::Value(agent, _) | Target::Column(agent)))
            | (Some(Target::Column(_)), Some(Target::Value(agent, _))) => agent.table,
            _ => return,
        };
        if done == head || agent == head || agent == done {
            return;
        }
        if self.frame.related.iter().all(|related| related.table != done) {
            self.frame.related.push(Related { table: done, at, how: TableUse::With });
        }
        self.frame.through.push((done, agent));
    }

    /// "which clinician treated the most patients": the agent stands before the verb, and what it is done to behind.
    fn done_to(&mut self, at: usize, done: TableId) {
        let table = |at: usize| match self.target(at) {
            Some(Target::Table(table)) if self.part(at) == Part::Schema => Some(*table),
            _ => None,
        };
        let near = [
            Lexical::Count,
            Lexical::CountNoun,
            Lexical::Distinct,
            Lexical::Everything,
            Lexical::Fewest,
            Lexical::Filler,
            Lexical::Most,
            Lexical::Where,
        ];
        let passed = |at: &usize| {
            self.part(*at) == Part::Lexical && near.iter().any(|kind| self.mentions[*at].is(*kind))
        };
        let before = (0..at).rev().find(|at| !passed(at)).and_then(table);
        let behind = (at + 1..self.mentions.len()).find(|at| !passed(at)).and_then(table);
        // "how many patients did each clinician treat": the object stands before "did".
        let ahead = || self.auxiliary_before(at).and_then(|helps| (0..helps).rev().find_map(table));
        let (Some(agent), Some(object)) = (before, behind.or_else(ahead)) else { return };
        if agent == object || agent == done || object == done {
            return;
        }
        self.frame.through.extend([(done, agent), (done, object)]);
        for time in self.frame.times.iter_mut().filter(|time| time.column.is_none()) {
            time.table = Some(done);
        }
        let dated = |condition: &Condition| matches!(condition, Condition::Set { at: set, negated: false } if *set == at);
        if self.frame.conditions.iter().any(dated) {
            self.frame.conditions.retain(|condition| !dated(condition));
            self.frame.related.push(Related { table: done, at, how: TableUse::With });
        }
    }
}
