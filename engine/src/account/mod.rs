//! Accounting: what a composed query does not say although the question does, and the reverse.
//!
//! After composing, every clause should rest on words of the question, and every word that says something should
//! be used by a clause. Each disagreement is a [`Doubt`]; a severe one keeps the statement from running.

mod clause;
mod doubt;
mod frame_checks;
#[cfg(test)]
mod tests;
mod tree_checks;
mod tree_facts;

pub use doubt::{Doubt, DoubtKind};

use clause::used_mentions;
use tree_facts::TreeFacts;

use crate::catalog::Catalog;
use crate::intent::QueryTree;
use crate::linking::{Mention, SchemaIndex};
use crate::reading::{Frame, Part};

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
        doubts.extend(self.contradictions(&facts));
        doubts
    }

    /// Whether a mention plays the part of a structure word.
    fn is_structure(&self, at: usize) -> bool {
        self.parts.get(at) == Some(&Part::Lexical)
    }
}
