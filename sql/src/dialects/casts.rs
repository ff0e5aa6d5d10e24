//! Casts of numbers to integers and decimals: SQL Server and SQLite drop the fraction, all others round.

use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::read::ReadDialect;
use crate::tree::{BinaryOperator, CastType, Expr, Literal};

use super::dates::cast;
use super::kinds::{is_whole, kind};
use super::marked::is_mark;
use super::refused;
use crate::bind::Kind;

/// A cast of a dialect that drops the fraction; `None` if the value has none or the dialect rounds. A text
/// of which MySQL and SQLite read only the digits at the start is an error.
pub(super) fn lowered(
    operand: &Expr,
    to: &CastType,
    from: ReadDialect,
) -> Result<Option<Expr>, Diagnostic> {
    if !is_integer(to) || is_mark(to) {
        return Ok(None);
    }
    if let Expr::Literal(Literal::String(text), _) = operand
        && text.trim().parse::<f64>().is_err()
        && matches!(from, ReadDialect::Mysql | ReadDialect::Sqlite)
    {
        return Err(refused("a cast of a text that is not a number"));
    }
    let drops = matches!(from, ReadDialect::Mssql | ReadDialect::Sqlite);
    if !drops || is_whole(operand) {
        return Ok(None);
    }
    let number = match kind(operand) {
        Some(Kind::Number) => operand.clone(),
        _ => cast(operand.clone(), "numeric"),
    };
    let operand = Box::new(Expr::call("trunc", vec![number]));
    Ok(Some(Expr::Cast { operand, to: to.clone() }))
}

/// A cast that rounds on a target that drops the fraction; `None` if the value has none or the target rounds.
pub(super) fn fitted(operand: &Expr, to: &CastType, target: Target) -> Option<Expr> {
    if is_mark(to) {
        return None;
    }
    if let Some(rounded) = scaled(operand, to).filter(|_| target == Target::Sqlite) {
        return Some(rounded);
    }
    if !is_integer(to) {
        return None;
    }
    let arguments = match target {
        Target::Sqlite | Target::Spark | Target::Databricks => Vec::new(),
        Target::Tsql => vec![Expr::number("0")],
        Target::Bigquery
        | Target::Duckdb
        | Target::Mysql
        | Target::Postgres
        | Target::Snowflake
        | Target::Trino => return None,
    };
    if is_whole(operand) {
        let twice = matches!(operand, Expr::Cast { to: inner, .. }
            if is_integer(inner) && !is_mark(inner) && target == Target::Sqlite);
        return twice.then(|| operand.clone());
    }
    let arguments = std::iter::once(operand.clone()).chain(arguments).collect();
    let operand = Box::new(Expr::call("round", arguments));
    Some(Expr::Cast { operand, to: to.clone() })
}

/// A cast to a decimal with a scale, which SQLite ignores.
fn scaled(operand: &Expr, to: &CastType) -> Option<Expr> {
    let scale = match to.arguments.as_slice() {
        [_] => 0,
        [_, scale] => *scale,
        _ => return None,
    };
    let is_decimal = matches!(to.name.as_str(), "dec" | "decimal" | "numeric");
    let number = cast(operand.clone(), "numeric");
    is_decimal.then(|| Expr::call("round", vec![number, Expr::number(scale.to_string())]))
}

/// Whether a quotient on SQLite has an integer as dividend although it is a decimal elsewhere.
pub(super) fn divides_decimal(node: &Expr) -> bool {
    matches!(node, Expr::Binary { operator: BinaryOperator::Divide, left, .. }
        if matches!(&**left, Expr::Cast { to, .. }
            if !is_mark(to) && matches!(to.name.as_str(), "dec" | "decimal" | "numeric")))
}

fn is_integer(to: &CastType) -> bool {
    matches!(to.name.as_str(), "bigint" | "int" | "integer" | "smallint" | "tinyint")
}
