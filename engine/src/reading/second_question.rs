//! A second question at the end that names nothing of the data: "who visited in 2024, and what did they see?"

use super::parse::Parser;
use super::part::Part;
use crate::linking::Lexical;

/// Words that a question begins with, folded.
const ASKS: [&str; 7] = ["how", "what", "when", "where", "which", "who", "why"];

impl Parser<'_> {
    /// Leaves the verb of such a question unread, so that it is asked about or said to be left out.
    pub(super) fn leave_second_question(&mut self) {
        let Some(last) = self.mentions.len().checked_sub(1) else { return };
        // "And what", or a question word behind a comma.
        let starts = |at: &usize| {
            let first = self.mentions[*at].phrase.to_lowercase();
            let asks =
                first.split([' ', '\'', '’']).next().is_some_and(|word| ASKS.contains(&word));
            let before = &self.mentions[*at - 1];
            asks && (before.is(Lexical::And) || before.tokens.end < self.mentions[*at].tokens.start)
        };
        let Some(start) = (1..=last).rev().find(starts) else { return };
        // A figure is asked for by itself: "and how much was it".
        let figure =
            [Lexical::Average, Lexical::Count, Lexical::Maximum, Lexical::Minimum, Lexical::Sum];
        let names_nothing = (start..=last).all(|at| {
            let mention = &self.mentions[at];
            let verb = self.frame.by_class.contains(&at);
            (self.part(at) == Part::Lexical || verb) && !figure.iter().any(|kind| mention.is(*kind))
        });
        // "And when was that" asks for what the first question shows.
        let done = (start + 1..=last).find(|at| {
            let word = self.mentions[*at].phrase.to_lowercase();
            self.mentions[*at].is(Lexical::List)
                || self.lexicon.is_verb(&word)
                || self.lexicon.is_past(&word)
                || self.frame.by_class.contains(at)
        });
        // "And what was in it" asks for other rows.
        let word = self.mentions[start].phrase.to_lowercase();
        let other = ["what", "which"].iter().any(|asks| word.split(' ').next() == Some(asks));
        if names_nothing && done.is_none() && other {
            self.block(start, "what is asked for at the end is a second question");
        }
        if let Some(done) = done.filter(|done| names_nothing && !self.frame.unread.contains(done)) {
            self.frame.by_class.retain(|verb| *verb != done);
            self.frame.unread.push(done);
        }
    }
}
