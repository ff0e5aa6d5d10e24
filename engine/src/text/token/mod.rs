//! Tokens of a question.

mod number;
mod quote;
mod word;

pub(crate) use number::{currency, magnitude};

use super::fold::{fold, is_invisible, is_word_character};
use super::{Span, stem};

/// Kind of a token.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum TokenKind {
    /// Digits with separators, sign, currency symbol or suffix; also calendar dates and times of day.
    Number,
    /// Punctuation.
    Punctuation,
    /// A quoted literal.
    Quoted,
    /// Operators, standalone currency symbols, emoji.
    Symbol,
    /// Letters, with digits and inner joiners such as hyphens.
    Word,
}

/// A token of a question.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Token {
    /// Span in the question; for a quoted literal, including the quotation marks.
    pub span: Span,
    /// The text as written; for a quoted literal, without the quotation marks.
    pub raw: String,
    /// The text in lower case, without accents and possessive endings.
    pub folded: String,
    /// Stem of a word; for other tokens the folded text.
    pub stem: String,
    /// Kind.
    pub kind: TokenKind,
}

impl Token {
    /// Parts of the folded text, split at hyphens, slashes, underscores, ampersands, periods and at signs.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.folded.split(is_joiner).filter(|piece| !piece.is_empty())
    }

    /// Whether the token is a word with this folded text.
    pub fn is_word(&self, folded: &str) -> bool {
        self.kind == TokenKind::Word && self.folded == folded
    }

    fn new(text: &str, start: usize, end: usize, kind: TokenKind) -> Self {
        let raw = text.get(start..end).unwrap_or_default();
        let folded = match kind {
            TokenKind::Number | TokenKind::Word => without_possessive(fold(raw)),
            TokenKind::Punctuation | TokenKind::Quoted | TokenKind::Symbol => fold(raw),
        };
        let stem = if kind == TokenKind::Word { stem::stem(&folded) } else { folded.clone() };
        Self { span: Span::new(start, end), raw: raw.to_owned(), folded, stem, kind }
    }
}

/// The tokens of a text in order; white space, control characters and invisible characters separate them.
///
/// A word includes inner hyphens, slashes, ampersands, periods, at signs and apostrophes ("AC/DC", "full-thickness",
/// "O'Neil"). A number includes separators, sign, currency symbol, percent sign and suffix ("$1,000", "10k", "5th"),
/// and calendar dates are single tokens ("2025-03-01", "05/01/2023"); a unit after digits is a separate word ("5cm").
/// An apostrophe inside a word, or without a closing one, does not start a quotation.
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut position = 0;
    while let Some(character) = at(text, position) {
        if character.is_whitespace() || character.is_control() || is_invisible(character) {
            position += character.len_utf8();
            continue;
        }
        let token = quote::scan(text, position)
            .or_else(|| number::scan(text, position))
            .or_else(|| word::scan(text, position))
            .unwrap_or_else(|| mark(text, position, character));
        position = (token.span.end as usize).max(position + character.len_utf8());
        tokens.push(token);
    }
    tokens
}

/// Whether the character joins two parts of a word.
pub(crate) fn is_joiner(character: char) -> bool {
    matches!(character, '-' | '/' | '_' | '&' | '.' | '@' | '\u{2010}' | '\u{2011}')
}

/// The character that starts at a byte.
fn at(text: &str, position: usize) -> Option<char> {
    text.get(position..)?.chars().next()
}

/// The character that ends before a byte.
fn before(text: &str, position: usize) -> Option<char> {
    text.get(..position)?.chars().next_back()
}

fn starts_word(text: &str, position: usize) -> bool {
    at(text, position).is_some_and(is_word_character)
}

fn mark(text: &str, position: usize, character: char) -> Token {
    let single = position + character.len_utf8();
    if let Some(pair) = text.get(position..position + 2)
        && matches!(pair, ">=" | "<=" | "<>" | "!=" | "==" | "=>" | "=<")
    {
        return Token::new(text, position, position + 2, TokenKind::Symbol);
    }
    let punctuation = matches!(character,
        '!' | '"' | '\'' | '(' | ')' | ',' | '-' | '.' | ':' | ';' | '?' | '[' | ']' | '_' | '{' | '}'
        | '¡' | '«' | '·' | '»' | '¿' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}'
        | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '！' | '，' | '．' | '：' | '；' | '？');
    let kind = if punctuation { TokenKind::Punctuation } else { TokenKind::Symbol };
    Token::new(text, position, single, kind)
}

fn without_possessive(mut folded: String) -> String {
    if folded.ends_with("'s") {
        folded.truncate(folded.len() - 2);
    } else if folded.ends_with('\'') {
        folded.pop();
    }
    folded
}
