//! Significance of words: content words, and words that are only grammar or politeness.

use crate::data::Words;
use crate::linking::{Lexical, Lexicon, words_of_identifier};
use crate::text::{Token, TokenKind, stem, tokenize};

/// How significant a word is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Weight {
    /// Never significant: "show me", "the", "of".
    Structure,
    /// Not significant next to other words: "supplies", "placed".
    Filler,
    /// Significant.
    Word,
}

/// Phrases that are not significant.
#[derive(Clone, Debug, Default)]
pub(super) struct NeutralWords {
    phrases: Vec<String>,
}

impl NeutralWords {
    /// Phrases of the data file.
    pub(super) fn built_in(words: &Words) -> Self {
        Self { phrases: words.template_words().neutral }
    }

    /// Weight of each token; longer phrases take precedence.
    pub(super) fn weights(&self, lexicon: &Lexicon, tokens: &[Token]) -> Vec<Weight> {
        let mut weights = vec![Weight::Word; tokens.len()];
        let mut start = 0;
        while start < tokens.len() {
            let longest = lexicon.longest().min(tokens.len() - start);
            let phrase = (1..=longest).rev().find_map(|length| {
                let weight = self.weight(lexicon, &tokens[start..start + length])?;
                Some((length, weight))
            });
            let (length, weight) = phrase.unwrap_or((1, Weight::Word));
            weights[start..start + length].fill(weight);
            start += length;
        }
        weights
    }

    /// Weight of a phrase that is not significant; `None` if it may be.
    fn weight(&self, lexicon: &Lexicon, tokens: &[Token]) -> Option<Weight> {
        if let [token] = tokens
            && token.kind == TokenKind::Punctuation
        {
            return Some(Weight::Structure);
        }
        if tokens.iter().any(|token| token.kind == TokenKind::Quoted) {
            return None;
        }
        let folded: Vec<&str> = tokens.iter().map(|token| token.folded.as_str()).collect();
        let phrase = folded.join(" ");
        let kinds = lexicon.get(&phrase);
        if kinds.iter().any(|kind| matches!(kind, Lexical::List | Lexical::Everything))
            || self.phrases.contains(&phrase)
        {
            return Some(Weight::Structure);
        }
        kinds.contains(&Lexical::Filler).then_some(Weight::Filler)
    }
}

/// Words of a text, in order; a text of letters and spaces is split without the tokenizer.
pub(super) fn words(text: &str) -> Vec<String> {
    if text.bytes().all(|letter| letter.is_ascii_alphabetic() || letter == b' ') {
        return words_of_identifier(text);
    }
    let tokens = tokenize(text);
    let told = tokens.iter().filter(|token| token.kind != TokenKind::Punctuation);
    told.flat_map(|token| words_of_identifier(&token.raw)).collect()
}

/// Stems of the words of a text, in order.
pub(super) fn stems(text: &str) -> Vec<String> {
    words(text).iter().map(|word| stem(word)).collect()
}

/// Stems of the words of a token, in order.
pub(super) fn stems_of(token: &Token) -> Vec<String> {
    let one = token.kind == TokenKind::Word
        && token.raw.bytes().all(|letter| letter.is_ascii_lowercase());
    if one { vec![token.stem.clone()] } else { stems(&token.raw) }
}

#[cfg(test)]
mod tests {
    use super::{NeutralWords, Weight};
    use crate::linking::Lexicon;
    use crate::text::tokenize;

    #[test]
    fn words_that_change_what_is_asked_weigh() {
        let tokens = tokenize("show me the orders without invoices from Hamburg");
        let weights = NeutralWords::built_in(&crate::Words::BUILT_IN)
            .weights(&Lexicon::built_in(&crate::Words::BUILT_IN), &tokens);
        let weighty: Vec<&str> = tokens
            .iter()
            .zip(weights)
            .filter(|(_, weight)| *weight == Weight::Word)
            .map(|(token, _)| token.raw.as_str())
            .collect();
        assert_eq!(weighty, ["orders", "without", "invoices", "from", "Hamburg"]);
    }
}
