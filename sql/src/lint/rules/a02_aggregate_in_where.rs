//! A02 agg-in-where: an aggregate in WHERE, ON or GROUP BY.
//!
//! why: these clauses are evaluated before groups exist, so the server rejects the statement.
//! wrong: `SELECT city FROM users WHERE count(*) > 3 GROUP BY city`
//! right: `SELECT city FROM users GROUP BY city HAVING count(*) > 3`

use crate::bind::{Call, Clause};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::SqlSpan;

pub(super) static RULE: Rule = Rule::new("A02", "agg-in-where", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for call in &statement.bound.calls {
        let clause = match call.place.clause {
            Clause::Where => "WHERE",
            Clause::On => "a join condition",
            Clause::Group => "GROUP BY",
            Clause::Limit => "LIMIT",
            _ => continue,
        };
        if call.is_aggregate && !call.place.in_aggregate {
            let message = format!("the aggregate `{}` is not allowed in {clause}", call.call.name);
            let finding = Finding::new(&RULE, message, call.call.span);
            found.push(finding.fix(mend(statement, call)));
        }
    }
}

/// Moves WHERE into HAVING if it consists of a single condition.
fn mend(statement: &Statement<'_>, call: &Call<'_>) -> Option<Fix> {
    let block = statement.bound.blocks.get(call.place.block)?;
    let filter = block.select.filter.as_ref().filter(|_| call.place.clause == Clause::Where)?;
    if block.conditions.iter().filter(|it| it.clause == Clause::Where).count() != 1
        || block.select.having.is_some()
    {
        return None;
    }
    let last = block.select.group_by.last()?;
    let extent = statement.extent(filter);
    let first = statement.token_at(extent.start).checked_sub(1)?;
    if !statement.is_word(first, "where") {
        return None;
    }
    let cut = SqlSpan { start: statement.tokens.get(first)?.start, end: extent.end };
    let condition = statement.text_of(extent);
    let end = statement.extent(last).end;
    let edits = vec![Edit::replace(cut, ""), Edit::insert(end, format!(" HAVING {condition}"))];
    Some(Fix::safe("move the condition to HAVING", edits))
}
