//! P07 date-edge: a timestamp compared with a date without a time.
//!
//! why: the date stands for its midnight, so almost the whole last day is left out.
//! wrong: `SELECT id FROM orders WHERE created_at BETWEEN '2026-01-01' AND '2026-01-31'`
//! right: `SELECT id FROM orders WHERE created_at >= '2026-01-01' AND created_at < '2026-02-01'`

use super::support::date_literal;
use crate::bind::Kind;
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{BinaryOperator, Expr};
use crate::walk::walk;
use wherefore_catalog::day;

pub(super) static RULE: Rule = Rule::new("P07", "date-edge", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_condition(&mut |_, condition| {
        walk(condition, &mut |expr| match expr {
            Expr::Between { operand, low, high, negated: false }
                if is_moment(statement, operand) =>
            {
                if let (Some(_), Some(last)) = (date_literal(low), date_literal(high)) {
                    let span = statement.extent(expr);
                    let message = format!(
                        "the range ends at 00:00 on {last} and excludes the rest of that day"
                    );
                    let finding = Finding::new(&RULE, message, span);
                    found.push(finding.fix(half_open(statement, operand, low, high, expr)));
                }
            }
            Expr::InList { operand, list, .. } if is_moment(statement, operand) => {
                if let Some(date) = list.iter().find_map(date_literal) {
                    let message = format!("this matches only 00:00 on {date}, not the whole day");
                    found.push(Finding::new(&RULE, message, statement.extent(expr)));
                }
            }
            Expr::Binary { operator: BinaryOperator::Equal, left, right }
                if is_moment(statement, left) && is_today(right) =>
            {
                let message = "this matches only 00:00 on that day, not the whole day";
                found.push(Finding::new(&RULE, message, statement.extent(expr)));
            }
            Expr::Binary { operator, left, right } if is_moment(statement, left) => {
                let Some(date) = date_literal(right) else { return };
                let span = statement.extent(expr);
                match operator {
                    BinaryOperator::LessOrEqual => {
                        let message = format!(
                            "this ends at 00:00 on {date} and excludes the rest of that day"
                        );
                        // A bound on the first of a month usually means the end of the month before.
                        let finding = Finding::new(&RULE, message, span);
                        let is_bound = date.ends_with("-01");
                        found.push(if is_bound { finding.at(Severity::Note) } else { finding });
                    }
                    BinaryOperator::Equal => {
                        let message =
                            format!("this matches only 00:00 on {date}, not the whole day");
                        found.push(Finding::new(&RULE, message, span));
                    }
                    _ => {}
                }
            }
            _ => {}
        });
    });
}

fn is_today(expr: &Expr) -> bool {
    matches!(expr, Expr::Function(call) if call.name == "current_date")
}

/// Whether an expression is a stored timestamp column.
fn is_moment(statement: &Statement<'_>, expr: &Expr) -> bool {
    statement.bound.kind(expr) == Some(Kind::Timestamp)
        && statement.bound.origin_of(expr).is_some_and(|origin| {
            // If the latest known value is a date without a time, no time of day can be lost.
            origin.column.maximum.as_ref().is_none_or(|latest| latest.len() > 10)
        })
}

fn half_open(
    statement: &Statement<'_>,
    operand: &Expr,
    low: &Expr,
    high: &Expr,
    whole: &Expr,
) -> Option<Fix> {
    let next = day::text(day::plus_days(day::parse(date_literal(high)?)?, 1)?);
    let column = statement.text_extent(operand);
    let first = date_literal(low)?;
    let written = format!("{column} >= '{first}' AND {column} < '{next}'");
    let span = statement.extent(whole);
    let title = format!("use a range that ends before {next}");
    (span.end > 0).then(|| Fix::safe(title, vec![Edit::replace(span, written)]))
}
