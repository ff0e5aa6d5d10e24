//! A08 setop-arity / types: operands of UNION, INTERSECT or EXCEPT that differ in the number or the types of their
//! columns.
//!
//! why: columns are matched by position; servers reject a mismatch or mix unrelated values in one column.
//! wrong: `SELECT id FROM users UNION SELECT id, name FROM users`
//! right: `SELECT id FROM users UNION SELECT user_id FROM orders`

use crate::Dialect;
use crate::bind::comparable;
use crate::lint::{Finding, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("A08", "setop-arity", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for set in statement.bound.set_operations.iter().filter(|set| set.is_known) {
        let (left, right) = (set.left.len(), set.right.len());
        if left != right {
            let message = format!(
                "the set operation combines {left} and {right} columns; both sides need the same number"
            );
            found.push(Finding::new(&RULE, message, set.span));
            continue;
        }
        for (one, other) in set.left.iter().zip(set.right.iter()) {
            if let (Some(first), Some(second)) = (one.kind, other.kind)
                && !comparable(first, second)
            {
                let (first, second) = (first.words(), second.words());
                let message = format!(
                    "column `{}` is {first} on one side of the set operation and {second} on the other",
                    one.name
                );
                let finding = Finding::new(&RULE, message, set.span);
                let lenient = statement.dialect == Dialect::Sqlite;
                found.push(if lenient { finding.at(Severity::Note) } else { finding });
            }
        }
    }
}
