//! A question as templates match it: each token is used at most once.

use std::ops::Range;

use super::extracted::Extraction;
use super::words::Weight;
use crate::day::Date;
use crate::linking::{Lexicon, Mention, Target, ValueIndex};
use crate::reading::Part;
use crate::text::{Token, letters_of};

/// A question with its tokens and mentions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TemplateQuestion<'a> {
    /// Day on which it is asked.
    pub(crate) today: Date,
    /// The person who asks, if known.
    pub(crate) person: Option<&'a str>,
    /// Its text.
    pub(crate) text: &'a str,
    /// Its tokens.
    pub(crate) tokens: &'a [Token],
    /// Its mentions.
    pub(crate) mentions: &'a [Mention],
    /// Role of each mention.
    pub(crate) parts: &'a [Part],
    /// Structure words.
    pub(crate) lexicon: &'a Lexicon,
    /// Stored values of the catalog.
    pub(crate) values: &'a ValueIndex,
    /// Stored values found by searches.
    pub(crate) found: &'a ValueIndex,
    /// What a model took out of the question.
    pub(crate) extracted: Option<&'a Extraction>,
}

/// Weight of each token, and whether a parameter uses it.
#[derive(Clone, Debug)]
pub(super) struct Usage {
    weights: Vec<Weight>,
    taken: Vec<bool>,
}

impl TemplateQuestion<'_> {
    /// Usage without any parameter; numbers, times, quoted literals and stored values are always significant.
    pub(super) fn usage(&self, mut weights: Vec<Weight>) -> Usage {
        for (mention, part) in self.mentions.iter().zip(self.parts) {
            let stored = *part == Part::Schema
                && mention
                    .readings
                    .first()
                    .is_some_and(|reading| matches!(reading.target, Target::Value(..)));
            if matches!(part, Part::Time | Part::Number) || mention.quoted || stored {
                for weight in weights.get_mut(mention.tokens.clone()).into_iter().flatten() {
                    *weight = Weight::Word;
                }
            }
        }
        Usage { taken: vec![false; weights.len()], weights }
    }

    /// Normalised text of some tokens.
    pub(super) fn letters(&self, range: Range<usize>) -> String {
        self.tokens[range].iter().map(|token| letters_of(&token.raw)).collect()
    }

    /// Mentions with a role whose tokens are all unused.
    pub(super) fn free<'b>(
        &'b self,
        part: Part,
        usage: &'b Usage,
    ) -> impl Iterator<Item = &'b Mention> + 'b {
        self.mentions
            .iter()
            .zip(self.parts)
            .filter(move |(mention, own)| **own == part && usage.is_free(&mention.tokens))
            .map(|(mention, _)| mention)
    }
}

impl Usage {
    /// Whether none of the tokens is used.
    pub(super) fn is_free(&self, range: &Range<usize>) -> bool {
        range.clone().all(|at| self.taken.get(at) == Some(&false))
    }

    /// Whether a token is significant.
    pub(super) fn weighs(&self, at: usize) -> bool {
        self.weights.get(at) == Some(&Weight::Word)
    }

    /// Marks tokens as used.
    pub(super) fn take(&mut self, range: &Range<usize>) {
        for at in range.clone() {
            if let Some(taken) = self.taken.get_mut(at) {
                *taken = true;
            }
        }
    }

    /// Indexes of significant tokens that no parameter uses.
    pub(super) fn left(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.taken.len()).filter(|&at| self.weighs(at) && !self.taken[at])
    }
}
