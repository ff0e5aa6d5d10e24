//! Sizes of the results of calls.

use crate::Dialect;
use crate::tree::{Argument, Expr, FunctionCall, Literal};

use super::constants;
use super::formats::{self, Conversion};
use super::functions::{self, Growth};
use super::size::{Form, Size, all, longest};

/// Most characters that a conversion of a format writes without a width: a number with all its digits.
const CONVERTED: u64 = 350;

/// Most characters that one character of a format of dates or numbers stands for.
const TEMPLATE: u64 = 10;

/// Characters of indentation per nested JSON value, and the length up to which a JSON value counts as little nested.
const INDENTATION: u64 = 4;
const LITTLE_NESTED: u64 = 10_000;

/// Size of the result of a call, from the sizes of its arguments; a cut at more than `max_generated` characters does not
/// count.
pub(super) fn of_call(
    call: &FunctionCall,
    dialect: Dialect,
    sizes: Vec<Size>,
    max_generated: u64,
) -> Size {
    let entry = functions::function(&call.name, dialect);
    let growth = entry.map(|entry| entry.growth).unwrap_or_default();
    let form = entry.and_then(|entry| entry.form);
    let has_wildcard = entry.is_some_and(|entry| entry.wildcard);
    let size = match growth {
        Growth::Longest => {
            let size = longest(sizes);
            let has_wildcard = size.has_wildcard || has_wildcard;
            return Size { form: form.unwrap_or(size.form), has_wildcard, ..size };
        }
        Growth::Short => Size::short(),
        Growth::Number => constants::of_large_number(),
        Growth::Format => of_format(call, sizes),
        Growth::Joined if form == Some(Form::List) => all(sizes),
        Growth::Joined => all(sizes.into_iter().map(Size::in_text)),
        Growth::Separated => separated(sizes),
        Growth::Wrapped(factor) => all(sizes.into_iter().map(|size| match form {
            Some(Form::Json) => size.in_json(),
            _ => size.in_text().quoted(factor),
        })),
        Growth::Collected => all(sizes.into_iter().map(|size| match form {
            Some(Form::Json) => size.in_json(),
            _ => size.many(),
        }))
        .assembled(),
        Growth::Cut(place) => match number(call, place) {
            Some(length) if length > max_generated => longest(sizes),
            Some(length) if entry.is_some_and(|entry| entry.sized.is_some()) => {
                longest(sizes).padded(length)
            }
            Some(length) => longest(sizes).cut(length),
            None => longest(sizes),
        },
        Growth::Multiplied(place) if shrinks(call, place) => longest(sizes.into_iter().take(1)),
        Growth::Multiplied(place) => match sizes.iter().skip(place).fold(1, add) {
            1 => longest(sizes.into_iter().take(1)),
            factor => multiplied(sizes, factor),
        },
        Growth::Repeated(place) => {
            let factor =
                number(call, place).unwrap_or_else(|| sizes.iter().skip(place).fold(1, add));
            multiplied(sizes, factor.max(1))
        }
        Growth::Copied if sizes.len() <= 2 => longest(sizes.into_iter().take(1)),
        Growth::Copied => {
            let factor = sizes.len() as u64;
            multiplied(sizes, factor)
        }
        Growth::Path => {
            let factor = path_factor(call, &sizes);
            multiplied(sizes, factor)
        }
        Growth::Indented => {
            let length = sizes.first().map_or(0, |size| size.length);
            let depth = if length > LITTLE_NESTED { length } else { INDENTATION };
            multiplied(sizes, depth.saturating_mul(INDENTATION))
        }
        Growth::Template(place) => {
            sizes.into_iter().nth(place).map(|size| size.quoted(TEMPLATE)).unwrap_or_default()
        }
    };
    let has_wildcard = size.has_wildcard || has_wildcard;
    Size { form: form.unwrap_or_default(), has_wildcard, ..size }
}

fn add(sum: u64, size: &Size) -> u64 {
    sum.saturating_add(size.length)
}

/// Size of a value that contains every character of the first argument up to `factor` times, and of the others any
/// number of times.
fn multiplied(sizes: Vec<Size>, factor: u64) -> Size {
    let first = sizes.first().map_or(0, Size::length_to_multiply);
    Size { length: first.saturating_mul(factor), ..all(sizes).many() }
}

/// Size of the arguments after the first, joined with the first between them.
fn separated(sizes: Vec<Size>) -> Size {
    let gaps = sizes.len().saturating_sub(2);
    let mut sizes = sizes.into_iter().map(Size::in_text);
    let separator = sizes.next().unwrap_or_default();
    let separators = match gaps {
        0 => return all(sizes),
        1 => separator,
        _ => Size { length: separator.length.saturating_mul(gaps as u64), ..separator.many() },
    };
    all(std::iter::once(separators).chain(sizes))
}

/// Size of the result of a format, which contains every argument once.
fn of_format(call: &FunctionCall, sizes: Vec<Size>) -> Size {
    let conversions = text(call, 0).map(formats::conversions);
    let is_quoting =
        conversions.as_ref().is_none_or(|found| found.iter().any(|it| it.is_quoting()));
    let written = conversions.unwrap_or_default().iter().fold(0, |sum: u64, it: &Conversion| {
        sum.saturating_add(it.width).saturating_add(it.precision).saturating_add(CONVERTED)
    });
    let mut sizes = sizes.into_iter();
    let format = sizes.next().unwrap_or_default();
    let arguments = sizes.map(|size| if is_quoting { size.quoted(2) } else { size });
    all([format, Size::of_length(written)].into_iter().chain(arguments))
}

/// How many parts of a JSON value a path selects at most, in terms of the value's length.
fn path_factor(call: &FunctionCall, sizes: &[Size]) -> u64 {
    let Some(path) = text(call, 1) else { return u64::MAX };
    let nested = sizes.first().map_or(0, |size| size.length);
    let written = sizes.iter().skip(1).fold(0, add);
    path.matches("**").fold(written, |factor, _| factor.saturating_mul(nested))
}

/// Whether the result is not longer than the first argument, because constants replace its parts with shorter ones. They
/// are of ASCII characters, which no other function replaces with longer ones.
fn shrinks(call: &FunctionCall, place: usize) -> bool {
    let (Some(pattern), Some(replacement)) = (text(call, 1), text(call, place)) else {
        return false;
    };
    match call.name.as_str() {
        "regexp_replace" => replacement.is_empty(),
        "replace" => replacement.is_ascii() && replacement.len() <= pattern.chars().count(),
        "translate" => replacement.is_ascii(),
        _ => false,
    }
}

fn text(call: &FunctionCall, place: usize) -> Option<&str> {
    match call.arguments.get(place)? {
        Argument::Expr(Expr::Literal(Literal::String(text), _)) => Some(text),
        _ => None,
    }
}

fn number(call: &FunctionCall, place: usize) -> Option<u64> {
    match call.arguments.get(place)? {
        Argument::Expr(Expr::Literal(Literal::Number(text), _)) => text.parse().ok(),
        _ => None,
    }
}
