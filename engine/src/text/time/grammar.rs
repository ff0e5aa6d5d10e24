//! Input of the time grammar: pieces with their word classes, and today.

use crate::day::Date;

use super::calendar::Unit;
use super::lexicon::{Class, Relation, classes, phrases};
use crate::text::number::cardinal;
use crate::text::piece::Piece;
use crate::text::token::TokenKind;

/// Maximum count of units in a length of time.
const LONGEST_COUNT: u128 = 100_000;

/// The pieces of a question, and the day on which it is asked.
pub(super) struct Grammar<'a> {
    pub(super) pieces: &'a [Piece<'a>],
    classes: Vec<&'static [(Class, i32)]>,
    pub(super) today: Date,
    /// First month of the fiscal year, 1 to 12.
    pub(super) fiscal_year_start: u8,
}

impl<'a> Grammar<'a> {
    pub(super) fn new(pieces: &'a [Piece<'a>], today: Date, fiscal_year_start: u8) -> Self {
        let classes = pieces
            .iter()
            .map(|piece| if piece.kind == TokenKind::Word { classes(piece.text) } else { &[] })
            .collect();
        let known = (1..=12).contains(&fiscal_year_start);
        let fiscal_year_start = if known { fiscal_year_start } else { 1 };
        Self { pieces, classes, today, fiscal_year_start }
    }

    /// The value of a piece in a word class; `None` if it is not in the class.
    pub(super) fn value(&self, position: usize, class: Class) -> Option<i32> {
        self.classes
            .get(position)?
            .iter()
            .find(|(candidate, _)| *candidate == class)
            .map(|(_, value)| *value)
    }

    /// Whether a piece is in a word class.
    pub(super) fn is(&self, position: usize, class: Class) -> bool {
        self.value(position, class).is_some()
    }

    /// Whether the preceding piece is in a word class.
    pub(super) fn follows(&self, position: usize, class: Class) -> bool {
        position.checked_sub(1).is_some_and(|before| self.is(before, class))
    }

    /// The position after a piece of this class; the same position if the piece is not in the class.
    pub(super) fn skip(&self, position: usize, class: Class) -> usize {
        position + usize::from(self.is(position, class))
    }

    /// Whether the piece is this word.
    pub(super) fn word(&self, position: usize, text: &str) -> bool {
        self.pieces.get(position).is_some_and(|piece| piece.is_word(text))
    }

    /// Whether the piece is one of these punctuation marks.
    pub(super) fn mark(&self, position: usize, marks: &[&str]) -> bool {
        self.pieces.get(position).is_some_and(|piece| piece.is_mark(marks))
    }

    /// Text of a word or number piece.
    pub(super) fn text(&self, position: usize) -> Option<&'a str> {
        self.pieces
            .get(position)
            .filter(|piece| matches!(piece.kind, TokenKind::Number | TokenKind::Word))
            .map(|piece| piece.text)
    }

    /// The unit at a position.
    pub(super) fn unit(&self, position: usize) -> Option<Unit> {
        self.value(position, Class::Unit).and_then(Unit::from_value)
    }

    /// The month at a position, 1 to 12, and whether its name is also an ordinary word.
    pub(super) fn month(&self, position: usize) -> Option<(u8, bool)> {
        let named = |class| self.value(position, class).and_then(|value| u8::try_from(value).ok());
        named(Class::Month)
            .map(|month| (month, false))
            .or_else(|| named(Class::MonthOrdinary).map(|month| (month, true)))
    }

    /// Position after the name of a month, including the period of an abbreviation before a number.
    pub(super) fn after_month(&self, position: usize) -> usize {
        let next = position + 1;
        let abbreviated = self.mark(next, &["."])
            && self.pieces.get(next + 1).is_some_and(|piece| piece.kind == TokenKind::Number);
        next + usize::from(abbreviated)
    }

    /// Phrases with one of these relations that start at a position, longest first, with the position after each.
    pub(super) fn relations(
        &self,
        position: usize,
        wanted: &'static [Relation],
    ) -> impl Iterator<Item = (Relation, usize)> + '_ {
        let group = self.text(position).map_or(&[][..], phrases);
        group.iter().filter_map(move |phrase| {
            let fits = wanted.contains(&phrase.relation)
                && phrase
                    .words
                    .iter()
                    .enumerate()
                    .all(|(offset, word)| self.word(position + offset, word));
            fits.then_some((phrase.relation, position + phrase.words.len()))
        })
    }

    /// A four-digit year from 1900 to 2100.
    pub(super) fn year(&self, position: usize) -> Option<i16> {
        let digits = self.text(position).filter(|text| text.len() == 4)?;
        self.whole_number(position)?;
        digits.parse().ok().filter(|year| (1900..=2100).contains(year))
    }

    /// A two-digit year; see [`Self::full_year`].
    pub(super) fn short_year(&self, position: usize) -> Option<i16> {
        let digits = self.text(position).filter(|text| text.len() == 2)?;
        self.whole_number(position)?;
        self.full_year(digits)
    }

    /// The year that two digits stand for: at most 20 years after today's, otherwise in the last century.
    pub(super) fn full_year(&self, digits: &str) -> Option<i16> {
        let year: i16 = digits.parse().ok()?;
        let century = if year > (self.today.year() + 20) % 100 { 1900 } else { 2000 };
        Some(century + year)
    }

    /// An integer in digits.
    pub(super) fn whole_number(&self, position: usize) -> Option<u32> {
        let text = self.text(position).filter(|text| text.len() <= 9)?;
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
    }

    /// A day of the month, in digits or as an ordinal, with the position after it.
    pub(super) fn day_of_month(&self, position: usize) -> Option<(u8, usize)> {
        let (day, end) = self
            .whole_number(position)
            .map(|day| (day, position + 1))
            .or_else(|| self.ordinal(position))?;
        u8::try_from(day).ok().filter(|day| (1..=31).contains(day)).map(|day| (day, end))
    }

    /// An ordinal, with the position after it.
    pub(super) fn ordinal(&self, position: usize) -> Option<(u32, usize)> {
        let text = self.text(position)?;
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| text.strip_suffix(ending));
        if let Some(value) = digits.and_then(|digits| digits.parse().ok()) {
            return Some((value, position + 1));
        }
        let named = cardinal::read(self.pieces, position).filter(|named| named.ordinal)?;
        Some((u32::try_from(named.tenths / 10).ok()?, named.end))
    }

    /// A count of units, in digits or words, with the position after it.
    pub(super) fn count(&self, position: usize) -> Option<(i64, usize)> {
        let text = self.text(position)?;
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            let digits: String = text.split(',').collect();
            let plain = digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
            let count: u32 = plain.then(|| digits.parse().ok()).flatten()?;
            return (u128::from(count) <= LONGEST_COUNT)
                .then_some((i64::from(count), position + 1));
        }
        let start = position + usize::from(self.word(position, "a"));
        if self.word(start, "couple") {
            return Some((2, start + 1 + usize::from(self.word(start + 1, "of"))));
        }
        let named = cardinal::read(self.pieces, position)
            .filter(|named| !named.ordinal && named.tenths % 10 == 0)?;
        let count = Some(named.tenths / 10).filter(|count| *count <= LONGEST_COUNT)?;
        Some((i64::try_from(count).ok()?, named.end))
    }

    /// A count and its unit ("30 days", "30-day", "two weeks"); with `article_counts` also "a week".
    pub(super) fn length(
        &self,
        position: usize,
        article_counts: bool,
    ) -> Option<(i64, Unit, usize)> {
        let article = article_counts && (self.word(position, "a") || self.word(position, "an"));
        let (count, end) = if article && self.unit(position + 1).is_some() {
            (1, position + 1)
        } else {
            self.count(position).filter(|(count, _)| *count > 0)?
        };
        let end = self.skip(end + usize::from(self.mark(end, &["-"])), Class::Whole);
        Some((count, self.unit(end)?, end + 1))
    }
}
