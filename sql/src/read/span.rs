//! Conversion of the parser's lines and columns to byte offsets.

use sqlparser::tokenizer::{Location, Span};

use crate::tree::SqlSpan;

/// Start offsets of the lines of a text.
pub(crate) struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// Whether every character is one byte.
    is_ascii: bool,
}

impl<'a> LineIndex<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let breaks = text.match_indices('\n').map(|(index, _)| index + 1);
        Self { text, starts: std::iter::once(0).chain(breaks).collect(), is_ascii: text.is_ascii() }
    }

    /// Byte range of a parser span; an absent span is the start of the text.
    pub(crate) fn span(&self, span: Span) -> SqlSpan {
        let start = self.offset(span.start);
        SqlSpan { start: start as u32, end: self.offset(span.end).max(start) as u32 }
    }

    /// Whether the text at a position starts with a character.
    pub(crate) fn starts_with(&self, place: SqlSpan, character: char) -> bool {
        self.text.get(place.start as usize..).is_some_and(|rest| rest.starts_with(character))
    }

    /// Whether the text before a position ends with a keyword.
    pub(crate) fn follows(&self, place: SqlSpan, keyword: &str) -> bool {
        let before = self.text.get(..place.start as usize).unwrap_or_default().trim_end();
        let start = before.len().checked_sub(keyword.len());
        start
            .and_then(|start| before.get(start..))
            .is_some_and(|it| it.eq_ignore_ascii_case(keyword))
    }

    /// Splits the suffix ` at Line: 1, Column: 8` off a parser message, and returns that position.
    pub(crate) fn split_message<'m>(&self, message: &'m str) -> (&'m str, SqlSpan) {
        let place = message.rsplit_once(" at Line: ").and_then(|(text, place)| {
            let (line, column) = place.split_once(", Column: ")?;
            let at = self.offset(Location::new(line.parse().ok()?, column.parse().ok()?)) as u32;
            Some((text, SqlSpan { start: at, end: at }))
        });
        place.unwrap_or((message, SqlSpan::default()))
    }

    /// Byte offset of a location; lines and columns start at 1, and columns count characters.
    pub(crate) fn offset(&self, place: Location) -> usize {
        let (Some(line), Some(column)) = (place.line.checked_sub(1), place.column.checked_sub(1))
        else {
            return 0;
        };
        let Some(start) = usize::try_from(line).ok().and_then(|line| self.starts.get(line)) else {
            return self.text.len();
        };
        let skipped = usize::try_from(column).unwrap_or(usize::MAX);
        if self.is_ascii {
            return start.saturating_add(skipped).min(self.text.len());
        }
        let rest = &self.text[*start..];
        start + rest.char_indices().nth(skipped).map_or(rest.len(), |(index, _)| index)
    }
}
