//! Sizes of literals, numbers and casts.

use crate::Dialect;
use crate::tree::{CastType, Expr, Literal};
use crate::types::{CastSpelling, type_entry};

use super::size::{Form, Size};

/// Maximum number of characters of a number on PostgreSQL, with its decimal places.
const LONGEST_NUMBER: u64 = 150_000;

/// Number of characters that a number counts as if it can have many digits on PostgreSQL, but rarely has.
const LARGE_NUMBER: u64 = 2_000;

/// How many times as long a text becomes as JSON, which writes out the exponents of its numbers.
const WRITTEN_OUT: u64 = 100;

/// Size of a number of this many characters.
pub(super) fn of_number(characters: u64) -> Size {
    Size::of_length(characters.min(LONGEST_NUMBER))
}

/// Size of a number that can have many digits.
pub(super) fn of_large_number() -> Size {
    Size::of_length(LARGE_NUMBER)
}

/// Size of a literal. PostgreSQL writes out the exponents of numbers and of numbers in JSON.
pub(super) fn of_literal(literal: &Literal, dialect: Dialect) -> Size {
    let text = literal.text().unwrap_or_default();
    let characters = text.chars().count() as u64;
    let is_written_out = match literal {
        Literal::Number(_) => true,
        Literal::String(text) => text.trim_start().starts_with(['[', '{']) || is_number(text),
        _ => false,
    };
    let exponents =
        if dialect == Dialect::Postgres && is_written_out { exponents(text) } else { 0 };
    Size {
        has_wildcard: text.contains(['%', '\\']),
        ..Size::of_length(characters.saturating_add(exponents))
    }
}

/// Size of a cast. A type that is not known to be short keeps the size.
pub(super) fn of_cast(
    size: Size,
    operand: &Expr,
    to: &CastType,
    dialect: Dialect,
    max_generated: u64,
) -> Size {
    let spelling = type_entry(&to.name).and_then(|entry| entry.spelling(dialect));
    let name = match spelling {
        Some(CastSpelling::Function(_)) => return Size::short(),
        Some(CastSpelling::Type(name)) => name,
        None => return size,
    };
    let is_computed = !matches!(operand, Expr::Column { .. } | Expr::Literal(..));
    let length = to.arguments.first().map(|length| u64::from(*length));
    match (name, length) {
        _ if is_short(name) => Size::short(),
        ("DECIMAL" | "NUMERIC", Some(_)) => Size::short(),
        ("DECIMAL" | "NUMERIC", None) => match dialect {
            Dialect::Sqlite => Size::short(),
            Dialect::Postgres if is_computed => of_number(size.length.max(LARGE_NUMBER)),
            Dialect::Postgres => of_number(size.length),
        },
        ("BPCHAR" | "CHAR", Some(length)) => size.padded(length),
        ("CHAR", None) => size.padded(1),
        ("VARCHAR", Some(length)) if length <= max_generated => size.cut(length),
        ("JSON" | "JSONB", _) if is_computed && size.form == Form::Plain => {
            let length = size.length.saturating_mul(WRITTEN_OUT);
            Size { length, form: Form::Json, ..size }
        }
        ("JSON" | "JSONB", _) => Size { form: Form::Json, ..size },
        _ => size.in_text(),
    }
}

/// The length to which a cast pads its operand on PostgreSQL; SQLite ignores it, and is held to the same limit.
pub(super) fn padding(to: &CastType) -> Option<u64> {
    let spelling = type_entry(&to.name)?.spelling(Dialect::Postgres)?;
    let is_padded = matches!(spelling, CastSpelling::Type("BPCHAR" | "CHAR"));
    to.arguments.first().filter(|_| is_padded).map(|length| u64::from(*length))
}

/// Whether the values of a type are numbers of limited length, truth values, dates or times.
fn is_short(spelling: &str) -> bool {
    let first = spelling.split(' ').next().unwrap_or_default();
    matches!(
        first,
        "BIGINT"
            | "BOOL"
            | "BOOLEAN"
            | "DATE"
            | "DOUBLE"
            | "FLOAT4"
            | "FLOAT8"
            | "INT2"
            | "INT4"
            | "INT8"
            | "INTEGER"
            | "INTERVAL"
            | "REAL"
            | "SMALLINT"
            | "TIME"
            | "TIMESTAMP"
            | "TIMESTAMPTZ"
            | "TIMETZ"
            | "UUID"
    )
}

fn is_number(text: &str) -> bool {
    text.trim().bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
}

/// Sum of the exponents in a text, each up to the longest number.
fn exponents(text: &str) -> u64 {
    let parts = text.split(['e', 'E']).skip(1);
    parts.fold(0, |sum: u64, part| {
        let digits = part.trim_start_matches(['+', '-']);
        let end = digits.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
        let digits = &digits[..end];
        let exponent = if digits.is_empty() { 0 } else { digits.parse().unwrap_or(LONGEST_NUMBER) };
        sum.saturating_add(exponent.min(LONGEST_NUMBER))
    })
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Literal, of_literal};

    #[test]
    fn exponents_are_written_out_on_postgres() {
        let length = |literal: &Literal, dialect| of_literal(literal, dialect).length;
        for (literal, postgres, sqlite) in [
            (Literal::Number("1e5000".to_owned()), 5_006, 6),
            (Literal::String("1e5000".to_owned()), 5_006, 6),
            (Literal::String("[1e5000, 2E+7]".to_owned()), 5_021, 14),
            (Literal::String("[1e-99999999999999999999]".to_owned()), 150_025, 25),
            (Literal::String("9e107d9d372bb682".to_owned()), 16, 16),
            (Literal::Null, 0, 0),
        ] {
            assert_eq!(length(&literal, Dialect::Postgres), postgres, "{literal:?}");
            assert_eq!(length(&literal, Dialect::Sqlite), sqlite, "{literal:?}");
        }
    }
}
