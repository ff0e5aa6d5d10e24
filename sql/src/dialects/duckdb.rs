//! Rewrites for DuckDB, whose syntax is nearly that of PostgreSQL: division, regular expressions, formats of dates, types.

use crate::bind::Kind;
use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::tree::{BinaryOperator, CastType, Expr, FunctionCall, Literal, OrderItem, Source};

use super::dates::cast;
use super::formats::{Family, pieces, translated};
use super::intervals;
use super::kinds::{is_date, is_fractional, is_interval, kind};
use super::marked::is_mark;
use super::template::plain_arguments;
use super::unprintable;

/// Most digits of a decimal.
const DIGITS: u32 = 38;
/// Digits after the point of a decimal whose scale is not given, before it is rounded.
const SCALE: u32 = 10;

/// DuckDB's form of a node; `None` if the function table or the printer handles it.
pub(super) fn fitted(node: &Expr) -> Result<Option<Expr>, Diagnostic> {
    Ok(match node {
        Expr::Binary { operator, left, right } => binary(*operator, left, right)?,
        Expr::Extract { field, operand } => part(field, operand)?,
        Expr::Cast { operand, to } if !is_mark(to) => converted(operand, to)?,
        Expr::Function(call) => function(call)?,
        // On PostgreSQL, a backslash escapes in every pattern.
        Expr::Like { operand, pattern, case_insensitive, negated, escape: None }
            if !matches!(**pattern, Expr::Literal(Literal::String(_), _)) =>
        {
            Some(Expr::Like {
                operand: operand.clone(),
                pattern: pattern.clone(),
                case_insensitive: *case_insensitive,
                negated: *negated,
                escape: Some('\\'),
            })
        }
        Expr::Literal(Literal::Interval(text), _) if intervals::parts(text).is_none() => {
            return Err(refuse("this interval"));
        }
        Expr::Collate { .. } => return Err(refuse("a collation")),
        Expr::Array(_) => return Err(refuse("an array")),
        _ => None,
    })
}

/// Gives the column of a function in FROM the name of its alias, as PostgreSQL does.
pub(super) fn name_column(source: &mut Source) -> Result<(), Diagnostic> {
    let Source::Function { call, alias, columns } = source else { return Ok(()) };
    if call.name != "generate_series" {
        return Err(refuse(format!("{} in FROM", call.name)));
    }
    if let (Some(alias), true) = (alias, columns.is_empty()) {
        columns.push(alias.clone());
    }
    Ok(())
}

fn binary(operator: BinaryOperator, left: &Expr, right: &Expr) -> Result<Option<Expr>, Diagnostic> {
    use BinaryOperator as Op;
    let is_text = |expr: &Expr| matches!(expr, Expr::Literal(Literal::String(_), _));
    let is_sum = matches!(operator, Op::Plus | Op::Minus | Op::Multiply | Op::Modulo);
    let type_of = |other: &Expr| match kind(other) {
        Some(Kind::Integer) => Some("integer"),
        Some(Kind::Number) => Some("double precision"),
        _ => None,
    };
    // PostgreSQL gives a literal the type of the other operand.
    if let Some(to) = type_of(right).filter(|_| is_sum && is_text(left)) {
        return Ok(Some(Expr::binary(cast(left.clone(), to), operator, right.clone())));
    }
    if let Some(to) = type_of(left).filter(|_| is_sum && is_text(right)) {
        return Ok(Some(Expr::binary(left.clone(), operator, cast(right.clone(), to))));
    }
    Ok(Some(match operator {
        Op::Divide if is_fractional(left) || is_fractional(right) => divided(left, right),
        Op::Divide => match (kind(left), kind(right)) {
            (Some(Kind::Integer), Some(Kind::Integer)) => {
                Expr::call("divide", vec![left.clone(), right.clone()])
            }
            (Some(Kind::Number), _) | (_, Some(Kind::Number)) => divided(left, right),
            _ => {
                let fault = refuse("a division that may be an integer division");
                return Err(fault.hint("cast one operand to a decimal type"));
            }
        },
        Op::Plus | Op::Minus
            if is_date(left)
                && kind(right) == Some(Kind::Integer)
                && !matches!(right, Expr::Literal(..)) =>
        {
            Expr::binary(left.clone(), operator, cast(right.clone(), "integer"))
        }
        Op::Regex => matched(left, right, "s"),
        Op::RegexInsensitive => matched(left, right, "is"),
        Op::NotRegex => Expr::Not(Box::new(matched(left, right, "s"))),
        Op::NotRegexInsensitive => Expr::Not(Box::new(matched(left, right, "is"))),
        Op::JsonGet => json_value("json_extract", left, right)?,
        Op::JsonGetText => json_value("json_extract_string", left, right)?,
        Op::JsonPath | Op::JsonPathText => return Err(refuse("a JSON path operator")),
        Op::Glob => return Err(refuse("glob")),
        _ => return Ok(None),
    }))
}

