//! Words that are tied to nothing and add nothing: verbs between two things, and words of a name that is read.
//!
//! "films that won a Golden Globe": the stored value says which column is meant, and the verb only joins the two.

use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, Named, TableId, Target, words_of_identifier};
use crate::text::stem;

impl Parser<'_> {
    /// Whether a word is one of the name of a table that the question names with its other words.
    pub(super) fn names_again(&self, at: usize) -> bool {
        let word = stem(&self.mentions[at].phrase.to_lowercase());
        self.mentions.iter().enumerate().any(|(other, mention)| {
            self.part(other) == Part::Schema
                && mention.readings.first().is_some_and(|reading| match reading.target {
                    Target::Table(table) => self.has_word(table, &word),
                    _ => false,
                })
        })
    }

    fn has_word(&self, table: TableId, word: &str) -> bool {
        let words = words_of_identifier(&self.catalog.table_at(table).name);
        words.len() > 1 && words.iter().any(|own| stem(own) == word)
    }

    /// "and which cabins have the same price": what was said before holds again.
    pub(super) fn same_again(&self, at: usize) -> Option<usize> {
        let same = at > 0
            && self.part(at - 1) == Part::Lexical
            && ["same", "the same"].contains(&self.mentions[at - 1].phrase.to_lowercase().as_str());
        let again = same
            && !self.frame.conditions.is_empty()
            && self.mentions[..at].iter().any(|mention| mention.is(Lexical::And))
            && !self.mentions.iter().any(|mention| mention.is(Lexical::Distributive));
        again.then_some(at + 1)
    }

    /// Whether a word is a verb between a thing and a stored value that is said of it.
    pub(super) fn is_linking_verb(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let word = mention.phrase.to_lowercase();
        if mention.quoted || mention.tokens.len() > 1 || word != mention.phrase {
            return false;
        }
        let inflected = ["s", "ed", "ing", "en", "t", "n"].iter().any(|end| word.ends_with(end));
        let before = (0..at).rev().find(|&before| !self.adds_nothing(before));
        let after_subject = before.is_some_and(|before| {
            let mention = &self.mentions[before];
            mention.is(Lexical::Where)
                || mention.is(Lexical::Is)
                || mention.is(Lexical::With)
                || self.part(before) == Part::Schema
        });
        let follows_pronoun = at > 0
            && ["they", "who", "that", "which", "can", "to", "has", "have", "do", "does"]
                .contains(&self.mentions[at - 1].phrase.to_lowercase().as_str());
        let object = (at + 1..self.mentions.len()).find(|&after| {
            let mention = &self.mentions[after];
            !(self.adds_nothing(after) || mention.is(Lexical::In) || mention.is(Lexical::By))
        });
        let value = object.is_some_and(|after| {
            self.part(after) == Part::Schema
                && matches!(self.target(after), Some(Target::Value(..)))
        });
        value && after_subject && (inflected || follows_pronoun)
    }

    /// Whether a mention is a word that adds nothing.
    pub(super) fn adds_nothing(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        self.part(at) == Part::Lexical
            && mention.lexical.iter().all(|kind| {
                matches!(
                    kind,
                    Lexical::Also
                        | Lexical::Both
                        | Lexical::Distributive
                        | Lexical::Everything
                        | Lexical::Filler
                )
            })
    }
}
