//! Tokens that start with digits: numbers, calendar dates and times of day.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::{Token, TokenKind, at, before, starts_word};
use crate::text::fold::{fold, is_apostrophe, is_word_character};
use crate::text::words;

/// Maximum length of a time of day with a zone, in bytes.
const LONGEST_CLOCK: usize = 32;

static CURRENCIES: LazyLock<BTreeMap<&'static str, &'static str>> =
    LazyLock::new(|| words::pairs(include_str!("../../../data/text/currencies.txt")));
static MAGNITUDES: LazyLock<BTreeMap<&'static str, &'static str>> =
    LazyLock::new(|| words::pairs(include_str!("../../../data/text/magnitudes.txt")));
static UNITS: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| words::set(include_str!("../../../data/text/units.txt")));

/// ISO 4217 code of a currency symbol, code or word.
pub(crate) fn currency(folded: &str) -> Option<&'static str> {
    CURRENCIES.get(folded).copied()
}

/// Exponent of the power of ten that a suffix such as `k` stands for.
pub(crate) fn magnitude(suffix: &str) -> Option<u32> {
    MAGNITUDES.get(suffix)?.parse().ok()
}

/// The number token that starts at `position`, including its prefix and suffix.
pub(super) fn scan(text: &str, position: usize) -> Option<Token> {
    if before(text, position).is_some_and(is_word_character) {
        return None;
    }
    let body = after_prefix(text, position);
    if body == position
        && let Some(end) = calendar_date(text, position).or_else(|| time_of_day(text, position))
    {
        return Some(Token::new(text, position, end, TokenKind::Number));
    }
    let digits = decimal(text, body)?;
    let end = with_suffix(text, digits)?;
    Some(Token::new(text, position, end, TokenKind::Number))
}

/// Offset after a sign and a currency symbol.
fn after_prefix(text: &str, position: usize) -> usize {
    let mut body = position;
    let apart = before(text, position).is_none_or(|character| {
        character.is_whitespace() || matches!(character, '(' | '=' | '<' | '>' | ',')
    });
    if apart && matches!(at(text, body), Some('-' | '+' | '\u{2212}')) {
        body += at(text, body).map_or(0, char::len_utf8);
    }
    if let Some(symbol) = at(text, body)
        && !symbol.is_alphanumeric()
        && currency(symbol.encode_utf8(&mut [0; 4])).is_some()
    {
        body += symbol.len_utf8();
    }
    body
}

/// Offset after digits with thousands separators and a fraction.
fn decimal(text: &str, start: usize) -> Option<usize> {
    let whole = digits(text, start);
    let mut end = start + whole;
    if (1..=3).contains(&whole) {
        while let Some(mark) = at(text, end)
            && matches!(mark, ',' | '\u{a0}' | '\u{202f}')
            && digits(text, end + mark.len_utf8()) == 3
        {
            end += mark.len_utf8() + 3;
        }
    }
    if at(text, end) == Some('.') {
        let fraction = digits(text, end + 1);
        if fraction > 0 {
            end += 1 + fraction;
        }
    }
    (end > start).then_some(end)
}

/// Offset after a percent sign, currency symbol, magnitude suffix, ordinal or possessive ending; `None` if the digits
/// are part of a word.
fn with_suffix(text: &str, end: usize) -> Option<usize> {
    let Some(next) = at(text, end) else { return Some(end) };
    if is_word_character(next) {
        let letters: usize = text
            .get(end..)?
            .chars()
            .take_while(|character| is_word_character(*character))
            .map(char::len_utf8)
            .sum();
        let suffix = fold(text.get(end..end + letters)?);
        if UNITS.contains(suffix.as_str()) {
            return Some(end);
        }
        let known = magnitude(&suffix).is_some() || matches!(&*suffix, "st" | "nd" | "rd" | "th");
        return known.then_some(end + letters);
    }
    if next == '.' && digits(text, end + 1) > 0 {
        return None;
    }
    if next == '%' || currency(next.encode_utf8(&mut [0; 4])).is_some() {
        return Some(end + next.len_utf8());
    }
    let possessive = end + next.len_utf8();
    if is_apostrophe(next)
        && at(text, possessive) == Some('s')
        && !starts_word(text, possessive + 1)
    {
        return Some(possessive + 1);
    }
    Some(end)
}

/// Offset after a date in digits: year first, with or without a day, or year last.
fn calendar_date(text: &str, start: usize) -> Option<usize> {
    let first = digits(text, start);
    let mark = at(text, start + first)?;
    if !matches!(mark, '-' | '/' | '.') || !matches!(first, 1 | 2 | 4) {
        return None;
    }
    let second_start = start + first + 1;
    let second = digits(text, second_start);
    if !(1..=2).contains(&second) {
        return None;
    }
    let mut end = second_start + second;
    let third = if at(text, end) == Some(mark) { digits(text, end + 1) } else { 0 };
    match (first, third) {
        (4, 1 | 2) | (1 | 2, 4) => end += 1 + third,
        (1 | 2, 2) if mark == '/' => end += 1 + third,
        (4, 0) if mark == '-' && second == 2 => {
            let month: u8 = text.get(second_start..end)?.parse().ok()?;
            if !(1..=12).contains(&month) {
                return None;
            }
        }
        _ => return None,
    }
    if first == 4 && matches!(at(text, end), Some('T' | 't')) && digits(text, end + 1) == 2 {
        end = clock(text, end + 1)?;
    }
    let goes_on = starts_word(text, end)
        || at(text, end).is_some_and(|next| next == mark && digits(text, end + 1) > 0);
    (!goes_on).then_some(end)
}

/// Offset after a time of day such as `10:30`.
fn time_of_day(text: &str, start: usize) -> Option<usize> {
    let hours = digits(text, start);
    let minutes = start + hours + 1;
    ((1..=2).contains(&hours) && at(text, minutes - 1) == Some(':') && digits(text, minutes) == 2)
        .then(|| clock(text, start))
        .flatten()
        .filter(|end| !starts_word(text, *end))
}

/// Offset after hours, minutes, seconds and a zone.
fn clock(text: &str, start: usize) -> Option<usize> {
    let length: usize = text
        .get(start..)?
        .bytes()
        .take(LONGEST_CLOCK)
        .take_while(|byte| {
            byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'Z' | b'z' | b'+')
        })
        .count();
    let trailing = text.get(start..start + length)?.trim_end_matches([':', '.', '+']);
    Some(start + trailing.len())
}

/// Number of consecutive ASCII digits from `start` on.
fn digits(text: &str, start: usize) -> usize {
    text.get(start..).map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count())
}