/// A quotient that is NULL instead of infinite if the divisor is zero.
fn divided(left: &Expr, right: &Expr) -> Expr {
    Expr::binary(left.clone(), BinaryOperator::Divide, never_zero(right))
}

/// A divisor that is NULL if it is zero.
pub(super) fn never_zero(right: &Expr) -> Expr {
    let never_zero = match right {
        Expr::Literal(Literal::Number(text), _) => text.chars().any(|c| matches!(c, '1'..='9')),
        Expr::Function(call) => call.name == "nullif",
        _ => false,
    };
    if never_zero {
        right.clone()
    } else {
        Expr::call("nullif", vec![right.clone(), Expr::number("0")])
    }
}

/// Whether a text contains a match of a pattern, in which a point matches line breaks too.
fn matched(text: &Expr, pattern: &Expr, flags: &str) -> Expr {
    Expr::call("regexp_matches", vec![text.clone(), pattern.clone(), Expr::string(flags)])
}

fn json_value(name: &str, value: &Expr, key: &Expr) -> Result<Expr, Diagnostic> {
    match key {
        // Other texts are read as paths.
        Expr::Literal(Literal::String(key), _) if key.starts_with(['$', '/']) => {
            Err(refuse("this JSON path"))
        }
        Expr::Literal(Literal::String(_) | Literal::Number(_), _) => {
            Ok(Expr::call(name, vec![value.clone(), key.clone()]))
        }
        _ => Err(refuse("a computed JSON path")),
    }
}

/// A part of a date; `None` if DuckDB has it under the same name.
fn part(field: &str, operand: &Expr) -> Result<Option<Expr>, Diagnostic> {
    let fraction = |divisor: &str| {
        let field = "microseconds".to_owned();
        let micros = Expr::Extract { field, operand: Box::new(operand.clone()) };
        Expr::binary(micros, BinaryOperator::Divide, Expr::number(divisor))
    };
    match field {
        "century" | "day" | "decade" | "dow" | "doy" | "epoch" | "hour" | "isodow" | "isoyear"
        | "microseconds" | "millennium" | "minute" | "month" | "quarter" | "week" | "year" => {
            Ok(None)
        }
        "second" => Ok(Some(fraction("1000000.0"))),
        "milliseconds" => Ok(Some(fraction("1000.0"))),
        field => Err(refuse(format!("EXTRACT of {field:?}"))),
    }
}

fn converted(operand: &Expr, to: &CastType) -> Result<Option<Expr>, Diagnostic> {
    let typed = |name: &str, arguments: Vec<u32>| Expr::Cast {
        operand: Box::new(operand.clone()),
        to: CastType { name: name.to_owned(), arguments },
    };
    Ok(match (to.name.as_str(), to.arguments.as_slice()) {
        // A decimal without a scale would have three digits after the point.
        ("decimal" | "dec" | "numeric", []) => Some(match kind(operand) {
            Some(Kind::Integer) => typed("decimal", vec![DIGITS, 0]),
            _ => typed("double precision", Vec::new()),
        }),
        ("decimal" | "dec" | "numeric", [digits, ..]) if *digits > DIGITS => {
            return Err(refuse(format!("a decimal of {digits} digits")));
        }
        ("varchar" | "character varying" | "nvarchar", [length]) => {
            let text = cast(operand.clone(), "text");
            Some(Expr::call("left", vec![text, Expr::number(length.to_string())]))
        }
        ("char" | "character" | "bpchar", _) => return Err(refuse("a text of fixed length")),
        ("jsonb", _) => Some(typed("json", Vec::new())),
        ("decimal" | "dec" | "numeric", _) | (_, []) => None,
        (name, _) => return Err(refuse(format!("a cast to {name} with a precision"))),
    })
}

