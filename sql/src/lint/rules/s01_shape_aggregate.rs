//! S01 shape-aggregate: the question asks for a count, total or average and the statement computes none, or it asks for
//! rows and the statement aggregates them.
//!
//! why: the result does not answer the question.
//! asked: `{"aggregate": "count"}`
//! wrong: `SELECT name FROM users`
//! right: `SELECT count(*) FROM users`

use crate::lint::{AskedAggregate, Finding, Rule, Severity, Statement};
use crate::tree::SqlSpan;

pub(super) static RULE: Rule = Rule::new("S01", "shape-aggregate", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    let Some(asked) = statement.asked else { return };
    let calls = || {
        statement.bound.calls.iter().filter(|call| call.is_aggregate || call.call.over.is_some())
    };
    if let Some(wanted) = asked.aggregate {
        let (word, names): (&str, &[&str]) = match wanted {
            AskedAggregate::Average => ("an average", &["avg"]),
            AskedAggregate::Count => ("a count", &["count", "sum", "total"]),
            AskedAggregate::Maximum => ("a maximum", &["max"]),
            AskedAggregate::Minimum => ("a minimum", &["min"]),
            AskedAggregate::Sum => ("a total", &["sum", "total", "count"]),
        };
        let ranked = matches!(wanted, AskedAggregate::Maximum | AskedAggregate::Minimum)
            && statement.bound.blocks.iter().any(|block| !block.query.order_by.is_empty());
        // A stored count or average may be what the question asks for.
        let stored = statement.bound.blocks.first().is_some_and(|block| {
            block
                .outputs
                .iter()
                .any(|it| names.iter().any(|name| it.name.to_lowercase().contains(name)))
        });
        if !ranked && !stored && !calls().any(|call| names.contains(&call.call.name.as_str())) {
            let message =
                format!("the question asks for {word}, but the statement does not compute one");
            found.push(Finding::new(&RULE, message, SqlSpan::default()));
        }
    }
    let Some(block) = statement.bound.blocks.first() else { return };
    if asked.lists_rows && block.aggregates && block.select.group_by.is_empty() {
        let message = "the question asks for rows, but the statement returns a single aggregate";
        found.push(Finding::new(&RULE, message, SqlSpan::default()));
    }
}
