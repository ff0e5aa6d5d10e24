//! Words.

use super::{Token, TokenKind, at, is_joiner, starts_word};
use crate::text::fold::{is_apostrophe, is_invisible, is_word_character};

/// The word that starts at `position`.
pub(super) fn scan(text: &str, position: usize) -> Option<Token> {
    starts_word(text, position)
        .then(|| Token::new(text, position, end(text, position), TokenKind::Word))
}

/// Offset after the word that starts at `position`, including a possessive ending.
fn end(text: &str, position: usize) -> usize {
    let mut end = position;
    let mut last = None;
    while let Some(character) = at(text, end) {
        let next = end + character.len_utf8();
        let inside = is_word_character(character)
            || (is_invisible(character) || is_joiner(character) || is_apostrophe(character))
                && starts_word(text, next);
        if !inside {
            let plural_possessive = is_apostrophe(character) && matches!(last, Some('s' | 'S'));
            return if plural_possessive { next } else { end };
        }
        last = Some(character);
        end = next;
    }
    end
}