fn function(call: &FunctionCall) -> Result<Option<Expr>, Diagnostic> {
    match call.name.as_str() {
        "percentile_cont" => return Ok(Some(interpolated(call))),
        "percentile_disc" | "mode" => return Ok(None),
        name if !call.within_group.is_empty() => {
            return Err(refuse(format!("{name} WITHIN GROUP")));
        }
        _ => {}
    }
    let Some(arguments) = plain_arguments(call) else { return Ok(None) };
    Ok(Some(match (call.name.as_str(), arguments.as_slice()) {
        ("date_part", [Expr::Literal(Literal::String(field), _), value]) => {
            let field = field.to_lowercase();
            match part(&field, value)? {
                Some(part) => part,
                None => Expr::Extract { field, operand: Box::new(value.clone()) },
            }
        }
        // PostgreSQL rounds decimals only; the double is such a decimal.
        ("round", [Expr::Cast { operand, to }, scale]) if to.name == "double precision" => {
            let to = CastType { name: "decimal".to_owned(), arguments: vec![DIGITS, SCALE] };
            let exact = Expr::Cast { operand: operand.clone(), to };
            Expr::call("round", vec![exact, scale.clone()])
        }
        ("substr" | "substring", [_, Expr::Literal(Literal::String(_), _), ..]) => {
            return Err(refuse("substring with a pattern"));
        }
        ("to_char", [value, _]) if is_interval(value) => {
            return Err(refuse("to_char of an interval"));
        }
        ("to_char", [_, Expr::Literal(Literal::String(format), _)])
            if format.contains(['0', '9']) =>
        {
            return Err(refuse("to_char of a number"));
        }
        ("to_char", [value, Expr::Literal(Literal::String(format), _)]) => {
            formatted(value, format)?
        }
        ("to_date", [text, Expr::Literal(Literal::String(format), _)]) => {
            let format = translated(format, Family::ToChar, Family::Posix).map_err(refuse)?;
            cast(
                Expr::call("strptime", vec![text.clone(), Expr::string(spelled_out(&format))]),
                "date",
            )
        }
        ("regexp_replace", [_, _, _, Expr::Literal(Literal::String(flags), _)])
            if flags.chars().all(|flag| matches!(flag, 'g' | 'i')) =>
        {
            return Ok(None);
        }
        ("regexp_replace", [_, _, _, _, ..]) => return Err(refuse("regexp_replace with flags")),
        _ => return Ok(None),
    }))
}

/// A percentile between two values, which DuckDB would round to the scale of a decimal.
pub(super) fn interpolated(call: &FunctionCall) -> Expr {
    let mut call = call.clone();
    for OrderItem { expr, .. } in &mut call.within_group {
        *expr = cast(expr.clone(), "double precision");
    }
    call.into()
}

/// A date in a format of `to_char`.
fn formatted(value: &Expr, format: &str) -> Result<Expr, Diagnostic> {
    let of_value = |name: &str| cast(Expr::call(name, vec![value.clone()]), "text");
    let written = |format: &str| {
        Expr::call("strftime", vec![value.clone(), Expr::string(spelled_out(format))])
    };
    let unknown = || refuse(format!("the format {format:?}"));
    let found = pieces(format, Family::ToChar, Family::Posix).ok_or_else(unknown)?;
    let parts = found.into_iter().map(|piece| {
        Ok(match piece {
            Ok(format) => written(&format),
            Err("iso weekday") => of_value("isodow"),
            Err("quarter") => of_value("quarter"),
            Err("month name in capitals") => Expr::call("upper", vec![written("%B")]),
            Err("short month name in capitals") => Expr::call("upper", vec![written("%b")]),
            Err("short weekday name in capitals") => Expr::call("upper", vec![written("%a")]),
            Err(part) => return Err(refuse(format!("{part} in the format {format:?}"))),
        })
    });
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?.into_iter();
    let first = parts.next().unwrap_or_else(|| Expr::string(""));
    Ok(parts.fold(first, |text, part| Expr::binary(text, BinaryOperator::Concat, part)))
}

/// A format without abbreviations of others, which DuckDB lacks.
fn spelled_out(format: &str) -> String {
    let mut written = String::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        match (character, if character == '%' { characters.next() } else { None }) {
            (_, Some('F')) => written.push_str("%Y-%m-%d"),
            (_, Some('T')) => written.push_str("%H:%M:%S"),
            (_, part) => written.extend([Some(character), part].into_iter().flatten()),
        }
    }
    written
}

