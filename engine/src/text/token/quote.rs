//! Quoted literals.

use super::{Token, TokenKind, at, before, starts_word};
use crate::text::Span;
use crate::text::fold::{fold, is_word_character};

/// Maximum length of a literal, in bytes; an opening quotation mark without a closing one within this distance is
/// ignored.
const LONGEST_LITERAL: usize = 400;

/// The literal whose opening mark is at `position`.
pub(super) fn scan(text: &str, position: usize) -> Option<Token> {
    let open = at(text, position)?;
    let closing: &[char] = match open {
        '\'' => &['\''],
        '"' => &['"'],
        '“' => &['”', '"'],
        '„' => &['“', '”'],
        '‘' => &['’', '\''],
        '«' => &['»'],
        _ => return None,
    };
    if before(text, position).is_some_and(is_word_character) {
        return None;
    }
    let start = position + open.len_utf8();
    if at(text, start)?.is_whitespace() {
        return None;
    }
    let end = closing_mark(text, start, closing)?;
    let mut raw = text.get(start..end)?.to_owned();
    if matches!(open, '\'' | '"') {
        raw = raw.replace(&format!("{open}{open}"), &open.to_string());
    }
    let folded = fold(&raw);
    let close = at(text, end)?;
    Some(Token {
        span: Span::new(position, end + close.len_utf8()),
        raw,
        stem: folded.clone(),
        folded,
        kind: TokenKind::Quoted,
    })
}

/// Offset of the first closing mark that is neither an apostrophe nor doubled; `None` if the literal is empty or too long.
fn closing_mark(text: &str, start: usize, closing: &[char]) -> Option<usize> {
    let mut position = start;
    while position - start <= LONGEST_LITERAL {
        let character = at(text, position)?;
        let next = position + character.len_utf8();
        if closing.contains(&character) {
            let doubled = closing.len() == 1 && at(text, next) == Some(character);
            if doubled {
                position = next + character.len_utf8();
                continue;
            }
            let apostrophe = matches!(character, '\'' | '’')
                && (starts_word(text, next)
                    || before(text, position).is_some_and(char::is_whitespace));
            if !apostrophe {
                return (position > start).then_some(position);
            }
        }
        position = next;
    }
    None
}
