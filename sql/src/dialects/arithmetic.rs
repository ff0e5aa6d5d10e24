//! Arithmetic with dates: days added to a date, and differences of dates.

use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::read::ReadDialect;
use crate::tree::{BinaryOperator, Expr, Literal};

use super::kinds::{is_date, is_interval, is_timestamp, whole_number};
use super::{dates, intervals, refused, unprintable};

/// A sum or difference of Oracle, where dates have times and their difference is a number of days; `None` if no operand
/// is known to be a date.
pub(super) fn lowered(
    operator: BinaryOperator,
    left: &Expr,
    right: &Expr,
    from: ReadDialect,
) -> Result<Option<Expr>, Diagnostic> {
    let less = match operator {
        BinaryOperator::Plus => false,
        BinaryOperator::Minus => true,
        _ => return Ok(None),
    };
    if let Expr::Literal(Literal::String(text), _) = left
        && is_interval(right)
        && from != ReadDialect::Postgres
    {
        let is_day = text.len() == 10 && intervals::has_whole_days(right);
        let value = dates::cast(left.clone(), if is_day { "date" } else { "timestamp" });
        return dates::plus(&value, right, less).map(Some);
    }
    if from != ReadDialect::Oracle {
        return Ok(None);
    }
    if less && is_exact(left) && is_exact(right) {
        // The difference is an interval.
        return Ok(None);
    }
    match (is_moment(left), is_moment(right)) {
        (_, true) if less && !is_interval(left) => {
            Ok(Some(Expr::call("_days_between", vec![right.clone(), left.clone()])))
        }
        (true, _) if is_number(right) => dates::plus(left, right, less).map(Some),
        (true, _) if less && matches!(right, Expr::Column { .. }) => {
            Err(refused("a date minus a column that may be a date or a number of days"))
        }
        (true, _) if is_part_of_number(right) => {
            let day = Expr::number("86400");
            let seconds = Expr::binary(right.clone(), BinaryOperator::Multiply, day);
            let seconds = Expr::call("round", vec![seconds]);
            let interval = Expr::call("_interval", vec![seconds, Expr::string("second")]);
            dates::plus(&dates::cast(left.clone(), "timestamp"), &interval, less).map(Some)
        }
        (true, _) if matches!(right, Expr::Binary { .. }) && !is_interval(right) => {
            Err(refused("a date plus or minus a part of a day"))
        }
        _ => Ok(None),
    }
}

/// A sum or difference on SQLite, which would take the years of dates; `None` if no operand is known to be a date.
pub(super) fn fitted_sqlite(node: &Expr) -> Result<Option<Expr>, Diagnostic> {
    let Expr::Binary { operator, left, right } = node else { return Ok(None) };
    let less = match operator {
        BinaryOperator::Plus => false,
        BinaryOperator::Minus => true,
        _ => return Ok(None),
    };
    if is_interval(right) || !(is_moment(left) || is_moment(right)) {
        return Ok(None);
    }
    let refuse = |what| Err(unprintable(Target::Sqlite, what));
    match (&**left, &**right) {
        (left, right) if less && is_date(left) && is_date(right) => {
            let day = |value: &Expr| Expr::call("julianday", vec![value.clone()]);
            let days = Expr::binary(day(left), BinaryOperator::Minus, day(right));
            Ok(Some(dates::cast(days, "integer")))
        }
        (left, right) if is_date(left) && is_number(right) => {
            let count = whole_number(right).unwrap_or_default();
            let modifier = format!("{:+} day", if less { -count } else { count });
            Ok(Some(Expr::call("date", vec![left.clone(), Expr::string(modifier)])))
        }
        _ if less => refuse("a difference of times, or of a date and a value of unknown type"),
        _ => refuse("a sum of a date and a value of unknown type"),
    }
}

/// Whether an expression is a TIMESTAMP, unlike Oracle's DATE, which is a timestamp without fractions of seconds here.
fn is_exact(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Timestamp(_), _) => true,
        Expr::Cast { to, .. } => to.name.starts_with("timestamp") && to.arguments != [0],
        _ => false,
    }
}

/// Whether an expression is a number that is computed from literals only.
fn is_part_of_number(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Number(_), _) => true,
        Expr::Cast { operand, to } => to.name == "double precision" && is_part_of_number(operand),
        Expr::Binary {
            operator: BinaryOperator::Divide | BinaryOperator::Multiply,
            left,
            right,
        } => is_part_of_number(left) && is_part_of_number(right),
        _ => false,
    }
}

fn is_moment(expr: &Expr) -> bool {
    is_date(expr) || is_timestamp(expr)
}

/// Whether an expression is an integer literal, possibly with a sign.
fn is_number(expr: &Expr) -> bool {
    let literal = match expr {
        Expr::Unary { operand, .. } => operand,
        other => other,
    };
    matches!(literal, Expr::Literal(Literal::Number(_), _)) && whole_number(expr).is_some()
}
