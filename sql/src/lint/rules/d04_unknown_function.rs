//! D04 unknown-function: a function that the data source does not have or that queries are not allowed to call.
//!
//! why: the data source or the guard rejects the call.
//! wrong: `SELECT lowr(name) FROM users`
//! right: `SELECT lower(name) FROM users`

use crate::guard;
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::suggest;

pub(super) static RULE: Rule = Rule::new("D04", "unknown-function", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for call in &statement.bound.calls {
        let name = &call.call.name;
        if guard::is_listed(name, statement.dialect)
            || super::d01_dialect_function::is_foreign(name, statement.dialect)
        {
            continue;
        }
        let finding = Finding::new(&RULE, format!("unknown function `{name}`"), call.call.span);
        let near =
            suggest::nearest(name, guard::names(statement.dialect)).filter(|_| name.len() > 3);
        let fix = near.map(|near| {
            let edits = vec![Edit::replace(call.call.span, near)];
            let title = format!("use `{near}`");
            Fix::offer(title, edits)
        });
        found.push(finding.fix(fix));
    }
}
