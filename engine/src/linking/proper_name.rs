//! Proper names that begin with an adjective for a stored value: "American Airlines" is one airline, not all airlines of the
//! United States.

use super::element::Target;
use super::mention::Mention;
use crate::text::letters_of;

/// Unties a capitalised word from a stored value that is spelt otherwise, where the noun of rows behind it is capitalised
/// as well although other such nouns of the question are not.
pub(crate) fn untie_proper_names(mentions: &mut [Mention]) {
    let noun = |mention: &Mention| {
        matches!(mention.readings.first().map(|first| &first.target), Some(Target::Table(_)))
    };
    let is_capital = |mention: &Mention| mention.phrase.starts_with(char::is_uppercase);
    if !mentions.iter().any(|mention| noun(mention) && !is_capital(mention)) {
        return;
    }
    for at in 1..mentions.len().saturating_sub(1) {
        let (word, next) = (&mentions[at], &mentions[at + 1]);
        let named = is_capital(word)
            && noun(next)
            && is_capital(next)
            && next.tokens.start == word.tokens.end;
        if named && !word.quoted {
            let letters = letters_of(&word.phrase);
            mentions[at].readings.retain(|reading| match &reading.target {
                Target::Value(_, value) => letters_of(value) == letters,
                _ => true,
            });
        }
    }
}
