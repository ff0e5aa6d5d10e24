//! Pieces: tokens with hyphenated words split up, as input for the number and time grammars.

use super::token::{Token, TokenKind};

/// A token, or one part of a hyphenated word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    /// Folded text.
    pub(crate) text: &'a str,
    /// Kind of the piece's token.
    pub(crate) kind: TokenKind,
    /// Index of the piece's token.
    pub(crate) token: usize,
    /// Whether the piece is the first of its token.
    pub(crate) first: bool,
    /// Whether the piece is the last of its token.
    pub(crate) last: bool,
    /// Whether the piece is a whole token in title case.
    pub(crate) title_case: bool,
}

impl Piece<'_> {
    /// Whether the piece is this word, or part of a word with this text.
    pub(crate) fn is_word(&self, text: &str) -> bool {
        self.kind == TokenKind::Word && self.text == text
    }

    /// Whether the piece is one of these punctuation marks or symbols.
    pub(crate) fn is_mark(&self, marks: &[&str]) -> bool {
        matches!(self.kind, TokenKind::Punctuation | TokenKind::Symbol)
            && marks.contains(&self.text)
    }
}

/// Pieces of tokens, in order.
pub(crate) fn pieces(tokens: &[Token]) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.iter().enumerate() {
        let piece = Piece {
            text: &token.folded,
            kind: token.kind,
            token: index,
            first: true,
            last: true,
            title_case: is_title_case(&token.raw),
        };
        if token.kind != TokenKind::Word || !token.folded.contains('-') {
            pieces.push(piece);
            continue;
        }
        let start = pieces.len();
        for text in token.folded.split('-').filter(|text| !text.is_empty()) {
            pieces.push(Piece {
                text,
                first: pieces.len() == start,
                last: false,
                title_case: false,
                ..piece
            });
        }
        if let Some(end) = pieces.last_mut() {
            end.last = true;
        }
    }
    pieces
}

fn is_title_case(raw: &str) -> bool {
    let mut letters = raw.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
}
