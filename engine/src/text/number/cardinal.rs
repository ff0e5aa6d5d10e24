//! Number words.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::text::piece::Piece;
use crate::text::token::TokenKind;
use crate::text::words;

static NUMBER_WORDS: LazyLock<BTreeMap<&'static str, (Class, u32)>> = LazyLock::new(|| {
    words::pairs(include_str!("../../../data/text/number_words.txt"))
        .into_iter()
        .filter_map(|(word, rest)| {
            let (class, value) = rest.split_once(' ')?;
            let class = match class {
                "dozen" => Class::Dozen,
                "hundred" => Class::Hundred,
                "ordinal" => Class::Ordinal,
                "scale" => Class::Scale,
                "teen" => Class::Teen,
                "tens" => Class::Tens,
                "unit" => Class::Unit,
                _ => return None,
            };
            Some((word, (class, value.parse().ok()?)))
        })
        .collect()
});

/// Whether a folded word is a number from one to twenty in words.
pub(crate) fn is_number_word(word: &str) -> bool {
    NUMBER_WORDS
        .get(word)
        .is_some_and(|(class, value)| *value > 0 && matches!(class, Class::Unit | Class::Teen))
}

/// Maximum distance of the "and" that belongs to a "between", in pieces.
const BETWEEN_REACH: usize = 12;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Class {
    Dozen,
    Hundred,
    Ordinal,
    Scale,
    Teen,
    Tens,
    Unit,
}

/// A number written in words.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Cardinal {
    /// Value in tenths, for "two and a half".
    pub(crate) tenths: u128,
    /// Whether the number is an ordinal.
    pub(crate) ordinal: bool,
    /// Index of the piece after the number.
    pub(crate) end: usize,
}

