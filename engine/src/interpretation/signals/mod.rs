//! What a question and its query tree tell about the chance that the tree answers the question.
//!
//! Each signal is a small count. The model in `data/confidence.tsv` names those that it reads.

mod faults;
mod ties;
mod tree;
mod unread;
mod words;

use super::interpreter::Interpreter;
use super::tree_parts::TreeParts;
use crate::account::Doubt;
use crate::compose::Open;
use crate::intent::QueryTree;
use crate::linking::{Lexical, Mention};
use crate::reading::{Frame, Part};

pub(super) use unread::may_pick_rows;

/// What the signals are read from.
#[derive(Clone, Copy)]
pub(super) struct Evidence<'a> {
    /// Text of the question.
    pub(super) question: &'a str,
    /// Mentions with their roles, in order.
    pub(super) mentions: &'a [(Mention, Part)],
    pub(super) frame: &'a Frame,
    pub(super) tree: &'a QueryTree,
    /// Ambiguities, decided or open.
    pub(super) open: &'a [Open],
    pub(super) doubts: &'a [Doubt],
}

impl Interpreter<'_> {
    /// Signals of a question whose query tree was composed, in a fixed order.
    pub(super) fn signals(&self, evidence: &Evidence<'_>) -> Vec<(&'static str, i32)> {
        let parts = TreeParts::of(evidence.tree);
        let mut signals = Signals(Vec::new());
        words::add(&mut signals, evidence);
        ties::add(&mut signals, self.catalog, evidence, &parts);
        tree::add(&mut signals, self.catalog, evidence, &parts);
        faults::add(&mut signals, evidence, &parts);
        unread::add(&mut signals, self, evidence);
        signals.0
    }
}

struct Signals(Vec<(&'static str, i32)>);

impl Signals {
    fn flag(&mut self, name: &'static str, holds: bool) {
        self.0.push((name, i32::from(holds)));
    }

    /// A count, at most `most`.
    fn count(&mut self, name: &'static str, count: usize, most: i32) {
        self.0.push((name, i32::try_from(count).unwrap_or(most).min(most)));
    }
}

impl Evidence<'_> {
    /// Whether a structure word with one of these functions is read as such.
    fn says(&self, functions: &[Lexical]) -> bool {
        self.mentions.iter().any(|(mention, part)| {
            *part == Part::Lexical && functions.iter().any(|function| mention.is(*function))
        })
    }

    /// Whether the question asks for an end of an order.
    fn ranks(&self) -> bool {
        use Lexical::{Bottom, Fewest, First, Last, Maximum, Minimum, Most, Top};
        self.says(&[Bottom, Fewest, First, Last, Maximum, Minimum, Most, Top])
            || self.mentions.iter().any(|(_, part)| matches!(part, Part::Superlative(_)))
    }

    /// Number of mentions that play such a part.
    fn parts(&self, wanted: fn(&Part) -> bool) -> usize {
        self.mentions.iter().filter(|(_, part)| wanted(part)).count()
    }
}
