//! Numbers in a question, in digits and in words.

pub(crate) mod cardinal;
mod decimal;

use std::ops::Range;

use decimal::Decimal;

use super::Span;
use super::piece::{Piece, pieces};
use super::token::{Token, TokenKind, currency};

/// A number in a question.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberMention {
    /// Span in the question, including an adjacent currency or percent sign.
    pub span: Span,
    /// Indices of the tokens in the number.
    pub tokens: Range<usize>,
    /// Digits with at most one decimal point and a leading minus; for a percentage, the number before the sign.
    pub value: String,
    /// The value as a floating-point number.
    pub number: f64,
    /// Whether the number is an ordinal ("5th", "fifth").
    pub ordinal: bool,
    /// Whether the number is a percentage.
    pub percent: bool,
    /// ISO 4217 code of the number's currency; `$` is read as USD.
    pub currency: Option<String>,
    /// Whether the words may not mean a number: "one", "first", "second", "a couple", "hundred" without a count.
    pub weak: bool,
}

/// Numbers in question order; dates, times of day and quoted literals are skipped.
///
/// Digits can have thousands separators, a sign, a currency symbol, `%`, a suffix (`k`, `M`, `bn`) or an ordinal
/// ending, and can be followed by a scale word ("2.5 million"). Words range from "zero" to "nine hundred trillion",
/// with "a hundred", "a dozen", "half a million", "two and a half million" and ordinals up to "hundredth". A scale word
/// behind a range holds for both of its ends: "between 5 and 10 thousand".
pub fn numbers(tokens: &[Token]) -> Vec<NumberMention> {
    let pieces = pieces(tokens);
    let mut phrases: Vec<NumberPhrase> = Vec::new();
    let mut position = 0;
    while position < pieces.len() {
        let found = if pieces[position].first { read(&pieces, position) } else { None };
        match found.filter(|found| pieces[found.end - 1].last) {
            Some(found) => {
                position = found.end;
                if let Some(low) = phrases.last_mut() {
                    share_scale(&pieces, low, &found);
                }
                phrases.push(found);
            }
            None => position += 1,
        }
    }
    phrases.into_iter().map(|found| mention(tokens, &pieces, found)).collect()
}

