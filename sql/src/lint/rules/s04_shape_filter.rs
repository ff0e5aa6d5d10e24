//! S04 shape-filter: a value, number or period of the question that the statement omits or negates.
//!
//! why: the result covers other rows than the question asks about.
//! asked: `{"values": [{"phrase": "in Paris", "literals": ["Paris"]}]}`
//! wrong: `SELECT count(*) FROM users`
//! right: `SELECT count(*) FROM users WHERE city = 'Paris'`

use crate::lint::{Finding, Rule, Severity, Statement};
use crate::place::leaves;
use crate::tree::{BinaryOperator, Expr, SqlSpan};
use crate::walk::walk;

pub(super) static RULE: Rule = Rule::new("S04", "shape-filter", Severity::Warning, check);

/// A literal of a statement.
struct Found {
    text: String,
    span: SqlSpan,
    /// Whether rows with it are left out.
    negated: bool,
    /// Whether it is an exclusive upper bound.
    end: bool,
}

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    let Some(asked) = statement.asked else { return };
    if asked.values.is_empty() {
        return;
    }
    let mut literals: Vec<Found> = Vec::new();
    statement.each_expression(&mut |_, root| {
        let mut negated = Vec::new();
        let mut ends = Vec::new();
        walk(root, &mut |expr| {
            match expr {
                Expr::Binary { operator: BinaryOperator::Less, right, .. } => {
                    ends.extend(leaves(right));
                }
                Expr::Binary { operator: BinaryOperator::Greater, left, .. } => {
                    ends.extend(leaves(left));
                }
                _ => {}
            }
            let inside = match expr {
                Expr::Not(operand) => Some(&**operand),
                Expr::Binary { operator: BinaryOperator::NotEqual, .. }
                | Expr::InList { negated: true, .. }
                | Expr::Like { negated: true, .. }
                | Expr::Between { negated: true, .. } => Some(expr),
                _ => None,
            };
            negated.extend(inside.and_then(leaves));
        });
        walk(root, &mut |expr| {
            if let Expr::Literal(literal, place) = expr
                && let Some(text) = literal.text()
            {
                let holds = |it: &&SqlSpan| it.start <= place.0.start && place.0.end <= it.end;
                literals.push(Found {
                    text: text.to_lowercase(),
                    span: place.0,
                    negated: negated.iter().filter(holds).count() % 2 == 1,
                    end: ends.iter().any(|it| holds(&it)),
                });
            }
        });
    });
    // A value that a negated subquery excludes occurs un-negated inside it.
    let excludes = statement.bound.blocks.iter().any(|block| {
        block.conditions.iter().any(|condition| {
            matches!(
                condition.expr,
                Expr::InQuery { negated: true, .. }
                    | Expr::Exists { negated: true, .. }
                    | Expr::Not(_)
            )
        })
    }) || statement
        .bound
        .set_operations
        .iter()
        .any(|set| set.operator == crate::tree::SetOperator::Except);
    for value in &asked.values {
        let wanted: Vec<String> = value.literals.iter().map(|it| it.to_lowercase()).collect();
        let kept = literals
            .iter()
            .filter(|found| !(value.started && found.end))
            .find(|found| wanted.iter().any(|it| found.text == *it || holds(&found.text, it)));
        match kept {
            None => {
                let message =
                    format!("“{}” from the question is missing from the statement", value.phrase);
                found.push(Finding::new(&RULE, message, SqlSpan::default()));
            }
            Some(literal) if literal.negated != value.negated && !excludes => {
                let way = if value.negated {
                    "is included, but the question excludes it"
                } else {
                    "is excluded, but the question includes it"
                };
                found.push(Finding::new(&RULE, format!("“{}” {way}", value.phrase), literal.span));
            }
            Some(_) => {}
        }
    }
}

/// Whether a pattern or timestamp contains a value.
fn holds(text: &str, wanted: &str) -> bool {
    wanted.len() > 3 && text.trim_matches('%').contains(wanted)
}
