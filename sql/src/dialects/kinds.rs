//! Types of expressions, as far as their syntax determines them.

use crate::Dialect;
use crate::bind::{Kind, kind_without_columns};
use crate::tree::{BinaryOperator, Expr, Literal};

/// The type of an expression in the tree's vocabulary, which is PostgreSQL's; `None` if it is unknown.
pub(super) fn kind(expr: &Expr) -> Option<Kind> {
    kind_without_columns(expr, Dialect::Postgres)
}

/// Whether an expression certainly has no fraction that a cast to an integer could drop or round.
pub(super) fn is_whole(expr: &Expr) -> bool {
    match expr {
        Expr::Extract { field, .. } => {
            !matches!(field.as_str(), "epoch" | "julian" | "second" | "milliseconds")
        }
        Expr::Unary { operand, .. } => is_whole(operand),
        Expr::Binary {
            operator: BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply,
            left,
            right,
        } => is_whole(left) && is_whole(right),
        Expr::Function(call)
            if matches!(
                call.name.as_str(),
                "ceil" | "ceiling" | "div" | "floor" | "round" | "trunc"
            ) =>
        {
            call.arguments.len() == 1 || call.name == "div"
        }
        Expr::Function(call) => {
            call.name.starts_with("_diff_")
                || call.name.starts_with("_full_")
                || call.name == "_int_div"
                || is_whole_kind(expr)
        }
        Expr::Case { branches, otherwise, .. } => {
            branches.iter().map(|(_, then)| then).chain(otherwise.as_deref()).all(is_whole)
        }
        expr => is_whole_kind(expr),
    }
}

fn is_whole_kind(expr: &Expr) -> bool {
    matches!(kind(expr), Some(Kind::Boolean | Kind::Integer | Kind::Text | Kind::Untyped))
}

/// Whether an expression is certainly a date without a time.
pub(super) fn is_date(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Date(_), _) => true,
        Expr::Cast { to, .. } => to.name == "date",
        Expr::Function(call) => {
            matches!(call.name.as_str(), "current_date" | "date" | "make_date" | "to_date")
        }
        _ => false,
    }
}

/// Whether an expression is certainly a timestamp.
pub(super) fn is_timestamp(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Timestamp(_), _) | Expr::AtTimeZone { .. } => true,
        Expr::Cast { to, .. } => to.name.starts_with("timestamp") || to.name == "datetime",
        Expr::Function(call) => matches!(
            call.name.as_str(),
            "current_timestamp"
                | "now"
                | "date_trunc"
                | "datetime"
                | "to_timestamp"
                | "make_timestamp"
                | "localtimestamp"
        ),
        Expr::Binary { left, right, .. } => {
            is_interval(right) && (is_date(left) || is_timestamp(left))
        }
        _ => false,
    }
}

/// Whether an expression is a date by its form or type.
pub(super) fn is_day(expr: &Expr) -> bool {
    is_date(expr) || kind(expr) == Some(Kind::Date)
}

/// Whether an expression is a time with a date by its form or type.
pub(super) fn is_moment(expr: &Expr) -> bool {
    is_timestamp(expr) || kind(expr) == Some(Kind::Timestamp)
}

/// Whether an expression is an interval or a multiple of one.
pub(super) fn is_span(expr: &Expr) -> bool {
    is_interval(expr)
        || matches!(expr, Expr::Binary { operator: BinaryOperator::Multiply, right, .. }
            if is_interval(right))
}

/// Whether an expression is an interval.
pub(super) fn is_interval(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Interval(_), _) => true,
        Expr::Function(call) => call.name == "_interval",
        Expr::Binary { operator: BinaryOperator::Multiply, left, .. } => is_interval(left),
        _ => false,
    }
}

/// Whether an expression is certainly text.
pub(super) fn is_text(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::String(_), _)
        | Expr::Binary { operator: BinaryOperator::Concat, .. } => true,
        Expr::Cast { to, .. } => matches!(to.name.as_str(), "text" | "varchar" | "char"),
        Expr::Function(call) => matches!(
            call.name.as_str(),
            "btrim"
                | "chr"
                | "concat"
                | "concat_ws"
                | "initcap"
                | "left"
                | "lower"
                | "lpad"
                | "ltrim"
                | "repeat"
                | "replace"
                | "reverse"
                | "right"
                | "rpad"
                | "rtrim"
                | "string_agg"
                | "substr"
                | "substring"
                | "to_char"
                | "trim"
                | "upper"
        ),
        Expr::Case { branches, otherwise, .. } => {
            branches.iter().any(|(_, then)| is_text(then))
                || otherwise.as_deref().is_some_and(is_text)
        }
        _ => false,
    }
}

/// Whether an expression is certainly a non-integer number, so that a division with it is not an integer division.
pub(super) fn is_fractional(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Number(text), _) => text.contains(['.', 'e', 'E']),
        Expr::Cast { to, .. } => matches!(
            to.name.as_str(),
            "double precision" | "real" | "float" | "numeric" | "decimal"
        ),
        Expr::Unary { operand, .. } => is_fractional(operand),
        Expr::Function(call) => {
            matches!(call.name.as_str(), "avg" | "extract" | "sqrt" | "ln" | "exp" | "power")
        }
        Expr::Extract { .. } => true,
        Expr::Binary { operator, left, right } => {
            matches!(
                operator,
                BinaryOperator::Divide
                    | BinaryOperator::Minus
                    | BinaryOperator::Multiply
                    | BinaryOperator::Plus
            ) && (is_fractional(left) || is_fractional(right))
        }
        _ => false,
    }
}

/// Whether an expression is a literal other than NULL.
pub(super) fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(literal, _) => *literal != Literal::Null,
        Expr::Unary { operand, .. } => is_constant(operand),
        _ => false,
    }
}

/// The value of an integer literal with its sign.
pub(super) fn whole_number(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(Literal::Number(text) | Literal::String(text), _) => text.trim().parse().ok(),
        Expr::Unary { negative, operand } => {
            let number = whole_number(operand)?;
            if *negative { number.checked_neg() } else { Some(number) }
        }
        _ => None,
    }
}