fn refuse(what: impl std::fmt::Display) -> Diagnostic {
    unprintable(Target::Duckdb, what)
}

#[cfg(test)]
mod tests {
    use wherefore_catalog::Catalog;

    use crate::diagnostic::Diagnostic;
    use crate::{Dialect, GuardLimits, NativeSql, ReadDialect, check_text};

    fn shop() -> Catalog {
        let json = r#"{ "name": "shop", "dialect": "postgres", "tables": [
            { "name": "users", "primary_key": ["id"], "columns": [
                { "name": "id", "data_type": "integer" }, { "name": "name", "data_type": "text" },
                { "name": "born", "data_type": "date" }, { "name": "paid", "data_type": "number" },
                { "name": "at", "data_type": "timestamp" }] }] }"#;
        serde_json::from_str(json).unwrap()
    }

    fn native(sql: &str) -> Result<NativeSql, Diagnostic> {
        let limits = GuardLimits::default();
        let checked =
            check_text(sql, ReadDialect::Postgres, &shop(), Dialect::Postgres, &limits).unwrap();
        checked.for_duckdb(&shop())
    }

    fn text(expression: &str) -> String {
        let sql = native(&format!("SELECT {expression} FROM users")).unwrap();
        let sql = sql.sql().split_whitespace().collect::<Vec<_>>().join(" ");
        sql["SELECT ".len()..].trim_end_matches(" FROM users").to_owned()
    }

    #[test]
    fn what_differs_is_rewritten() {
        for (postgres, duckdb) in [
            ("id / 2", "divide(id, 2)"),
            ("paid / id", "paid / nullif(id, 0)"),
            ("paid / 3", "paid / 3"),
            ("name ~ '^A'", "regexp_matches(name, '^A', 's')"),
            ("name !~* 'a'", "NOT regexp_matches(name, 'a', 'is')"),
            ("name LIKE 'a%'", "name LIKE 'a%'"),
            ("name LIKE 'a\\%'", "name LIKE 'a\\%' ESCAPE '\\'"),
            ("name LIKE name", "name LIKE name ESCAPE '\\'"),
            ("to_char(born, 'YYYY-MM')", "strftime(born, '%Y-%m')"),
            ("to_char(born, 'YYYY-MM-DD')", "strftime(born, '%Y-%m-%d')"),
            ("extract(second FROM \"at\")", "EXTRACT(microseconds FROM \"at\") / 1000000.0"),
            ("round(CAST(paid AS numeric), 2)", "round(CAST(paid AS DECIMAL(38, 10)), 2)"),
            ("CAST(id AS numeric)", "CAST(id AS DECIMAL(38, 0))"),
            ("born + id", "born + CAST(id AS INTEGER)"),
            ("'5' + id", "CAST('5' AS INTEGER) + id"),
            ("lpad(name, 5)", "lpad(name, 5, ' ')"),
            ("octet_length(name)", "strlen(name)"),
        ] {
            assert_eq!(text(postgres), duckdb, "{postgres}");
        }
    }

    #[test]
    fn the_usual_schema_is_left_out() {
        let sql = native("SELECT u.id FROM public.users AS u").unwrap();
        assert!(sql.sql().ends_with("FROM users AS u"), "{sql:?}");
    }

    #[test]
    fn columns_that_the_key_determines_are_grouped_by() {
        let sql = native("SELECT name, count(*) FROM users GROUP BY id").unwrap();
        assert!(sql.sql().ends_with("GROUP BY id, name"), "{sql:?}");
    }

    #[test]
    fn what_the_engine_cannot_express_is_named() {
        for (sql, what) in [
            ("SELECT initcap(name) FROM users", "initcap"),
            ("SELECT array_agg(id) FROM users", "array_agg"),
            ("SELECT substring(name, '[0-9]+') FROM users", "substring with a pattern"),
            ("SELECT to_char(paid, '999') FROM users", "to_char of a number"),
            ("SELECT CAST(name AS char(3)) FROM users", "fixed length"),
        ] {
            let fault = native(sql).unwrap_err();
            assert!(fault.message.contains(what) && fault.message.contains("DuckDB"), "{fault}");
        }
    }
}
