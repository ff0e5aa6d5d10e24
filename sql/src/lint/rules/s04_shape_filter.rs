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

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    let Some(asked) = statement.asked else { return };
    if asked.values.is_empty() {
        return;
    }
    let mut literals: Vec<(String, SqlSpan, bool)> = Vec::new();
    statement.each_expression(&mut |_, root| {
        let mut negated = Vec::new();
        walk(root, &mut |expr| {
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
                let not = negated
                    .iter()
                    .filter(|it| it.start <= place.0.start && place.0.end <= it.end)
                    .count();
                literals.push((text.to_lowercase(), place.0, not % 2 == 1));
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
            .find(|(text, ..)| wanted.iter().any(|it| text == it || holds(text, it)));
        match kept {
            None => {
                let message =
                    format!("“{}” from the question is missing from the statement", value.phrase);
                found.push(Finding::new(&RULE, message, SqlSpan::default()));
            }
            Some((_, span, negated)) if *negated != value.negated && !excludes => {
                let way = if value.negated {
                    "is included, but the question excludes it"
                } else {
                    "is excluded, but the question includes it"
                };
                found.push(Finding::new(&RULE, format!("“{}” {way}", value.phrase), *span));
            }
            Some(_) => {}
        }
    }
}

/// Whether a pattern or timestamp contains a value.
fn holds(text: &str, wanted: &str) -> bool {
    wanted.len() > 3 && text.trim_matches('%').contains(wanted)
}
