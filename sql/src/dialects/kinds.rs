//! Types of expressions, as far as their syntax determines them.

use crate::tree::{BinaryOperator, Expr, Literal};

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
