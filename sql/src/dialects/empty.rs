//! Oracle's empty texts, which are NULL.

use crate::tree::{Argument, Expr, FunctionCall, Literal};

/// Functions whose arguments after the first may be empty.
const WITH_EMPTY: [&str; 4] = ["listagg", "regexp_replace", "replace", "string_agg"];

/// Functions whose result can be empty although no argument is.
const TO_EMPTY: [&str; 9] = [
    "btrim",
    "ltrim",
    "regexp_replace",
    "replace",
    "rtrim",
    "substr",
    "substring",
    "translate",
    "trim",
];

/// Rewrites an empty literal as NULL, and a test for NULL of a text that can be empty.
pub(super) fn as_null(node: &mut Expr) {
    match node {
        Expr::Literal(literal, _) if is_empty(literal) => *literal = Literal::Null,
        Expr::IsNull { operand, .. } => empty_as_null(operand),
        _ => {}
    }
}

fn is_empty(literal: &Literal) -> bool {
    matches!(literal, Literal::String(text) if text.is_empty())
}

fn empty_as_null(expr: &mut Expr) {
    if matches!(expr, Expr::Function(call) if TO_EMPTY.contains(&call.name.as_str())) {
        let text = std::mem::replace(expr, Expr::Tuple(Vec::new()));
        *expr = Expr::call("nullif", vec![text, Expr::string("")]);
    }
}

/// Restores the empty literals of a call that may have them, and lets calls that test for NULL find empty texts.
pub(super) fn in_call(call: &mut FunctionCall) {
    let keeps = WITH_EMPTY.contains(&call.name.as_str());
    let tests = matches!(call.name.as_str(), "coalesce" | "decode" | "nvl" | "nvl2");
    for (at, argument) in call.arguments.iter_mut().enumerate() {
        let Argument::Expr(value) = argument else { continue };
        match value {
            // The literal NULL has four letters, two quotes have two.
            Expr::Literal(literal @ Literal::Null, place)
                if keeps && at > 0 && place.0.end - place.0.start == 2 =>
            {
                *literal = Literal::String(String::new());
            }
            value if tests => empty_as_null(value),
            _ => {}
        }
    }
}
