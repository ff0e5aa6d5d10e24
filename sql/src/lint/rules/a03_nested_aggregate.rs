//! A03 nested-agg: an aggregate inside an aggregate, a window function in a clause that filters or groups rows, or
//! DISTINCT, FILTER or OVER on a function that is not an aggregate.
//!
//! why: the inner result does not exist yet when the outer one is computed; servers reject it.
//! wrong: `SELECT max(count(*)) FROM users GROUP BY city`
//! right: `SELECT max(n) FROM (SELECT count(*) AS n FROM users GROUP BY city) t`

use crate::bind::Clause;
use crate::guard;
use crate::lint::{Finding, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("A03", "nested-agg", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for call in &statement.bound.calls {
        let name = &call.call.name;
        let mut add = |message: String| {
            found.push(Finding::new(&RULE, message, call.call.span));
        };
        if call.is_aggregate && call.place.in_aggregate {
            add(format!("the aggregate `{name}` is nested in another aggregate"));
        }
        if call.call.over.is_some() {
            let clause = match call.place.clause {
                Clause::Where => Some("WHERE"),
                Clause::On => Some("a join condition"),
                Clause::Group => Some("GROUP BY"),
                Clause::Having => Some("HAVING"),
                _ => None,
            };
            if let Some(clause) = clause {
                add(format!("the window function `{name}` is not allowed in {clause}"));
            } else if call.place.in_aggregate || call.place.in_window {
                add(format!(
                    "the window function `{name}` is nested in another aggregate or window function"
                ));
            } else if !guard::may_have_over(name, statement.dialect) {
                add(format!(
                    "OVER is not allowed here: `{name}` is neither an aggregate nor a window function"
                ));
            }
        } else if guard::needs_over(name, statement.dialect) && call.call.within_group.is_empty() {
            add(format!("the window function `{name}` needs an OVER clause"));
        } else if guard::needs_order(name, statement.dialect) && call.call.within_group.is_empty() {
            add(format!("`{name}` needs an OVER or WITHIN GROUP clause, which sets the order"));
        }
        let of_aggregate = call.call.distinct || call.call.filter.is_some();
        if of_aggregate
            && !call.is_aggregate
            && call.call.over.is_none()
            && guard::is_listed(name, statement.dialect)
        {
            add(format!("DISTINCT and FILTER are not allowed here: `{name}` is not an aggregate"));
        }
    }
}
