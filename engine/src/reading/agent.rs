//! Agents of what was done: "patients treated by Ada" are related to Ada by their treatments, and by nothing else.

use super::frame::{Related, TableUse};
use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, Target};

impl Parser<'_> {
    /// Notes through which rows those asked about are related to the agents that the words name.
    pub(super) fn find_agents(&mut self) {
        let Some((head, _)) = self.frame.head else { return };
        for at in 0..self.mentions.len().saturating_sub(2) {
            let word = self.mentions[at].phrase.to_lowercase();
            let verb = self.lexicon.is_past(&word) || self.lexicon.is_used_as_past(&word);
            let by = self.mentions[at + 1].is(Lexical::By) && self.part(at) == Part::Schema;
            let (done, agent) = match (self.target(at), self.target(at + 2)) {
                (
                    Some(Target::Table(done)),
                    Some(Target::Value(agent, _) | Target::Column(agent)),
                ) => (*done, agent.table),
                (Some(Target::Column(done)), Some(Target::Value(agent, _))) => {
                    (done.table, agent.table)
                }
                _ => continue,
            };
            if !verb || !by || done == head || agent == head || agent == done {
                continue;
            }
            if self.frame.related.iter().all(|related| related.table != done) {
                self.frame.related.push(Related { table: done, at, how: TableUse::With });
            }
            self.frame.through.push((done, agent));
        }
    }
}
