//! O01 limit-without-order: LIMIT or OFFSET without ORDER BY.
//!
//! If the question asks for a top-n, it is a warning.
//!
//! why: the server returns an arbitrary selection of rows, which can differ from run to run.
//! wrong: `SELECT name FROM users LIMIT 5`
//! right: `SELECT name FROM users ORDER BY name LIMIT 5`

use crate::lint::{Finding, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("O01", "limit-without-order", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (_, block) in statement.blocks() {
        let Some(limit) = block.query.limit.as_ref().or(block.query.offset.as_ref()) else {
            continue;
        };
        let one_row = block.aggregates && block.select.group_by.is_empty();
        let asks = matches!(block.role, crate::bind::Role::Exists) || one_row;
        if block.query.order_by.is_empty() && !asks {
            let finding = Finding::new(
                &RULE,
                "LIMIT or OFFSET without ORDER BY returns arbitrary rows",
                statement.extent(limit),
            );
            let ranked = statement.asked.is_some_and(|asked| asked.top.is_some());
            found.push(if ranked { finding.at(Severity::Warning) } else { finding });
        }
    }
}
