//! Text: tokens, numbers, time expressions and the words that carry structure.

mod fold;
mod span;
mod stem;
mod token;
mod words;

pub use fold::fold;
pub use span::Span;
pub use stem::stem;
pub use token::{Token, TokenKind, tokenize};
