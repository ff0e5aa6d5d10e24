//! Separation of conditions and values for SQL Server, which has no boolean expressions: a condition used as a value
//! becomes a CASE, and a value used as a condition is compared with 1.

use crate::diagnostic::Diagnostic;
use crate::tree::{
    Argument, BinaryOperator, Body, Expr, JoinCondition, Literal, Query, SelectItem,
};

use super::dates::cast;
use super::walk::{self, Done, Visitor};

/// Rewrites values in condition position and conditions in value position.
pub(super) fn settle(query: &mut Query) -> Result<(), Diagnostic> {
    walk::query(&mut Settling, query)
}

struct Settling;

impl Visitor for Settling {
    fn expr(&mut self, node: &mut Expr) -> Done {
        match node {
            Expr::And(parts) | Expr::Or(parts) => parts.iter_mut().for_each(condition),
            Expr::Not(operand) => condition(operand),
            Expr::IsBoolean { operand, value, negated } => {
                let (value, negated) = (*value, *negated);
                condition(operand);
                let operand = std::mem::replace(&mut **operand, Expr::Tuple(Vec::new()));
                *node = tested(operand, value, negated);
            }
            Expr::Case { operand, branches, otherwise } => {
                for (when, then) in branches {
                    if operand.is_none() {
                        condition(when);
                    } else {
                        as_value(when);
                    }
                    as_value(then);
                }
                if let Some(otherwise) = otherwise {
                    as_value(otherwise);
                }
            }
            Expr::Function(call) => {
                for argument in &mut call.arguments {
                    if let Argument::Expr(argument) = argument {
                        as_value(argument);
                    }
                }
            }
            Expr::Binary { left, right, .. } => {
                as_value(left);
                as_value(right);
            }
            Expr::IsNull { operand, .. } | Expr::Cast { operand, .. } => as_value(operand),
            Expr::InList { operand, list, .. } => {
                as_value(operand);
                list.iter_mut().for_each(as_value);
            }
            _ => {}
        }
        Ok(())
    }

    fn query(&mut self, query: &mut Query) -> Done {
        query.order_by.iter_mut().for_each(|item| as_value(&mut item.expr));
        let Body::Select(select) = &mut query.body else { return Ok(()) };
        for item in &mut select.items {
            if let SelectItem::Expr { expr, .. } = item {
                as_value(expr);
            }
        }
        select.group_by.iter_mut().for_each(as_value);
        select.filter.iter_mut().chain(&mut select.having).for_each(condition);
        for join in select.from.iter_mut().flat_map(|from| &mut from.joins) {
            if let JoinCondition::On(on) = &mut join.condition {
                condition(on);
            }
        }
        Ok(())
    }
}

/// Whether an expression is a condition.
fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::And(_)
        | Expr::Or(_)
        | Expr::Not(_)
        | Expr::IsNull { .. }
        | Expr::IsBoolean { .. }
        | Expr::Between { .. }
        | Expr::InList { .. }
        | Expr::InQuery { .. }
        | Expr::Exists { .. }
        | Expr::Like { .. } => true,
        Expr::Binary { operator, .. } => matches!(
            operator,
            BinaryOperator::Equal
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual
                | BinaryOperator::IsDistinctFrom
                | BinaryOperator::IsNotDistinctFrom
                | BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::NotEqual
        ),
        _ => false,
    }
}

fn equal(left: Expr, number: &str) -> Expr {
    Expr::binary(left, BinaryOperator::Equal, Expr::number(number))
}

fn condition(expr: &mut Expr) {
    if is_condition(expr) {
        return;
    }
    let value = std::mem::replace(expr, Expr::Tuple(Vec::new()));
    *expr = match value {
        Expr::Literal(Literal::Boolean(value), _) => {
            equal(Expr::number("1"), if value { "1" } else { "0" })
        }
        value => equal(value, "1"),
    };
}

fn as_value(expr: &mut Expr) {
    if let Expr::Literal(Literal::Boolean(value), _) = expr {
        *expr = cast(Expr::number(if *value { "1" } else { "0" }), "boolean");
        return;
    }
    if !is_condition(expr) {
        return;
    }
    let condition = std::mem::replace(expr, Expr::Tuple(Vec::new()));
    let opposite = Expr::Not(Box::new(condition.clone()));
    let case = Expr::Case {
        operand: None,
        branches: vec![(condition, Expr::number("1")), (opposite, Expr::number("0"))],
        otherwise: None,
    };
    *expr = cast(case, "boolean");
}

/// `operand IS [NOT] TRUE` or FALSE, for which NULL is neither.
fn tested(operand: Expr, value: bool, negated: bool) -> Expr {
    let condition = if value { operand } else { Expr::Not(Box::new(operand)) };
    let case = Expr::Case {
        operand: None,
        branches: vec![(condition, Expr::number("1"))],
        otherwise: Some(Box::new(Expr::number("0"))),
    };
    equal(case, if negated { "0" } else { "1" })
}
