//! Accounting: what a composed query does not say although the question does, and the reverse.
//!
//! After composing, every clause should rest on words of the question, and every word that says something should
//! be used by a clause. Each disagreement is a [`Doubt`]; a severe one keeps the statement from running. The
//! [`Account`] lists the clauses with their words, and how all other words were read.

mod characters;
mod clause;
mod counts;
mod doubt;
mod drafts;
mod exclusions;
mod fit;
mod frame_checks;
mod license;
mod listed;
mod make;
mod statement;
#[cfg(test)]
mod tests;
mod touched;
mod tree_checks;
mod tree_facts;

pub use doubt::{Doubt, DoubtKind};
pub(crate) use make::{Read, account_of_template, account_of_words};
pub use statement::{Account, Clause, ClauseDefault, ClauseKind, Remainder, RemainderKind};
pub(crate) use touched::reads_word;

use clause::{condition_mentions, used_mentions};
use tree_facts::TreeFacts;

use std::collections::BTreeSet;

use crate::catalog::Catalog;
use crate::intent::QueryTree;
use crate::linking::{Mention, SchemaIndex};
use crate::reading::{Condition, Frame, Part};

/// What the checks read: the words of a question, the parts they play, and what was made of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accounted<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) schema: &'a SchemaIndex,
    pub(crate) mentions: &'a [Mention],
    pub(crate) parts: &'a [Part],
    pub(crate) frame: &'a Frame,
    pub(crate) tree: &'a QueryTree,
}

impl Accounted<'_> {
    /// Every disagreement between question and query tree, in order of kind.
    pub(crate) fn doubts(&self) -> Vec<Doubt> {
        let facts = TreeFacts::of(self.tree);
        let used = used_mentions(self.frame);
        let mut doubts = self.unused(&used);
        doubts.extend(self.unread_tables(&facts));
        doubts.extend(self.compared_keys());
        doubts.extend(self.lost(&facts));
        doubts.extend(self.listed_unshown());
        doubts.extend(self.contradictions(&facts));
        doubts
    }

    /// Mentions of the condition of the frame that uses a mention, or of the time expression that it is.
    fn condition_of(&self, at: usize) -> Option<BTreeSet<usize>> {
        let unit_of = |condition: &Condition| match condition {
            Condition::Compare { unit: Some(unit), at: number, .. } => {
                at == number + 1 && self.mentions[at].phrase.eq_ignore_ascii_case(unit)
            }
            _ => false,
        };
        let times = self.frame.times.iter();
        let times =
            times.map(|time| (false, std::iter::once(time.at).chain(time.column).collect()));
        let conditions = self.frame.conditions.iter().map(|condition| {
            let mut used = BTreeSet::new();
            condition_mentions(condition, &mut used);
            (unit_of(condition), used)
        });
        conditions
            .chain(times)
            .find_map(|(of_unit, used)| (of_unit || used.contains(&at)).then_some(used))
    }

    /// Whether a mention plays the part of a structure word.
    fn is_structure(&self, at: usize) -> bool {
        self.parts.get(at) == Some(&Part::Lexical)
    }
}
