//! P06 int-division / div-by-zero: a division of integers, or a division by zero.
//!
//! why: integer division drops the fraction, so a ratio below one becomes 0; division by zero fails.
//! wrong: `SELECT count(*) FILTER (WHERE city = 'Paris') / count(*) FROM users`
//! right: `SELECT count(*) FILTER (WHERE city = 'Paris')::numeric / nullif(count(*), 0) FROM users`

use super::support::number;
use crate::Dialect;
use crate::bind::Kind;
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{BinaryOperator, Expr};
use crate::walk::walk;

pub(super) static RULE: Rule = Rule::new("P06", "int-division", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_expression(&mut |_, root| {
        walk(root, &mut |expr| {
            let Expr::Binary { operator: BinaryOperator::Divide, left, right } = expr else {
                return;
            };
            let span = statement.extent(expr);
            if number(right) == Some(0.0) {
                found.push(Finding::new(&RULE, "division by zero", span));
                return;
            }
            let whole = |side: &Expr| statement.bound.kind(side) == Some(Kind::Integer);
            if whole(left) && whole(right) {
                let message = "integer division drops the fraction";
                let finding = Finding::new(&RULE, message, span);
                // Division by a constant such as 2 or 100 is often meant to be integer division.
                let finding =
                    if number(right).is_some() { finding.at(Severity::Note) } else { finding };
                found.push(finding.fix(mend(statement, left)));
            }
        });
    });
}

fn mend(statement: &Statement<'_>, left: &Expr) -> Option<Fix> {
    let span = statement.extent(left);
    let (title, edits) = match statement.dialect {
        Dialect::Postgres if matches!(left, Expr::Binary { .. }) => (
            "divide as decimal numbers",
            vec![Edit::insert(span.start, "("), Edit::insert(span.end, ")::numeric")],
        ),
        Dialect::Postgres => {
            ("divide as decimal numbers", vec![Edit::insert(span.end, "::numeric")])
        }
        Dialect::Sqlite => ("divide as decimal numbers", vec![Edit::insert(span.start, "1.0 * ")]),
    };
    (span.end > 0).then(|| Fix::safe(title, edits))
}
