//! Text analysis: tokens, numbers, time expressions and stems.

mod akin;
mod fold;
mod hash;
mod number;
mod piece;
mod postings;
mod preface;
mod span;
mod stem;
mod time;
mod token;
mod turn;
mod words;

pub(crate) use akin::akin;
pub use fold::fold;
pub(crate) use fold::{letters_of, runs};
pub(crate) use hash::hash;
pub use number::{NumberMention, numbers};
pub(crate) use postings::Postings;
pub use span::Span;
pub(crate) use stem::Stems;
pub use stem::stem;
pub(crate) use time::weekday_words;
pub use time::{TimeKind, TimeMention, time_expressions};
pub(crate) use token::currency;
pub use token::{Token, TokenKind, tokenize};
pub(crate) use turn::{Reworded, TurnIndex};
