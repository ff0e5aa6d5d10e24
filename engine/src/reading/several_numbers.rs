//! Several numbers of which a column has one: "4 or 5 stars", "rating 1 or 2", "floors 2 and 3".

use wherefore_english::singular;

use super::frame::Condition;
use super::parse::Parser;
use crate::intent::Comparison;
use crate::linking::{Lexical, Mention, Target};
use crate::text::Span;

/// Makes one mention of numbers that are alternatives; its number is the first of them.
///
/// Valid: "4 or 5", "1, 2 or 3", "floors 2 and 3" behind the plural of a column. Invalid: amounts with a currency,
/// percentages, ordinals, words that may be no number ("one"), and periods.
pub(crate) fn join_numbers(text: &str, mentions: &mut Vec<Mention>) {
    let mut at = 0;
    while at < mentions.len() {
        let end = alternatives(text, mentions, at);
        if end > at + 1 {
            let (first, last) = (&mentions[at], &mentions[end - 1]);
            let span = first.span.union(last.span);
            let others = mentions[at + 1..end].iter().filter_map(|mention| mention.number.as_ref());
            let merged = Mention {
                tokens: first.tokens.start..last.tokens.end,
                span,
                phrase: span.of(text).to_owned(),
                number: first.number.clone(),
                or_numbers: others.map(|number| number.value.clone()).collect(),
                ..Mention::default()
            };
            mentions.splice(at..end, [merged]);
        }
        at += 1;
    }
}

/// Where the alternatives end that start with the number at `at`; `at` where none start.
fn alternatives(text: &str, mentions: &[Mention], at: usize) -> usize {
    let plural = at.checked_sub(1).and_then(|before| mentions.get(before)).is_some_and(|before| {
        let said = before.phrase.to_lowercase();
        let column = before.readings.first().is_some_and(|reading| {
            matches!(reading.target, Target::Column(_))
                && before.tokens.end == mentions[at].tokens.start
        });
        column && singular(&said) != said
    });
    let mut end = at;
    let mut joined = false;
    while is_plain(&mentions[end]) {
        let last = &mentions[end];
        if joined {
            return end + 1;
        }
        let Some(next) = mentions.get(end + 1) else { return at };
        let joins = next.is(Lexical::Or) || plural && next.is(Lexical::And);
        let between =
            Span { start: last.span.end, end: next.span.start.max(last.span.end) }.of(text);
        if joins && matches!(between.trim(), "" | ",") {
            joined = true;
            end += 2;
        } else if between.trim() == "," {
            end += 1;
        } else {
            return at;
        }
        if end >= mentions.len() {
            return at;
        }
    }
    at
}

/// Whether a mention is a number and nothing else.
fn is_plain(mention: &Mention) -> bool {
    let number = mention.number.as_ref();
    let plain = number.is_some_and(|number| {
        !number.ordinal && !number.percent && !number.weak && number.currency.is_none()
    });
    plain && mention.time.is_none() && mention.readings.is_empty() && mention.lexical.is_empty()
}

impl Parser<'_> {
    /// Refuses numbers of which one is meant, where they are no condition on a column or a key.
    pub(super) fn block_unused_numbers(&mut self) {
        let several = |at: &usize| !self.mentions[*at].or_numbers.is_empty();
        let compared = |wanted: usize| {
            self.frame.conditions.iter().any(|condition| match condition {
                Condition::Compare { operator, at, .. } => {
                    *at == wanted && matches!(operator, Comparison::Equal | Comparison::NotEqual)
                }
                Condition::Key { at, .. } => *at == wanted,
                _ => false,
            })
        };
        let unused = (0..self.mentions.len()).filter(several).find(|at| !compared(*at));
        if let Some(at) = unused {
            self.block(at, "alternatives of different kinds have several readings");
        }
    }
}
