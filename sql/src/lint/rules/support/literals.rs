//! Values of literals.

use crate::tree::{Expr, Literal};

/// Value of a string literal.
pub(in crate::lint::rules) fn text_literal(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Literal(Literal::String(text), _) => Some(text),
        _ => None,
    }
}

/// Value of a number literal with its sign.
pub(in crate::lint::rules) fn number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Literal(Literal::Number(text), _) => text.parse().ok(),
        Expr::Unary { negative, operand } => {
            number(operand).map(|value| if *negative { -value } else { value })
        }
        _ => None,
    }
}

/// Text of a literal that is a calendar date without a time.
pub(in crate::lint::rules) fn date_literal(expr: &Expr) -> Option<&str> {
    let text = match expr {
        Expr::Literal(
            Literal::Date(text) | Literal::String(text) | Literal::Timestamp(text),
            _,
        ) => text,
        Expr::Cast { operand, to } if matches!(to.name.as_str(), "date" | "timestamp") => {
            return date_literal(operand);
        }
        _ => return None,
    };
    let bytes = text.as_bytes();
    let is_date = bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    is_date.then_some(text)
}
