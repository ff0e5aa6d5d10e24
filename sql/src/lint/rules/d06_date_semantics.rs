//! D06 date-semantics: a date part compared with a number that it never has: PostgreSQL's days of the week go from 0
//! (Sunday) to 6.
//!
//! why: databases number weekdays and weeks differently, so the condition silently selects wrong rows or none.
//! wrong: `SELECT id FROM orders WHERE extract(dow FROM created_at) = 7`
//! right: `SELECT id FROM orders WHERE extract(dow FROM created_at) = 0`

use super::support::{number, text_literal};
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::{BinaryOperator, Expr};
use crate::walk::{arguments, walk};

pub(super) static RULE: Rule = Rule::new("D06", "date-semantics", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_expression(&mut |_, root| {
        walk(root, &mut |expr| {
            let mut test = |part: &Expr, value: &Expr| {
                let (Some((least, most)), Some(value)) = (range(part), number(value)) else {
                    return;
                };
                if value < least || value > most {
                    let message = format!("this date part only has values from {least} to {most}");
                    found.push(Finding::new(&RULE, message, statement.extent(expr)));
                }
            };
            match expr {
                Expr::Binary { operator: BinaryOperator::Equal, left, right } => test(left, right),
                Expr::InList { operand, list, .. } => {
                    for value in list {
                        test(operand, value);
                    }
                }
                _ => {}
            }
        });
    });
}

/// Smallest and largest value of a date part.
fn range(expr: &Expr) -> Option<(f64, f64)> {
    let part = match expr {
        Expr::Extract { field, .. } => field.as_str(),
        Expr::Function(call) if call.name == "date_part" => text_literal(arguments(call).next()?)?,
        Expr::Cast { operand, .. } => return range(operand),
        Expr::Function(call) if call.name == "strftime" => {
            match text_literal(arguments(call).next()?)? {
                "%w" => "dow",
                "%m" => "month",
                "%d" => "day",
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(match part {
        "dow" => (0.0, 6.0),
        "isodow" => (1.0, 7.0),
        "month" => (1.0, 12.0),
        "quarter" => (1.0, 4.0),
        "day" => (1.0, 31.0),
        "hour" => (0.0, 23.0),
        "week" => (1.0, 53.0),
        _ => return None,
    })
}
