//! Spans of a question.

use serde::{Deserialize, Serialize};

/// A range of a question in UTF-8 bytes; hosts that count UTF-16 code units convert with [`Span::to_utf16`].
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize,
)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`, in bytes.
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start: u32::try_from(start).unwrap_or(u32::MAX),
            end: u32::try_from(end).unwrap_or(u32::MAX),
        }
    }

    /// The smallest span that covers both spans.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether the two spans share a byte.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether the other span lies within this one.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The text of the span; empty if the span does not fit the text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// The same span in UTF-16 code units of `text`.
    #[must_use]
    pub fn to_utf16(self, text: &str) -> Self {
        let units = |byte: u32| {
            text.char_indices()
                .take_while(|(index, _)| *index < byte as usize)
                .map(|(_, character)| character.len_utf16())
                .sum::<usize>()
        };
        Self::new(units(self.start), units(self.end))
    }
}
