//! Words that are tied to nothing and add nothing: verbs between two things, and words of a name that is read.
//!
//! "films that won a Golden Globe": the stored value says which column is meant, and the verb only joins the two.

use std::collections::BTreeSet;

use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, Mention, Named, TableId, Target, words_of_identifier};
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

    /// Whether a word only says that there is an order, beside one that says which: "ordered descending by".
    pub(super) fn is_about_order(&self, at: usize) -> bool {
        let phrase = self.mentions[at].phrase.to_lowercase();
        let orders = |mention: &Mention| {
            [Lexical::Ascending, Lexical::Descending, Lexical::Order]
                .iter()
                .any(|kind| mention.is(*kind))
        };
        self.lexicon.is_order_noun(&phrase)
            && (self.mentions[..at].iter().rev().take(3).any(orders)
                || self.mentions[at + 1..].iter().take(5).any(orders))
    }

    /// Whether a word only says what kind of thing the column beside it holds: "creation year", "kind of genre".
    pub(super) fn classifies(&self, at: usize) -> bool {
        let column = |at: usize| {
            self.part(at) == Part::Schema
                && matches!(self.target(at), Some(Target::Column(_) | Target::Label(_)))
        };
        let mention = &self.mentions[at];
        let follows =
            at > 0 && column(at - 1) && self.mentions[at - 1].tokens.end == mention.tokens.start;
        let skipped = |mention: &Mention| mention.is(Lexical::Of) || mention.is(Lexical::Filler);
        let next = (at + 1..self.mentions.len()).find(|next| !skipped(&self.mentions[*next]));
        let stands_before = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Of))
            && next.is_some_and(column);
        let word = mention.phrase.to_lowercase();
        let of_rows = at > 0
            && self.part(at - 1) == Part::Schema
            && matches!(self.target(at - 1), Some(Target::Table(_)))
            && self.mentions[at - 1].tokens.end == mention.tokens.start;
        self.lexicon.is_classifier(&word) && (follows || stands_before)
            || self.lexicon.is_row_noun(&word) && of_rows
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

    /// A verb that only says how two things hang together: said to be left out, or asked about where it joins none.
    pub(super) fn relation(&mut self, at: usize) {
        let mut tables = BTreeSet::new();
        let mut valued = false;
        for other in (0..self.mentions.len()).filter(|other| self.part(*other) == Part::Schema) {
            tables.extend(self.target(other).and_then(Target::table));
            valued |= matches!(self.target(other), Some(Target::Value(..)));
        }
        if valued || tables.len() > 1 {
            self.frame.linking.push(at);
        } else {
            self.frame.unread.push(at);
        }
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
                        | Lexical::Relation
                )
            })
    }
}
