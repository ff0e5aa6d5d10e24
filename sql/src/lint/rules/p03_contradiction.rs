//! P03 contradiction / tautology: conditions that are false for every row or true for every row.
//!
//! why: the statement returns nothing, or does not filter at all; both are usually mistakes.
//! wrong: `SELECT name FROM users WHERE city = 'Paris' AND city = 'Rome'`
//! right: `SELECT name FROM users WHERE city = 'Paris' OR city = 'Rome'`

use super::support::{date_literal, number, text_literal};
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::{BinaryOperator, Expr, Literal};
use crate::walk::{conjuncts, walk};

pub(super) static RULE: Rule = Rule::new("P03", "contradiction", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_condition(&mut |_, condition| {
        walk(condition, &mut |expr| match expr {
            Expr::Binary { operator, left, right } => {
                with_itself(statement, expr, *operator, left, right, found);
            }
            Expr::Between { low, high, negated: false, .. } if before(high, low) => {
                let message = "the range is empty: its end is before its start";
                found.push(Finding::new(&RULE, message, statement.extent(expr)));
            }
            Expr::Or(parts) => covers_all(statement, expr, parts, found),
            _ => {}
        });
        contradictions(statement, conjuncts(condition), found);
    });
}

fn with_itself(
    statement: &Statement<'_>,
    expr: &Expr,
    operator: BinaryOperator,
    left: &Expr,
    right: &Expr,
    found: &mut Vec<Finding>,
) {
    let (Some(one), Some(other)) =
        (statement.bound.column_of(left), statement.bound.column_of(right))
    else {
        return;
    };
    let message = match operator {
        _ if one != other => return,
        BinaryOperator::Equal | BinaryOperator::LessOrEqual | BinaryOperator::GreaterOrEqual => {
            "a column is compared with itself; this is true unless it is NULL"
        }
        BinaryOperator::NotEqual | BinaryOperator::Less | BinaryOperator::Greater => {
            "a column is compared with itself; this is never true"
        }
        _ => return,
    };
    found.push(Finding::new(&RULE, message, statement.extent(expr)));
}

/// `a <> 1 OR a <> 2` is true for every value.
fn covers_all(statement: &Statement<'_>, whole: &Expr, parts: &[Expr], found: &mut Vec<Finding>) {
    let unequal: Vec<(&Expr, &Expr)> = parts
        .iter()
        .filter_map(|part| match part {
            Expr::Binary { operator: BinaryOperator::NotEqual, left, right } => {
                Some((&**left, &**right))
            }
            _ => None,
        })
        .collect();
    let differs = |(left, right): &(&Expr, &Expr), (other, value): &(&Expr, &Expr)| {
        left == other && is_constant(right) && is_constant(value) && right != value
    };
    let opposite = parts
        .iter()
        .enumerate()
        .any(|(at, one)| parts[at + 1..].iter().any(|other| is_opposite(one, other)));
    if opposite || parts.iter().any(holds_always) {
        let message = "one of these conditions is always true, except for NULL";
        found.push(Finding::new(&RULE, message, statement.extent(whole)));
        return;
    }
    let covered = unequal
        .iter()
        .enumerate()
        .any(|(at, one)| unequal[at + 1..].iter().any(|other| differs(one, other)));
    if covered {
        let message = "every value differs from one of these values, so the condition is always true; use AND";
        found.push(Finding::new(&RULE, message, statement.extent(whole)));
    }
}

/// Whether a condition is constant and true.
fn holds_always(condition: &Expr) -> bool {
    match condition {
        Expr::Literal(Literal::Boolean(value), _) => *value,
        Expr::Binary { operator: BinaryOperator::Equal, left, right } => {
            left == right && is_constant(left)
        }
        _ => false,
    }
}

/// Whether a condition is the negation of another.
fn is_opposite(one: &Expr, other: &Expr) -> bool {
    use BinaryOperator as Op;
    match (one, other) {
        (Expr::IsNull { operand, negated }, Expr::IsNull { operand: again, negated: other }) => {
            operand == again && negated != other
        }
        (
            Expr::Binary { operator: first, left, right },
            Expr::Binary { operator: second, left: again, right: value },
        ) => {
            let pair = matches!(
                (first, second),
                (Op::Equal, Op::NotEqual)
                    | (Op::NotEqual, Op::Equal)
                    | (Op::Less, Op::GreaterOrEqual)
                    | (Op::GreaterOrEqual, Op::Less)
                    | (Op::Greater, Op::LessOrEqual)
                    | (Op::LessOrEqual, Op::Greater)
            );
            pair && left == again && right == value && is_constant(right)
        }
        _ => false,
    }
}

/// Reports conjuncts that exclude each other.
fn contradictions(statement: &Statement<'_>, parts: &[Expr], found: &mut Vec<Finding>) {
    for (at, one) in parts.iter().enumerate() {
        for other in &parts[at + 1..] {
            if exclude(statement, one, other) {
                let message = "this contradicts an earlier condition, so no row matches";
                found.push(Finding::new(&RULE, message, statement.extent(other)));
            }
        }
    }
}

fn exclude(statement: &Statement<'_>, one: &Expr, other: &Expr) -> bool {
    use BinaryOperator as Op;
    let (
        Expr::Binary { operator: first, left, right },
        Expr::Binary { operator: second, left: again, right: value },
    ) = (one, other)
    else {
        return match (one, other) {
            (
                Expr::IsNull { operand, negated },
                Expr::IsNull { operand: again, negated: other },
            ) => operand == again && negated != other,
            (
                Expr::IsNull { operand, negated: false },
                Expr::Binary { left, operator: Op::Equal, .. },
            )
            | (
                Expr::Binary { left, operator: Op::Equal, .. },
                Expr::IsNull { operand, negated: false },
            ) => operand == left && statement.bound.column_of(left).is_some(),
            _ => false,
        };
    };
    let (Some(column), Some(same)) =
        (statement.bound.column_of(left), statement.bound.column_of(again))
    else {
        return false;
    };
    if column != same || !is_constant(right) || !is_constant(value) {
        return false;
    }
    let not_after = |low: &Expr, high: &Expr| before(high, low) || low == high;
    match (first, second) {
        (Op::Equal, Op::Equal) => right != value,
        (Op::Equal, Op::NotEqual) | (Op::NotEqual, Op::Equal) => right == value,
        (Op::Greater | Op::GreaterOrEqual, Op::Less | Op::LessOrEqual) => {
            before(value, right)
                || *first == Op::Greater
                    && *second == Op::Less
                    && not_after(right, value)
                    && right == value
        }
        (Op::Less | Op::LessOrEqual, Op::Greater | Op::GreaterOrEqual) => before(right, value),
        (Op::Equal, Op::Greater) | (Op::Less, Op::Equal) => before(right, value) || right == value,
        (Op::Equal, Op::Less) | (Op::Greater, Op::Equal) => before(value, right) || right == value,
        _ => false,
    }
}

fn is_constant(expr: &Expr) -> bool {
    number(expr).is_some() || text_literal(expr).is_some() || date_literal(expr).is_some()
}

/// Whether one constant is less than another of the same type.
fn before(one: &Expr, other: &Expr) -> bool {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one < other,
        _ => match (date_literal(one), date_literal(other)) {
            (Some(one), Some(other)) => one < other,
            _ => false,
        },
    }
}
