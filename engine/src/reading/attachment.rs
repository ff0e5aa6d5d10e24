//! Attachment: several things, and a condition that may hold for all of them or for the nearest.
//!
//! Invalid, so that it is asked: "dogs and cats with diabetes", "female dogs and cats". Valid: "both dogs and cats
//! with diabetes", "dogs and cats, with diabetes" and "dogs, and also list cats with diabetes".

use super::frame::{Attachment, Condition, Coordination, Frame};
use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, TableId, Target};

/// Mentions of the first and last of several things.
struct Listed {
    first: usize,
    last: usize,
    tables: Option<(TableId, TableId)>,
}

impl Parser<'_> {
    /// Values of one column that are listed, and where a condition stands beside them.
    pub(super) fn coordination(&self) -> Option<Coordination> {
        let Listed { first, last, tables } = self
            .listed_values()
            .map(|(first, last)| Listed { first, last, tables: None })
            .or_else(|| self.listed_tables())?;
        let places = places(&self.frame);
        let next = self.next_word(last);
        let trailing = places.iter().copied().filter(|at| *at > last).min();
        let leading = first.checked_sub(1).filter(|before| {
            let adjoins = self.mentions[*before].tokens.end == self.mentions[first].tokens.start;
            places.contains(before)
                && (adjoins || tables.is_none())
                && matches!(self.part(*before), Part::Schema | Part::Vague(_))
        });
        let leads = trailing.is_none() && leading.is_some();
        let start = leading.filter(|_| leads).unwrap_or(first);
        if trailing.is_none() && !leads && tables.is_some() {
            let attachment = Some(Attachment::All);
            return Some(Coordination { first, last, tables, leads, attachment });
        }
        let qualified = tables.is_some() || self.may_be_qualified(start);
        if trailing.is_none() && !leads || !qualified {
            return None;
        }
        if let Some(trailing) = trailing {
            let apart = (last + 1..trailing).any(|between| {
                let mention = &self.mentions[between];
                self.part(between) == Part::Lexical
                    && !mention.is(Lexical::Both)
                    && (mention.is(Lexical::And) || mention.is(Lexical::Or))
            });
            let adverb = self.part(trailing) == Part::Time
                && next == Some(trailing)
                && self.in_clause(first);
            if apart || adverb {
                return None;
            }
        }
        let attachment = self.attachment(first, last, next);
        Some(Coordination { first, last, tables, leads, attachment })
    }

    /// Values of one column that are listed.
    fn listed_values(&self) -> Option<(usize, usize)> {
        self.frame.conditions.iter().find_map(|condition| match condition {
            Condition::Values { at, negated: false, hint: None } => match at.as_slice() {
                [first, .., last] => Some((*first, *last)),
                _ => None,
            },
            _ => None,
        })
    }

    /// Two tables whose rows are listed.
    fn listed_tables(&self) -> Option<Listed> {
        let (head, first) = self.frame.head?;
        let (other, last) = *self.frame.output_tables.first()?;
        let joined = (first + 1..last).all(|between| {
            let mention = &self.mentions[between];
            self.adds_nothing(between)
                || self.part(between) == Part::Lexical
                    && [Lexical::And, Lexical::Or, Lexical::List, Lexical::Also]
                        .iter()
                        .any(|kind| mention.is(*kind))
        });
        (first < last && joined && self.frame.measures.is_empty()).then_some(Listed {
            first,
            last,
            tables: Some((head, other)),
        })
    }

    /// What the words around say that a condition beside the values holds for.
    fn attachment(&self, first: usize, last: usize, next: Option<usize>) -> Option<Attachment> {
        let is = |at: usize, kind| self.part(at) == Part::Lexical && self.mentions[at].is(kind);
        let own = (first + 1..last).any(|between| {
            is(between, Lexical::Also)
                || is(between, Lexical::List) && !self.mentions[between].is(Lexical::Filler)
        });
        if (0..self.mentions.len())
            .any(|at| is(at, Lexical::Both) || self.mentions[at].is(Lexical::Separately))
        {
            return Some(Attachment::All);
        }
        if own {
            return Some(Attachment::Nearest);
        }
        let noun = |at: usize| matches!(self.target(at), Some(Target::Table(_)));
        let comma = self
            .mentions
            .get(last + 1)
            .is_some_and(|after| after.tokens.start > self.mentions[last].tokens.end);
        let shared = noun(last + 1) && !noun(first + 1) && !noun(first);
        let asked = self.before_all(first).is_none_or(|before| is(before, Lexical::List))
            || self.count_before(first);
        let predicate = asked
            && next.is_some_and(|next| {
                is(next, Lexical::Is) && !self.names(next)
                    || ["have", "has", "had"]
                        .contains(&self.mentions[next].phrase.to_lowercase().as_str())
            });
        (comma || shared || predicate).then_some(Attachment::All)
    }

    /// Whether a word says what is so only of what stands before it: "called", "named", but not "are".
    fn names(&self, at: usize) -> bool {
        let phrase = self.mentions[at].phrase.to_lowercase();
        phrase.split(' ').next().is_some_and(|word| word.ends_with("ed"))
    }

    /// Whether values at this place are things that a condition may qualify, rather than places or states of the
    /// rows asked about: "orders from Germany and France in 2024" leaves nothing open.
    fn may_be_qualified(&self, first: usize) -> bool {
        self.before_all(first).is_none_or(|before| {
            let mention = &self.mentions[before];
            let opens = [
                Lexical::List,
                Lexical::Count,
                Lexical::CountNoun,
                Lexical::Distinct,
                Lexical::Of,
                Lexical::Where,
                Lexical::With,
            ];
            self.part(before) == Part::Unknown
                || self.part(before) == Part::Lexical
                    && opens.iter().any(|kind| mention.is(*kind))
                    && !mention.is(Lexical::Is)
                    && !mention.is(Lexical::In)
        })
    }

    /// Whether values stand in a clause about rows named before it.
    fn in_clause(&self, first: usize) -> bool {
        self.before_all(first).is_some_and(|before| {
            !self.mentions[before].is(Lexical::List) && !self.count_before(first)
        })
    }

    fn count_before(&self, at: usize) -> bool {
        self.before_all(at).is_some_and(|before| {
            self.mentions[before].is(Lexical::Count) || self.mentions[before].is(Lexical::CountNoun)
        })
    }

    /// Mention before that is more than a word that adds nothing.
    pub(super) fn before_all(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|&before| !self.adds_nothing(before))
    }

    /// Mention behind that is more than a word that adds nothing.
    fn next_word(&self, at: usize) -> Option<usize> {
        (at + 1..self.mentions.len()).find(|&after| !self.adds_nothing(after))
    }

    /// Whether "and" or "or" joins something before or behind "both" or "either".
    pub(super) fn joins_things(&self, at: usize) -> bool {
        self.mentions.iter().enumerate().any(|(other, mention)| {
            other != at && (mention.is(Lexical::And) || mention.is(Lexical::Or))
        })
    }

    /// Whether a value is listed behind another: only words that join stand between, and the noun asked about.
    pub(super) fn is_listed(&self, last: usize, at: usize) -> bool {
        let joined = |between: usize| {
            let mention = &self.mentions[between];
            mention.is(Lexical::And) || mention.is(Lexical::Or) || mention.is(Lexical::Also)
        };
        let noun = |between: usize| {
            let apposed = match self.target(between) {
                Some(Target::Table(table)) => {
                    self.frame.head.is_some_and(|(head, _)| head == *table)
                        || self.is_apposed(between, *table)
                }
                Some(Target::Column(_)) => self.names_next(between),
                _ => false,
            };
            self.part(between) == Part::Schema && apposed
        };
        let range = last + 1..at;
        let plain = range.clone().all(|between| {
            joined(between)
                || self.adds_nothing(between)
                || self.mentions[between].is(Lexical::Filler)
                || self.mentions[between].is(Lexical::In)
        });
        let repeated = range.clone().any(joined)
            && range.clone().all(|between| {
                joined(between)
                    || self.adds_nothing(between)
                    || self.mentions[between].is(Lexical::List)
                    || noun(between)
            });
        plain || repeated
    }
}

/// Mentions of all conditions, times and vague terms of a frame.
pub(super) fn places(frame: &Frame) -> Vec<usize> {
    frame
        .conditions
        .iter()
        .map(Condition::at)
        .chain(frame.times.iter().map(|time| time.at))
        .chain(frame.vague.iter().map(|term| term.at))
        .collect()
}
