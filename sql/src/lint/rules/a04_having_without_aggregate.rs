//! A04 having-without-agg: a HAVING condition that uses no aggregate.
//!
//! why: it filters rows that were grouped for nothing; in WHERE it is cheaper and easier to read.
//! wrong: `SELECT city, count(*) AS n FROM users GROUP BY city HAVING city <> 'Rome'`
//! right: `SELECT city, count(*) AS n FROM users WHERE city <> 'Rome' GROUP BY city`

use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::Expr;
use crate::walk::{conjuncts, inner_query, walk};

pub(super) static RULE: Rule = Rule::new("A04", "having-without-agg", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (_, block) in statement.blocks() {
        for part in block.select.having.iter().flat_map(conjuncts) {
            let mut on_groups = false;
            walk(part, &mut |expr| {
                on_groups |= match expr {
                    Expr::Function(call) => crate::guard::is_aggregate(call, statement.dialect),
                    // The alias can refer to an aggregate.
                    Expr::Column { .. } => statement.bound.column_of(expr).is_none(),
                    _ => inner_query(expr).is_some(),
                };
            });
            if !on_groups {
                let message = "this HAVING condition uses no aggregate; move it to WHERE, which filters rows before they are grouped";
                found.push(Finding::new(&RULE, message, statement.extent(part)));
            }
        }
    }
}
