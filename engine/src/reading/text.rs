//! Texts: "contains", "starts with", and the text that is looked for.

use super::frame::Condition;
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::intent::TextMatch;
use crate::linking::{Lexical, Target};

impl Parser<'_> {
    /// "containing", "starting with": a text to look for; "contains" before a thing is "with".
    pub(super) fn text_word(&mut self, at: usize, kind: Lexical) -> Option<usize> {
        if kind == Lexical::Contains && self.contains_a_thing(at) {
            self.enter(Clause::With);
            return None;
        }
        Some(self.text(at, kind))
    }

    /// Whether what is contained is no text: a number, an end, a structure word or a stored value.
    fn contains_a_thing(&self, at: usize) -> bool {
        self.mentions.get(at + 1).is_some_and(|next| {
            next.number.is_some()
                || next.superlative.is_some()
                || !next.lexical.is_empty() && !next.is(Lexical::Filler)
                || !next.quoted && matches!(self.target(at + 1), Some(Target::Value(..)))
        })
    }

    fn text(&mut self, at: usize, kind: Lexical) -> usize {
        let matching = match kind {
            Lexical::StartsWith => TextMatch::StartsWith,
            Lexical::EndsWith => TextMatch::EndsWith,
            _ => TextMatch::Contains,
        };
        let Some(next) = (at + 1..self.mentions.len()).find(|&next| {
            !self.mentions[next].is(Lexical::Filler)
                || self.mentions[next].phrase.chars().count() == 1
        }) else {
            if self.frame.groups.is_empty() && self.frame.related.is_empty() {
                self.frame.unread.push(at);
            }
            return at + 1;
        };
        let within = self.column_within(next + 1);
        let subject = self.subject.take();
        let column = within.or(subject);
        if let Some(column) = column.filter(|column| Some(*column) == subject) {
            self.frame.outputs.retain(|output| *output != column);
        }
        let negated = self.negated.take().is_some();
        let text = self.text_of(next);
        self.frame.conditions.push(Condition::Text {
            column,
            matching: Some(matching),
            text,
            at: next,
            negated,
        });
        within.unwrap_or(next) + 1
    }

    /// Column of "in their names" behind a text.
    fn column_within(&self, at: usize) -> Option<usize> {
        self.mentions.get(at).filter(|mention| mention.is(Lexical::In))?;
        let next = (at + 1..self.mentions.len()).find(|next| {
            !self.mentions[*next].is(Lexical::Filler) || self.part(*next) != Part::Lexical
        })?;
        let named = matches!(self.target(next), Some(Target::Column(_) | Target::Label(_)));
        (named && self.part(next) == Part::Schema).then_some(next)
    }

    pub(super) fn text_of(&self, at: usize) -> String {
        let phrase = self.mentions[at].phrase.as_str();
        if self.mentions[at].quoted {
            let mut characters = phrase.chars();
            characters.next();
            characters.next_back();
            characters.as_str().to_owned()
        } else {
            phrase.to_owned()
        }
    }
}
