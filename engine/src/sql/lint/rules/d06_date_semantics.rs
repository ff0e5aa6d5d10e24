//! D06 date-semantics: days and weeks are numbered otherwise here: PostgreSQL counts days of the week from 0 for Sunday.
//!
//! wrong: `SELECT id FROM orders WHERE extract(dow FROM created_at) = 7`
//! right: `SELECT id FROM orders WHERE extract(dow FROM created_at) = 0`

use super::support::{number, text_literal};
use crate::sql::lint::{Finding, Rule, Severity, Statement};
use crate::sql::tree::{BinaryOperator, Expr};
use crate::sql::walk::{arguments, walk};

pub(super) static RULE: Rule = Rule::new("D06", "date-semantics", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_expression(&mut |_, root| {
        walk(root, &mut |expr| {
            let mut test = |part: &Expr, value: &Expr| {
                let (Some((least, most)), Some(value)) = (range(part), number(value)) else { return };
                if value < least || value > most {
                    let message = format!("it is a number from {least} to {most}");
                    found.push(Finding::new(&RULE, message, statement.extent(expr)));
                }
            };
            match expr {
                Expr::Binary { operator: BinaryOperator::Equal, left, right } => test(left, right),
                Expr::InList { operand, list, .. } => list.iter().for_each(|value| test(operand, value)),
                _ => {}
            }
        });
    });
}

/// Least and greatest value of a part of a date.
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
