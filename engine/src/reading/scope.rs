//! Scope: "each" and "all" before a noun whose rows something is listed for.
//!
//! Invalid, so that it is asked: "the genres of every artist" may be listed artist by artist, or may be the
//! genres that all artists share. Valid: "for every artist, the genres" and "genres common to all artists".

use super::frame::{Distribution, Group, TableUse};
use super::parse::Parser;
use super::part::Part;
use crate::clarification::Scope;
use crate::linking::{Lexical, TableId, Target};

impl Parser<'_> {
    /// The noun that something is listed for, where a word of quantity stands before it.
    pub(super) fn distribution(&self) -> Option<Distribution> {
        let counts = !self.frame.measures.is_empty()
            || self.frame.superlative.is_some()
            || self.frame.trend.is_some()
            || self.count.is_some();
        if counts {
            return None;
        }
        let common = self.mentions.iter().any(|mention| mention.is(Lexical::Common));
        let (table, at, quantifier) = (0..self.mentions.len()).find_map(|at| {
            let Some(Target::Table(table)) = self.target(at).cloned() else { return None };
            let quantifier = self.quantifier_of(at)?;
            (self.part(at) == Part::Schema && self.may_distribute(table, at, quantifier, common))
                .then_some((table, at, quantifier))
        })?;
        let before = |position: usize| position < quantifier;
        let listed_first = self.frame.head.is_some_and(|(head, at)| head != table && before(at))
            || self.frame.outputs.iter().any(|output| {
                before(*output) && self.target(*output).and_then(Target::table) != Some(table)
            });
        let phrase = self.mentions[quantifier].phrase.to_lowercase();
        let separately = self.mentions.iter().any(|mention| mention.is(Lexical::Separately))
            || phrase == "per"
            || !listed_first;
        let scope = match (common, separately) {
            (true, _) => Some(Scope::All),
            (false, true) => Some(Scope::Each),
            (false, false) => None,
        };
        Some(Distribution { table, at, quantifier, scope })
    }

    /// Word of quantity before a noun: right before it, or before words that qualify it.
    pub(super) fn quantifier_of(&self, at: usize) -> Option<usize> {
        let before = (0..at).rev().find(|&before| {
            let mention = &self.mentions[before];
            mention.is(Lexical::Distributive)
                || !(self.part(before) == Part::Unknown
                    || mention.is(Lexical::Filler) && self.part(before) == Part::Lexical
                    || matches!(self.part(before), Part::Vague(_))
                    || matches!(self.target(before), Some(Target::Value(..))))
        })?;
        self.mentions[before].is(Lexical::Distributive).then_some(before)
    }

    /// Whether the noun is one that things are listed for, rather than one that is listed itself.
    fn may_distribute(&self, table: TableId, at: usize, quantifier: usize, common: bool) -> bool {
        let grouped = match self.frame.groups.as_slice() {
            [] => false,
            [Group::Table(known, _)] if *known == table => true,
            _ => return false,
        };
        let related = self
            .frame
            .related
            .iter()
            .any(|related| related.at == at && related.how != TableUse::Without);
        let leads = self.frame.head.is_some_and(|(head, _)| head == table)
            && self.frame.outputs.iter().any(|output| {
                self.target(*output).and_then(Target::table).is_some_and(|other| other != table)
            });
        let for_all =
            quantifier > 0 || self.mentions[quantifier].phrase.to_lowercase().starts_with("for");
        grouped || related || leads && (for_all || common)
    }
}
