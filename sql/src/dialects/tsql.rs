//! Rewrites for SQL Server: date functions, `+` for concatenation, no boolean values.

use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::tree::{Argument, BinaryOperator, Expr, FunctionCall, Literal, Query};

use super::dates::cast;
use super::formats::{Family, translated};
use super::kinds::{is_interval, is_text};
use super::shared::{lower_like, without_filter, word};
use super::template::plain_arguments;
use super::{intervals, json, truth, unprintable};

/// SQL Server's form of a node; `None` if the function table or the printer handles it.
pub(super) fn fitted(node: &Expr) -> Result<Option<Expr>, Diagnostic> {
    Ok(match node {
        Expr::Binary {
            operator: operator @ (BinaryOperator::Plus | BinaryOperator::Minus),
            left,
            right,
        } if is_interval(right) => Some(moved(left, right, *operator == BinaryOperator::Minus)?),
        Expr::Binary { operator: BinaryOperator::Concat, left, right } => {
            let text = |side: &Expr| match side {
                side if is_text(side) || is_sum_of_texts(side) => side.clone(),
                side => cast(side.clone(), "text"),
            };
            Some(Expr::binary(text(left), BinaryOperator::Plus, text(right)))
        }
        Expr::Binary {
            operator: operator @ (BinaryOperator::JsonGetText | BinaryOperator::JsonGet),
            left,
            right,
        } => {
            let Expr::Literal(Literal::String(key), _) = &**right else {
                return Err(refuse("this JSON path"));
            };
            let call = FunctionCall::new(
                "_json_text",
                vec![Argument::Expr((**left).clone()), Argument::Expr(Expr::string(key.clone()))],
            );
            let name = match operator {
                BinaryOperator::JsonGet => "json_query",
                _ => "json_value",
            };
            Some(json_call(name, &call)?)
        }
        Expr::Extract { field, operand } => Some(part(field, operand)?),
        Expr::Like { case_insensitive: true, .. } => match lower_like(node) {
            Some(like) => fitted(&like)?.or(Some(like)),
            None => None,
        },
        Expr::Like { operand, pattern, negated, escape, .. } => {
            Some(like(operand, pattern, *negated, *escape)?)
        }
        Expr::Function(call) => function(call)?,
        _ => None,
    })
}

/// Separates conditions and values.
pub(super) fn with_conditions(query: &mut Query) -> Result<(), Diagnostic> {
    truth::settle(query)
}

fn function(call: &FunctionCall) -> Result<Option<Expr>, Diagnostic> {
    if call.filter.is_some() {
        let call = without_filter(call, Target::Tsql)?;
        return Ok(function(&call)?.or(Some(call.into())));
    }
    if call.name == "string_agg" {
        if call.distinct {
            return Err(refuse("DISTINCT in string_agg"));
        }
        let mut call = call.clone();
        if call.within_group.is_empty() {
            call.within_group = std::mem::take(&mut call.order_by);
        }
        return Ok(Some(call.into()));
    }
    if !call.order_by.is_empty() {
        return Err(refuse("ORDER BY in an aggregate"));
    }
    let Some(arguments) = plain_arguments(call) else { return Ok(None) };
    Ok(Some(match (call.name.as_str(), arguments.as_slice()) {
        ("date_trunc", [Expr::Literal(Literal::String(unit), _), value]) => {
            let unit = if unit == "week" { "iso_week" } else { unit };
            Expr::call("datetrunc", vec![word(unit), value.clone()])
        }
        ("to_char", [value, Expr::Literal(Literal::String(format), _)]) => {
            let format = translated(format, Family::ToChar, Family::Dotnet).map_err(refuse)?;
            Expr::call("format", vec![value.clone(), Expr::string(format)])
        }
        ("_json_text", _) => json_call("json_value", call)?,
        ("_json", _) => json_call("json_query", call)?,
        ("percentile_cont" | "percentile_disc", _) if call.over.is_none() => {
            return Err(refuse(format!("{} without an OVER clause", call.name)));
        }
        _ => return Ok(None),
    }))
}

fn json_call(name: &str, call: &FunctionCall) -> Result<Expr, Diagnostic> {
    let (value, path) = json::path(call).ok_or_else(|| refuse("this JSON path"))?;
    Ok(Expr::call(name, vec![value, Expr::string(path)]))
}

fn is_sum_of_texts(expr: &Expr) -> bool {
    match expr {
        Expr::Binary { operator: BinaryOperator::Plus, left, right } => {
            [left, right].iter().all(|side| is_text(side) || is_sum_of_texts(side))
        }
        _ => false,
    }
}

/// Date arithmetic as `dateadd(month, 1, value)`.
fn moved(value: &Expr, interval: &Expr, less: bool) -> Result<Expr, Diagnostic> {
    let sign = if less { -1 } else { 1 };
    let dateadd = |unit: &str, count: Expr, value: Expr| {
        Expr::call("dateadd", vec![word(unit), count, value])
    };
    match interval {
        Expr::Literal(Literal::Interval(text), _) => {
            let parts = intervals::parts(text).ok_or_else(|| refuse("this interval"))?;
            Ok(parts.into_iter().fold(value.clone(), |value, (count, unit)| {
                dateadd(unit, Expr::number((count * sign).to_string()), value)
            }))
        }
        Expr::Function(call) => {
            let unit = intervals::unit_of(call).ok_or_else(|| refuse("this interval"))?;
            let Some(Argument::Expr(count)) = call.arguments.first() else {
                return Err(refuse("this interval"));
            };
            let count = match sign {
                1 => count.clone(),
                _ => Expr::Unary { negative: true, operand: Box::new(count.clone()) },
            };
            Ok(dateadd(unit, count, value.clone()))
        }
        _ => Err(refuse("this interval")),
    }
}

/// A date part as `datepart(year, value)`.
fn part(field: &str, operand: &Expr) -> Result<Expr, Diagnostic> {
    let part = match field {
        "year" | "quarter" | "month" | "day" | "hour" | "minute" => field,
        "doy" => "dayofyear",
        "week" => "iso_week",
        field => return Err(refuse(format!("EXTRACT of {field:?}"))),
    };
    Ok(Expr::call("datepart", vec![word(part), operand.clone()]))
}

/// LIKE for SQL Server: `[` is a metacharacter and is escaped, and a binary collation makes the match case-sensitive.
fn like(
    operand: &Expr,
    pattern: &Expr,
    negated: bool,
    escape: Option<char>,
) -> Result<Expr, Diagnostic> {
    let Expr::Literal(Literal::String(text), place) = pattern else {
        return Err(refuse("LIKE with a computed pattern"));
    };
    let pattern = Expr::Literal(Literal::String(text.replace('[', "[[]")), *place);
    let collation = crate::tree::Identifier {
        name: "latin1_general_100_bin2".to_owned(),
        ..Default::default()
    };
    let is_folded = matches!(operand, Expr::Function(call) if call.name == "lower");
    let operand = if is_folded || !text.chars().any(char::is_alphabetic) {
        operand.clone()
    } else {
        Expr::Collate { operand: Box::new(operand.clone()), collation }
    };
    Ok(Expr::Like {
        operand: Box::new(operand),
        pattern: Box::new(pattern),
        case_insensitive: false,
        negated,
        escape,
    })
}

fn refuse(what: impl std::fmt::Display) -> Diagnostic {
    unprintable(Target::Tsql, what)
}
