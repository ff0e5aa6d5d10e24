//! P01 null-compare: a comparison with NULL.
//!
//! why: such a comparison is never true; IS NULL tests for missing values.
//! wrong: `SELECT id FROM users WHERE email = NULL`
//! right: `SELECT id FROM users WHERE email IS NULL`

use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{BinaryOperator, Expr, Literal, SqlSpan};
use crate::walk::walk;

pub(super) static RULE: Rule = Rule::new("P01", "null-compare", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_condition(&mut |_, condition| {
        walk(condition, &mut |expr| {
            let is_null = |side: &Expr| matches!(side, Expr::Literal(Literal::Null, _));
            if let Expr::InList { list, negated: false, .. } = expr
                && list.iter().any(is_null)
            {
                let message = "NULL in an IN list never matches; use IS NULL";
                found.push(Finding::new(&RULE, message, statement.extent(expr)));
            }
            let Expr::Binary { operator, left, right } = expr else { return };
            let compares = matches!(
                operator,
                BinaryOperator::Equal
                    | BinaryOperator::NotEqual
                    | BinaryOperator::Less
                    | BinaryOperator::LessOrEqual
                    | BinaryOperator::Greater
                    | BinaryOperator::GreaterOrEqual
            );
            if compares && (is_null(right) || is_null(left)) {
                let span = statement.extent(expr);
                let finding = Finding::new(
                    &RULE,
                    "a comparison with NULL is never true; use IS NULL or IS NOT NULL",
                    span,
                );
                let fix = mend(statement, *operator, left, span).filter(|_| is_null(right));
                found.push(finding.fix(fix));
            }
        });
    });
}

fn mend(
    statement: &Statement<'_>,
    operator: BinaryOperator,
    left: &Expr,
    span: SqlSpan,
) -> Option<Fix> {
    let words = match operator {
        BinaryOperator::Equal => " IS NULL",
        BinaryOperator::NotEqual => " IS NOT NULL",
        _ => return None,
    };
    let from = statement.extent(left).end;
    let edits = vec![Edit::replace(SqlSpan { start: from, end: span.end }, words)];
    (from > 0 && from < span.end)
        .then(|| Fix::safe(format!("write{}", words.to_lowercase()), edits))
}
