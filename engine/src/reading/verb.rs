//! Words that are tied to nothing and add nothing: verbs between two things, and words of a name that is read.
//!
//! "employees that scheduled cancelled orders": the stored value says which column is meant, and the verb only joins the two.

use std::collections::BTreeSet;
use std::ops::Range;

use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, Mention, TableId, Target};
use crate::text::{akin, stem};

impl Parser<'_> {
    /// Whether a word is one of the name of the only table that links two others that are named: "regions affected by each
    /// storm" through `affected_region`.
    pub(super) fn names_a_link(&self, at: usize) -> bool {
        let word = self.mentions[at].phrase.to_lowercase();
        let other = |other: usize| other != at && self.part(other) == Part::Schema;
        let named: BTreeSet<TableId> = (0..self.mentions.len())
            .filter(|at| other(*at))
            .filter_map(|at| self.target(at).and_then(Target::table))
            .collect();
        let links = |table: &TableId| {
            let ends: BTreeSet<TableId> = self
                .index
                .edges(*table)
                .iter()
                .filter(|edge| edge.to_one && named.contains(&edge.to))
                .map(|edge| edge.to)
                .collect();
            !named.contains(table) && ends.len() > 1
        };
        let tables = (0..self.catalog.tables.len()).map(|table| TableId(table as u16));
        let mut linking = tables.filter(links);
        let only = linking.next().filter(|_| linking.next().is_none());
        only.is_some_and(|table| {
            let stems = &self.index.profile(table).stems;
            stems.len() > 1 && stems.iter().any(|own| akin(own, &word))
        })
    }

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
        let counted = self.mentions.iter().any(|mention| {
            let which = mention.superlative.and_then(|which| self.lexicon.superlatives.get(which));
            which.is_some_and(|superlative| superlative.counted)
        });
        self.lexicon.is_order_noun(&phrase)
            && (counted
                || self.mentions[..at].iter().rev().take(3).any(orders)
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
        let stems = &self.index.profile(table).stems;
        stems.len() > 1 && stems.iter().any(|own| own == word)
    }

    /// "and which cats are in the same city": what was said before holds again.
    pub(super) fn same_again(&self, at: usize) -> Option<usize> {
        let same = at > 0
            && self.part(at - 1) == Part::Lexical
            && ["same", "the same"].contains(&self.mentions[at - 1].phrase.to_lowercase().as_str());
        let again = same
            && !self.frame.conditions.is_empty()
            && (0..at).any(|before| {
                let mention = &self.mentions[before];
                mention.is(Lexical::And)
                    || mention.is(Lexical::List)
                        && (0..before).any(|thing| self.part(thing) == Part::Schema)
            })
            && !self.mentions[at..].iter().any(|mention| mention.is(Lexical::Distributive));
        again.then_some(at + 1)
    }

    /// A verb that only says how two things hang together: said to be left out, or asked about where it joins none.
    pub(super) fn relation(&mut self, at: usize) {
        let mut tables = BTreeSet::new();
        let mut valued = at + 1 < self.mentions.len() && self.part(at + 1) == Part::Number;
        for other in (0..self.mentions.len()).filter(|other| self.part(*other) == Part::Schema) {
            tables.extend(self.target(other).and_then(Target::table));
            valued |= matches!(self.target(other), Some(Target::Value(..)));
        }
        valued |= (at + 1..self.mentions.len())
            .find(|next| self.part(*next) != Part::Lexical)
            .is_some_and(|next| matches!(self.part(next), Part::Time | Part::Superlative(_)));
        // "Which winery makes the most wines", where the wineries are a column of the wines.
        let named = |mut others: Range<usize>| others.any(|other| self.part(other) == Part::Schema);
        let listed = at.checked_sub(1).is_none_or(|before| self.mentions[before].is(Lexical::And));
        valued |= !listed && named(0..at) && named(at + 1..self.mentions.len());
        let of_us = self.is_asked_of_us(at) && !tables.is_empty();
        let done = self.ends_what_is_done(at);
        let (asks_who, acts) = (self.asks_who(at), self.does_most(at));
        if asks_who && acts || (valued || tables.len() > 1 || of_us || done) && !asks_who {
            self.frame.linking.push(at);
        } else {
            self.frame.unread.push(at);
        }
    }

    /// "who handles the most complaints": the verb says who is asked for.
    fn does_most(&self, at: usize) -> bool {
        let word = self.mentions[at].phrase.to_lowercase();
        let most = self
            .mentions
            .get(at + 1)
            .is_some_and(|next| next.is(Lexical::Most) || next.is(Lexical::Fewest));
        most && self.lexicon.agents_of(&word).next().is_some()
    }

    /// Whether a verb says whose name is asked for: "who made it", "and who will play".
    fn asks_who(&self, at: usize) -> bool {
        let helps = |mention: &Mention| {
            let word = mention.phrase.to_lowercase();
            mention.is(Lexical::Filler) || self.lexicon.is_auxiliary(&word)
        };
        let Some(who) = (0..at).rev().find(|before| !helps(&self.mentions[*before])) else {
            return false;
        };
        self.mentions[who].phrase.eq_ignore_ascii_case("who")
            && self.mentions[who].readings.len() < 2
            && (who == 0 || self.mentions[who - 1].is(Lexical::And))
    }

    /// Whether a word that is tied to nothing is a verb between two things.
    ///
    /// A form that a noun may have too is one only after an auxiliary, or between two things that it stands next to.
    pub(super) fn links(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let word = mention.phrase.to_lowercase();
        let asks_who = at > 0
            && self.mentions[..at].iter().all(|mention| {
                mention.is(Lexical::Filler) || mention.phrase.eq_ignore_ascii_case("who")
            });
        if mention.quoted
            || word != mention.phrase
            || !self.lexicon.is_verb(&word)
            || asks_who && !self.does_most(at)
        {
            return false;
        }
        let thing = |at: usize| self.mentions.get(at).is_some() && self.part(at) == Part::Schema;
        let after = at > 0 && thing(at - 1);
        let relative = at > 0 && self.mentions[at - 1].is(Lexical::Where);
        let helped = self.mentions[..at]
            .iter()
            .any(|mention| self.lexicon.is_auxiliary(&mention.phrase.to_lowercase()));
        let said = (at + 1..self.mentions.len()).find(|next| !self.adds_nothing(*next));
        let Some(said) = said else { return after && self.ends_a_relative_clause(at) };
        let before_thing = thing(said) || self.part(said) == Part::Number;
        let value = |at: usize| matches!(self.target(at), Some(Target::Value(..)));
        let denied = self.negated.is_some() && !value(said) && !value(said + 1);
        let adjective = thing(at + 1) && !after && !self.is_predicate(at);
        !denied
            && if self.lexicon.is_past(&word) {
                !adjective
            } else {
                after && (helped || before_thing) || relative
            }
    }

    /// "a product that none of the stores sells": the verb at the end of a clause whose subject and object are named.
    fn ends_a_relative_clause(&self, at: usize) -> bool {
        let table = |at: &usize| matches!(self.target(*at), Some(Target::Table(_)));
        let opens = (0..at).rev().find(|before| self.mentions[*before].is(Lexical::Where));
        opens.is_some_and(|opens| {
            (0..opens).any(|before| table(&before))
                && (opens + 1..at).any(|between| table(&between))
        })
    }

    /// Whether what stands before a verb makes it one: "are made", "that made", "have made", "made by".
    pub(super) fn is_predicate(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| &self.mentions[before]) else {
            return false;
        };
        let phrase = before.phrase.to_lowercase();
        let word = phrase.split(' ').next_back().unwrap_or_default();
        before.is(Lexical::Is)
            || before.is(Lexical::Where)
            || before.is(Lexical::Not)
            || ["be", "been", "being", "had", "has", "have", "ever", "never"].contains(&word)
    }

    /// Whether a mention is a word that adds nothing.
    pub(super) fn adds_nothing(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        self.part(at) == Part::Lexical
            && mention.lexical.iter().all(|kind| {
                matches!(
                    kind,
                    Lexical::Also
                        | Lexical::Aside
                        | Lexical::Both
                        | Lexical::Distributive
                        | Lexical::Everything
                        | Lexical::Filler
                        | Lexical::Present
                        | Lexical::Relation
                )
            })
    }
}