/// Multiplies the lower end of a range by the scale word behind its upper end.
fn share_scale(pieces: &[Piece<'_>], low: &mut NumberPhrase, high: &NumberPhrase) {
    let word =
        |position: usize, text: &str| pieces.get(position).is_some_and(|piece| piece.text == text);
    let between = low.start.checked_sub(1).is_some_and(|before| word(before, "between"));
    let joined = ["to", "-", "–", "—"].iter().any(|joint| word(low.end, joint))
        || between && word(low.end, "and");
    let number = |value: &Decimal| value.text().parse::<f64>().unwrap_or(f64::MAX);
    let Some(power) = high.scale.filter(|_| joined && low.end + 1 == high.start) else { return };
    let lower = number(&low.value.clone().shifted(power)) < number(&high.value);
    if lower && low.scale.is_none() && !low.ordinal && !low.percent {
        low.value = low.value.clone().shifted(power);
    }
}

/// A number with its range of pieces.
struct NumberPhrase {
    start: usize,
    end: usize,
    value: Decimal,
    /// Power of ten of the scale word behind digits.
    scale: Option<u32>,
    ordinal: bool,
    percent: bool,
    currency: Option<&'static str>,
    weak: bool,
}

fn read(pieces: &[Piece<'_>], start: usize) -> Option<NumberPhrase> {
    let mut found = match pieces.get(start)?.kind {
        TokenKind::Number => digits(pieces, start)?,
        TokenKind::Word => in_words(pieces, start)?,
        TokenKind::Punctuation | TokenKind::Quoted | TokenKind::Symbol => return None,
    };
    if !found.ordinal {
        neighbours(pieces, &mut found);
    }
    Some(found)
}

fn digits(pieces: &[Piece<'_>], start: usize) -> Option<NumberPhrase> {
    let written = decimal::read(pieces.get(start)?.text)?;
    let mut found = NumberPhrase {
        start,
        end: start + 1,
        value: written.value,
        scale: None,
        ordinal: written.ordinal,
        percent: written.percent,
        currency: written.currency,
        weak: false,
    };
    if let Some(power) =
        cardinal::scale(pieces, start + 1).filter(|_| !found.ordinal && !found.percent)
    {
        found.value = found.value.shifted(power);
        found.scale = Some(power);
        found.end += 1;
    }
    Some(found)
}

fn in_words(pieces: &[Piece<'_>], start: usize) -> Option<NumberPhrase> {
    let word =
        |position: usize, text: &str| pieces.get(position).is_some_and(|piece| piece.is_word(text));
    let (cardinal, weak) = if let Some(cardinal) = cardinal::read(pieces, start) {
        let bare = cardinal.end == start + 1;
        (cardinal, bare && (word(start, "one") || word(start, "first") || word(start, "second")))
    } else if word(start, "a") && word(start + 1, "couple") {
        (cardinal::Cardinal { tenths: 20, ordinal: false, end: start + 2 }, true)
    } else if cardinal::is_multiplier(pieces, start) {
        let tenths = 10;
        let cardinal = cardinal::Cardinal { tenths, ordinal: false, end: start };
        (scaled(pieces, cardinal)?, true)
    } else {
        return None;
    };
    Some(NumberPhrase {
        start,
        end: cardinal.end,
        value: Decimal::from_tenths(cardinal.tenths),
        scale: None,
        ordinal: cardinal.ordinal,
        percent: false,
        currency: None,
        weak,
    })
}

/// A number in words multiplied by a following scale word.
fn scaled(pieces: &[Piece<'_>], count: cardinal::Cardinal) -> Option<cardinal::Cardinal> {
    let factor = cardinal::factor(pieces, count.end)?;
    Some(cardinal::Cardinal { tenths: count.tenths * factor, end: count.end + 1, ..count })
}

/// Adds an adjacent percent sign or currency to a number.
fn neighbours(pieces: &[Piece<'_>], found: &mut NumberPhrase) {
    let word_or_symbol = |position: usize| {
        pieces
            .get(position)
            .filter(|piece| matches!(piece.kind, TokenKind::Symbol | TokenKind::Word))
            .map(|piece| piece.text)
    };
    if !found.percent && found.currency.is_none() {
        match word_or_symbol(found.end) {
            Some("%" | "percent" | "pct") => {
                found.percent = true;
                found.end += 1;
            }
            Some("per") if word_or_symbol(found.end + 1) == Some("cent") => {
                found.percent = true;
                found.end += 2;
            }
            Some(text) => {
                if let Some(code) = currency(text) {
                    found.currency = Some(code);
                    found.end += 1;
                }
            }
            None => {}
        }
    }
    if !found.percent
        && found.currency.is_none()
        && let Some(before) = found.start.checked_sub(1)
        && pieces.get(before).is_some_and(|piece| piece.first && piece.last)
        && let Some(code) = word_or_symbol(before)
            .filter(|text| text.len() == 3 || !text.is_ascii() || *text == "$")
            .and_then(currency)
    {
        found.currency = Some(code);
        found.start = before;
    }
}

fn mention(tokens: &[Token], pieces: &[Piece<'_>], found: NumberPhrase) -> NumberMention {
    let range = pieces[found.start].token..pieces[found.end - 1].token + 1;
    let value = found.value.text();
    NumberMention {
        span: tokens[range.start].span.union(tokens[range.end - 1].span),
        tokens: range,
        number: value.parse().unwrap_or(0.0),
        value,
        ordinal: found.ordinal,
        percent: found.percent,
        currency: found.currency.map(str::to_owned),
        weak: found.weak,
    }
}
