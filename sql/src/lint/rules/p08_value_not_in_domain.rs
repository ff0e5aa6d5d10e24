//! P08 value-not-in-domain: a text that the column does not contain, or contains in another case.
//!
//! why: the condition matches no row, although a similar value exists.
//! wrong: `SELECT id FROM orders WHERE status = 'Paid'`
//! right: `SELECT id FROM orders WHERE status = 'paid'`

use super::support::text_literal;
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::suggest;
use crate::tree::{BinaryOperator, Expr};
use crate::walk::walk;
use wherefore_catalog::{Column, Coverage};

pub(super) static RULE: Rule = Rule::new("P08", "value-not-in-domain", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_condition(&mut |_, condition| {
        walk(condition, &mut |expr| match expr {
            Expr::Binary {
                operator: operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual),
                left,
                right,
            } => {
                let excluded = *operator == BinaryOperator::NotEqual;
                one(statement, left, right, excluded, found);
                one(statement, right, left, excluded, found);
            }
            Expr::InList { operand, list, negated } => {
                for value in list {
                    one(statement, operand, value, *negated, found);
                }
            }
            _ => {}
        });
    });
}

fn one(
    statement: &Statement<'_>,
    column: &Expr,
    value: &Expr,
    excluded: bool,
    found: &mut Vec<Finding>,
) {
    let (Some(origin), Some(text)) = (statement.bound.origin_of(column), text_literal(value))
    else {
        return;
    };
    let Some(list) = origin.column.values.as_ref() else { return };
    if list.values.is_empty() || list.values.iter().any(|stored| stored == text) {
        return;
    }
    let other_case = list.values.iter().find(|stored| stored.eq_ignore_ascii_case(text));
    if list.coverage == Coverage::Partial && other_case.is_none() {
        return;
    }
    let message = format!("column `{}` has no value '{text}'", origin.column.name);
    let mut finding = Finding::new(&RULE, message, statement.extent(value));
    // Excluding a value that does not occur has no effect.
    if excluded && other_case.is_none() {
        finding = finding.at(Severity::Note);
    }
    for stored in candidates(origin.column, text, other_case) {
        let written = format!("'{}'", stored.replace('\'', "''"));
        let edits = vec![Edit::replace(statement.extent(value), written.clone())];
        finding = finding.fix(Some(Fix::offer(format!("use {written}"), edits)));
    }
    found.push(finding);
}

/// Stored values that the author may have meant, best first.
fn candidates<'a>(column: &'a Column, text: &str, other_case: Option<&'a String>) -> Vec<&'a str> {
    let values = || column.values.iter().flat_map(|list| &list.values).map(String::as_str);
    let mut found: Vec<&str> = other_case.map(String::as_str).into_iter().collect();
    found.extend(suggest::nearest(text, values()));
    let lower = text.to_lowercase();
    found.extend(values().filter(|stored| stored.to_lowercase().contains(&lower)));
    let mut seen = Vec::new();
    found.retain(|value| {
        !seen.contains(value) && {
            seen.push(*value);
            true
        }
    });
    found.truncate(3);
    found
}
