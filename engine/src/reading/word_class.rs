//! Verbs that no list names: left out where they stand between two things and can pick no rows.
//!
//! "tracks streamed by customers": "streamed" only says how the two hang together. "users that are logged in",
//! "registered students" and "which orders were placed" pick rows, so their verbs are asked about.

use super::parse::Parser;
use super::part::Part;
use crate::data::Role;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

impl Parser<'_> {
    /// Whether a word that is tied to nothing is a verb by its use, and picks no rows where it stands.
    pub(super) fn links_by_class(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let word = mention.phrase.to_lowercase();
        if mention.quoted || word != mention.phrase || !self.lexicon.is_used_as_verb(&word) {
            return false;
        }
        let past = self.lexicon.is_used_as_past(&word);
        let thing = |at: usize| self.part(at) == Part::Schema;
        let follows = at > 0 && thing(at - 1);
        if thing(at + 1) && past && !follows && !self.is_predicate(at) {
            return false;
        }
        let of_pronoun = at > 0 && self.lexicon.is_pronoun(&self.mentions[at - 1].phrase);
        let said = (at + 1..self.mentions.len()).find(|next| !self.leads_on(*next));
        let joins = said.is_some_and(|said| self.is_tied(said) && !self.denies(said));
        let starts = (0..at).any(|before| self.is_tied(before));
        let verb = past || follows || of_pronoun || self.is_helped(at);
        starts && verb && (joins || of_pronoun) && !self.could_pick(at)
    }

    /// Whether a mention leads from a verb to its object: "by", "through", "more than".
    fn leads_on(&self, at: usize) -> bool {
        use Lexical::{And, Is, List, Not, Or, Where, Without};
        let ends = |kind: &Lexical| self.mentions[at].is(*kind);
        self.part(at) == Part::Lexical && ![And, Is, List, Not, Or, Where, Without].iter().any(ends)
    }

    fn is_tied(&self, at: usize) -> bool {
        matches!(
            self.part(at),
            Part::Schema | Part::Number | Part::Time | Part::Superlative(_) | Part::Concept(_)
        )
    }

    /// Whether what follows a verb is a value or column of a negated clause: what is denied is the verb then.
    fn denies(&self, said: usize) -> bool {
        self.negated.is_some() && !matches!(self.target(said), Some(Target::Table(_)))
    }

    /// Whether a relative pronoun or an auxiliary stands before: "that use", "do they use".
    fn is_helped(&self, at: usize) -> bool {
        at > 0 && self.mentions[at - 1].is(Lexical::Where)
            || self.mentions[..at]
                .iter()
                .any(|mention| self.lexicon.is_auxiliary(&mention.phrase.to_lowercase()))
    }

    /// Whether a table that stands next to a verb has a status or a flag that the verb could mean a value of.
    fn could_pick(&self, at: usize) -> bool {
        let table = |at: usize| self.target(at).and_then(Target::table);
        let before = (0..at).rev().find_map(table);
        let after = (at + 1..self.mentions.len()).find_map(table);
        before.into_iter().chain(after).any(|table| self.has_states(table))
    }

    fn has_states(&self, table: TableId) -> bool {
        let columns = self.catalog.table_at(table).columns.len();
        (0..columns).filter_map(|column| u16::try_from(column).ok()).any(|column| {
            let column = ColumnId { table, column };
            self.index.is_flag(column) || self.index.has_role(column, Role::Status)
        })
    }
}
