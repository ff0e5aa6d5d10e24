//! Words that say that a text stands behind them: "contain the letter 'a'", "starts with the word \"north\"".

use super::lexicon::{Lexical, Lexicon};
use super::mention::Mention;
use super::pieces::clear;

/// Makes words for a text structure, where a comparison of texts stands before and a quoted text or one letter behind.
pub(crate) fn announce_texts(lexicon: &Lexicon, mentions: &mut [Mention]) {
    for at in 0..mentions.len() {
        let kinds = [Lexical::Contains, Lexical::StartsWith, Lexical::EndsWith];
        let before = mentions[..at].iter().rev().find(|mention| !mention.is(Lexical::Filler));
        let compared = before.is_some_and(|word| kinds.iter().any(|kind| word.is(*kind)));
        let text = mentions.get(at + 1).is_some_and(|next| {
            next.quoted || next.phrase.chars().count() == 1 && !next.is(Lexical::Filler)
        });
        let mention = &mut mentions[at];
        if compared
            && text
            && !mention.quoted
            && lexicon.is_text_noun(&mention.phrase.to_lowercase())
        {
            clear(mention);
            mention.lexical = vec![Lexical::Filler];
        }
    }
}
