//! A second question at the end that names nothing of the data: "who visited in 2024, and what did they see?"

use super::parse::Parser;
use super::part::Part;
use crate::linking::Lexical;

/// Words that a question begins with, folded.
const ASKS: [&str; 7] = ["how", "what", "when", "where", "which", "who", "why"];

impl Parser<'_> {
    /// Leaves the last word of such a question unread, so that it is asked about or said to be left out.
    pub(super) fn leave_second_question(&mut self) {
        let Some(last) = self.mentions.len().checked_sub(1) else { return };
        let joined = (1..last).rev().find(|at| self.mentions[*at].is(Lexical::And));
        let Some(joined) = joined else { return };
        let first = self.mentions[joined + 1].phrase.to_lowercase();
        let asks = first.split([' ', '\'', '’']).next().is_some_and(|word| ASKS.contains(&word));
        // A figure is asked for by itself: "and how much was it".
        let figure =
            [Lexical::Average, Lexical::Count, Lexical::Maximum, Lexical::Minimum, Lexical::Sum];
        let names_nothing = (joined + 1..=last).all(|at| {
            let mention = &self.mentions[at];
            self.part(at) == Part::Lexical && !figure.iter().any(|kind| mention.is(*kind))
        });
        // "And when was that" asks for what the first question shows.
        let done = self.mentions[last].is(Lexical::List)
            || self.lexicon.is_verb(&self.mentions[last].phrase.to_lowercase());
        if asks && names_nothing && done && last > joined + 1 && !self.frame.unread.contains(&last)
        {
            self.frame.unread.push(last);
        }
    }
}
