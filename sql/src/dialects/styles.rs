//! SQL Server's CONVERT with a style: the format of a date as text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::diagnostic::Diagnostic;
use crate::tree::{BinaryOperator, Expr, Literal};
use crate::words::entries;

use super::kinds::{is_timestamp, whole_number};
use super::{dates, formats, refused};

static STYLES: LazyLock<BTreeMap<i64, &str>> = LazyLock::new(|| {
    let lines = entries(include_str!("../../data/convert_styles.tsv"));
    lines
        .filter_map(|line| {
            let (style, format) = line.split_once('\t')?;
            Some((style.parse().ok()?, format))
        })
        .collect()
});

/// `_convert_text(value, style, length)`: a date as text. A length of 0 means none.
pub(super) fn to_text(value: &Expr, style: &Expr, length: &Expr) -> Result<Expr, Diagnostic> {
    let format = format_of(style)?;
    let length = whole_number(length).unwrap_or_default();
    // A value of type DATE has no time in its text.
    let has_both = formats::has_time(format) && format.contains("DD");
    if has_both && !(1..=10).contains(&length) && !is_timestamp(value) {
        return Err(refused("CONVERT with a time of a value that may be a date"));
    }
    let arguments = vec![dates::as_time(value), Expr::string(format)];
    let text = Expr::call("to_char", arguments);
    Ok(match usize::try_from(length) {
        Ok(length) if length > 0 && length < format.replace("HH24", "HH").len() => {
            Expr::call("left", vec![text, Expr::number(length.to_string())])
        }
        _ => text,
    })
}

/// `_convert_date(text, style)`: a date from its text.
pub(super) fn to_date(value: &Expr, style: &Expr) -> Result<Expr, Diagnostic> {
    let format = format_of(style)?;
    if formats::has_time(format) {
        return Err(refused("CONVERT of a text with a time"));
    }
    if let Some(format) = format.strip_suffix("YY").filter(|rest| !rest.ends_with('Y')) {
        let format = format!("{format}YYYY");
        return Ok(Expr::call("to_date", vec![with_century(value), Expr::string(format)]));
    }
    Ok(Expr::call("to_date", vec![value.clone(), Expr::string(format)]))
}

/// A text that ends in a year of two digits with a year of four, from 1950 to 2049 as SQL Server reads it.
fn with_century(value: &Expr) -> Expr {
    let years = Expr::call("right", vec![value.clone(), Expr::number("2")]);
    let is_past = Expr::binary(years.clone(), BinaryOperator::GreaterOrEqual, Expr::string("50"));
    let century = Expr::Case {
        operand: None,
        branches: vec![(is_past, Expr::string("19"))],
        otherwise: Some(Box::new(Expr::string("20"))),
    };
    let minus_two = Expr::Unary { negative: true, operand: Box::new(Expr::number("2")) };
    let start = Expr::call("left", vec![value.clone(), minus_two]);
    let start = Expr::binary(start, BinaryOperator::Concat, century);
    Expr::binary(start, BinaryOperator::Concat, years)
}

fn format_of(style: &Expr) -> Result<&'static str, Diagnostic> {
    let known = match style {
        Expr::Literal(Literal::Number(text), _) => {
            text.parse().ok().and_then(|style: i64| STYLES.get(&style).copied())
        }
        _ => None,
    };
    known.ok_or_else(|| refused("CONVERT with this style"))
}
