//! Rewrites for BigQuery.

use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::tree::{Argument, BinaryOperator, Expr, FunctionCall, Literal};

use super::dates::cast;
use super::formats::{Family, translated};
use super::kinds::{is_date, is_fractional};
use super::shared::{lower_like, without_filter, word};
use super::template::plain_arguments;
use super::{json, unprintable};

/// BigQuery's form of a node; `None` if the function table or the printer handles it.
pub(super) fn fitted(node: &Expr) -> Result<Option<Expr>, Diagnostic> {
    Ok(match node {
        Expr::Binary { operator: BinaryOperator::Modulo, left, right } => {
            Some(Expr::call("mod", vec![(**left).clone(), (**right).clone()]))
        }
        Expr::Binary { operator: BinaryOperator::Divide, left, right }
            if !is_fractional(left) && !is_fractional(right) =>
        {
            let fault = refuse("a division that may be an integer division");
            return Err(fault.hint("cast one operand to a decimal type"));
        }
        Expr::Binary { operator, left, right } => match operator {
            BinaryOperator::Regex => Some(regex(left, right, false)),
            BinaryOperator::RegexInsensitive => Some(regex(left, right, true)),
            BinaryOperator::NotRegex => Some(Expr::Not(Box::new(regex(left, right, false)))),
            BinaryOperator::NotRegexInsensitive => {
                Some(Expr::Not(Box::new(regex(left, right, true))))
            }
            BinaryOperator::JsonGet | BinaryOperator::JsonGetText => {
                Some(arrow(*operator, left, right)?)
            }
            _ => None,
        },
        Expr::Extract { field, operand } => Some(part(field, operand)?),
        Expr::Like { case_insensitive: true, .. } => lower_like(node),
        Expr::Function(call) => function(call)?,
        _ => None,
    })
}

fn function(call: &FunctionCall) -> Result<Option<Expr>, Diagnostic> {
    if let (Some(filter), "count", [Argument::Star]) =
        (&call.filter, call.name.as_str(), call.arguments.as_slice())
    {
        let arguments = vec![Argument::Expr((**filter).clone())];
        let name = "countif".to_owned();
        return Ok(Some(Expr::from(FunctionCall {
            name,
            arguments,
            filter: None,
            ..call.clone()
        })));
    }
    if call.filter.is_some() {
        let call = without_filter(call, Target::Bigquery)?;
        return Ok(function(&call)?.or(Some(call.into())));
    }
    if !call.within_group.is_empty() {
        return Err(refuse("WITHIN GROUP"));
    }
    let Some(arguments) = plain_arguments(call) else { return Ok(None) };
    Ok(Some(match (call.name.as_str(), arguments.as_slice()) {
        ("date_trunc", [Expr::Literal(Literal::String(unit), _), value]) => {
            let unit = if unit == "week" { "isoweek" } else { unit };
            let name = if is_date(value) { "date_trunc" } else { "timestamp_trunc" };
            Expr::call(name, vec![value.clone(), word(unit)])
        }
        ("to_char", [value, Expr::Literal(Literal::String(format), _)]) => {
            let format = translated(format, Family::ToChar, Family::Posix).map_err(refuse)?;
            let value = cast(value.clone(), "timestamp");
            Expr::call("format_datetime", vec![Expr::string(format), value])
        }
        ("_json", _) => json_call("json_query", call)?,
        ("_json_text", _) => json_call("json_value", call)?,
        _ => return Ok(None),
    }))
}

fn regex(text: &Expr, pattern: &Expr, ignores_case: bool) -> Expr {
    let pattern = match pattern {
        Expr::Literal(Literal::String(pattern), _) if ignores_case => {
            Expr::string(format!("(?i){pattern}"))
        }
        pattern if ignores_case => {
            Expr::binary(Expr::string("(?i)"), BinaryOperator::Concat, pattern.clone())
        }
        pattern => pattern.clone(),
    };
    Expr::call("regexp_contains", vec![text.clone(), pattern])
}

fn arrow(operator: BinaryOperator, value: &Expr, key: &Expr) -> Result<Expr, Diagnostic> {
    let name = match operator {
        BinaryOperator::JsonGet => "json_query",
        _ => "json_value",
    };
    let arguments = vec![Argument::Expr(value.clone()), Argument::Expr(key.clone())];
    json_call(name, &FunctionCall::new("_json", arguments))
}

fn json_call(name: &str, call: &FunctionCall) -> Result<Expr, Diagnostic> {
    let (value, path) = json::path(call).ok_or_else(|| refuse("this JSON path"))?;
    Ok(Expr::call(name, vec![value, Expr::string(path)]))
}

fn part(field: &str, operand: &Expr) -> Result<Expr, Diagnostic> {
    let extract =
        |field: &str| Expr::Extract { field: field.to_owned(), operand: Box::new(operand.clone()) };
    Ok(match field {
        "year" | "quarter" | "month" | "day" | "hour" | "minute" => extract(field),
        "isoyear" => extract("isoyear"),
        "doy" => extract("dayofyear"),
        "week" => extract("isoweek"),
        "dow" => Expr::binary(extract("dayofweek"), BinaryOperator::Minus, Expr::number("1")),
        "epoch" => Expr::call("unix_seconds", vec![cast(operand.clone(), "timestamptz")]),
        field => return Err(refuse(format!("EXTRACT of {field:?}"))),
    })
}

fn refuse(what: impl std::fmt::Display) -> Diagnostic {
    unprintable(Target::Bigquery, what)
}