/// The number in words that starts at a piece.
pub(crate) fn read(pieces: &[Piece<'_>], start: usize) -> Option<Cardinal> {
    if is(pieces, start, "half") && article(pieces, start + 1) {
        let (factor, end) = multiplier(pieces, start + 2)?;
        return Some(Cardinal { tenths: factor * 5, ordinal: false, end });
    }
    let mut total = 0;
    let mut ceiling = u128::MAX;
    let mut position = start;
    loop {
        let group =
            if position == start { opening(pieces, position)? } else { group(pieces, position)? };
        if group.ordinal {
            return Some(Cardinal { tenths: total + group.tenths, ..group });
        }
        if position == start
            && is(pieces, group.end, "and")
            && article(pieces, group.end + 1)
            && is(pieces, group.end + 2, "half")
        {
            let tenths = group.tenths + 5;
            return Some(match multiplier(pieces, group.end + 3) {
                Some((factor, end)) => Cardinal { tenths: tenths * factor, ordinal: false, end },
                None => Cardinal { tenths, ordinal: false, end: group.end + 3 },
            });
        }
        let Some((factor, end)) =
            multiplier(pieces, group.end).filter(|(factor, _)| *factor < ceiling)
        else {
            return Some(Cardinal { tenths: total + group.tenths, ..group });
        };
        total += group.tenths * factor;
        ceiling = factor;
        let done = Cardinal { tenths: total, ordinal: false, end };
        if let Some(rest) = after_and(pieces, start, end) {
            return Some(Cardinal { tenths: total + rest.tenths, ..rest });
        }
        if factor == 12 || group_value(pieces, end).is_none_or(|value| value >= factor) {
            return Some(done);
        }
        position = end;
    }
}

/// Exponent of a scale word such as "million" at a piece, for numbers in digits.
pub(super) fn scale(pieces: &[Piece<'_>], position: usize) -> Option<u32> {
    class(pieces, position).filter(|(class, _)| *class == Class::Scale).map(|(_, power)| power)
}

/// Factor of "hundred", "dozen" or a scale word at a piece.
pub(super) fn factor(pieces: &[Piece<'_>], position: usize) -> Option<u128> {
    multiplier(pieces, position).map(|(factor, _)| factor)
}

/// Whether the piece is "hundred", "dozen" or a scale word.
pub(super) fn is_multiplier(pieces: &[Piece<'_>], position: usize) -> bool {
    class(pieces, position)
        .is_some_and(|(class, _)| matches!(class, Class::Dozen | Class::Hundred | Class::Scale))
}

/// The start of a number: a group, or an article before a multiplier.
fn opening(pieces: &[Piece<'_>], position: usize) -> Option<Cardinal> {
    if article(pieces, position) && is_multiplier(pieces, position + 1) {
        return Some(hundreds(pieces, position, 10, position + 1));
    }
    group(pieces, position)
}

/// A number below a hundred, with hundreds if they follow.
fn group(pieces: &[Piece<'_>], position: usize) -> Option<Cardinal> {
    let small = below_hundred(pieces, position)?;
    let tenths = small.tenths;
    Some(if small.ordinal { small } else { hundreds(pieces, position, tenths, small.end) })
}

/// Hundreds after a count, and what follows them below a hundred.
fn hundreds(pieces: &[Piece<'_>], start: usize, tenths: u128, end: usize) -> Cardinal {
    if class(pieces, end).is_none_or(|(class, _)| class != Class::Hundred) {
        return Cardinal { tenths, ordinal: false, end };
    }
    let tenths = tenths * 100;
    let after = end + 1;
    let rest = after_and(pieces, start, after).or_else(|| below_hundred(pieces, after));
    match rest {
        Some(rest) => Cardinal { tenths: tenths + rest.tenths, ..rest },
        None => Cardinal { tenths, ordinal: false, end: after },
    }
}

/// The part after "and" in hundreds or thousands, unless "and" separates two numbers.
fn after_and(pieces: &[Piece<'_>], start: usize, position: usize) -> Option<Cardinal> {
    if !is(pieces, position, "and") {
        return None;
    }
    let rest = below_hundred(pieces, position + 1)?;
    let parts_bounds = start > 0
        && is(pieces, start - 1, "between")
        && !pieces.iter().skip(rest.end).take(BETWEEN_REACH).any(|piece| piece.is_word("and"));
    (!parts_bounds && !is_multiplier(pieces, rest.end)).then_some(rest)
}

fn below_hundred(pieces: &[Piece<'_>], position: usize) -> Option<Cardinal> {
    let (first, value) = class(pieces, position)?;
    let done = |value: u32, ordinal, end| Cardinal { tenths: u128::from(value) * 10, ordinal, end };
    match first {
        Class::Ordinal => Some(done(value, true, position + 1)),
        Class::Teen | Class::Unit => Some(done(value, false, position + 1)),
        Class::Tens => Some(match class(pieces, position + 1) {
            Some((Class::Unit, unit)) if unit > 0 => done(value + unit, false, position + 2),
            Some((Class::Ordinal, unit)) if unit < 10 => done(value + unit, true, position + 2),
            _ => done(value, false, position + 1),
        }),
        Class::Dozen | Class::Hundred | Class::Scale => None,
    }
}

/// Value of the next group, to check whether it can follow a scale word.
fn group_value(pieces: &[Piece<'_>], position: usize) -> Option<u128> {
    let group = group(pieces, position)?;
    let factor = multiplier(pieces, group.end).map_or(1, |(factor, _)| factor);
    Some(group.tenths / 10 * factor)
}

/// Factor of "hundred", "dozen" or a scale word, with the index after it.
fn multiplier(pieces: &[Piece<'_>], position: usize) -> Option<(u128, usize)> {
    match class(pieces, position)? {
        (Class::Scale, power) => Some((10_u128.checked_pow(power)?, position + 1)),
        (Class::Dozen | Class::Hundred, factor) => Some((u128::from(factor), position + 1)),
        _ => None,
    }
}

fn class(pieces: &[Piece<'_>], position: usize) -> Option<(Class, u32)> {
    let piece = pieces.get(position).filter(|piece| piece.kind == TokenKind::Word)?;
    NUMBER_WORDS.get(piece.text).copied()
}

fn article(pieces: &[Piece<'_>], position: usize) -> bool {
    is(pieces, position, "a") || is(pieces, position, "an")
}

fn is(pieces: &[Piece<'_>], position: usize, word: &str) -> bool {
    pieces.get(position).is_some_and(|piece| piece.is_word(word))
}
