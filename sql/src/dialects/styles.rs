//! SQL Server's CONVERT with a style: the format of a date as text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::diagnostic::Diagnostic;
use crate::tree::{Expr, Literal};
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
    Ok(Expr::call("to_date", vec![value.clone(), Expr::string(format)]))
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
