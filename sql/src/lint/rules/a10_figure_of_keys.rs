//! A10 figure-of-keys: a sum or an average of key values.
//!
//! why: keys identify rows and are not quantities, so the result has no meaning.
//! wrong: `SELECT avg(user_id) FROM orders`
//! right: `SELECT count(DISTINCT user_id) FROM orders`

use crate::lint::{Finding, Rule, Severity, Statement};
use crate::walk::arguments;

pub(super) static RULE: Rule = Rule::new("A10", "figure-of-keys", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for call in &statement.bound.calls {
        let words = match call.call.name.as_str() {
            "avg" => "mean",
            "sum" | "total" => "sum",
            _ => continue,
        };
        let Some(origin) = arguments(call.call).next().and_then(|it| statement.bound.origin_of(it))
        else {
            continue;
        };
        let (table, name) = (origin.table, origin.column.name.as_str());
        let refers = statement.catalog.foreign_keys.iter().any(|key| {
            table.has_key(&key.from_table) && key.from_columns.iter().any(|it| it == name)
        });
        if refers || table.primary_key.as_slice() == [name] {
            let message = format!("`{name}` is a key, so its {words} has no meaning");
            found.push(Finding::new(&RULE, message, call.call.span));
        }
    }
}
