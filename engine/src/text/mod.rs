//! Text: tokens, numbers, time expressions and the words that carry structure.

mod span;

pub use span::Span;
