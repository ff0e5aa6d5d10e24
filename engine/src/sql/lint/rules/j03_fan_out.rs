//! J03 fan-out: a sum, an average or a count over rows that a join repeats.
//!
//! wrong: `SELECT sum(o.amount) FROM orders o JOIN order_items i ON i.order_id = o.id`
//! right: `SELECT sum(o.amount) FROM orders o WHERE EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = o.id)`

use super::support::multiplied_by;
use crate::sql::bind::{Call, ColumnPlace};
use crate::sql::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::sql::walk::{arguments, walk};

pub(super) static RULE: Rule = Rule::new("J03", "fan-out", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for call in &statement.bound.calls {
        let adds = matches!(call.call.name.as_str(), "sum" | "avg" | "count" | "total" | "string_agg" | "group_concat");
        if !call.is_aggregate || call.call.distinct || !adds {
            continue;
        }
        let Some(of) = only_source(statement, call) else { continue };
        let many = multiplied_by(statement, call.place.block, of);
        let Some(block) = statement.bound.blocks.get(call.place.block) else { continue };
        // Grouped by what repeats: each of its rows is a group of its own.
        let grouped = statement.bound.determined(call.place.block, true);
        let is_split = |source: &usize| grouped.iter().any(|column| column.source == *source);
        let Some(repeats) = many.into_iter().find(|source| !is_split(source)) else { continue };
        if call.call.name == "count" && !counts_key(statement, call) {
            continue;
        }
        let named = |source: usize| {
            block.sources.get(source).and_then(|it| statement.called(it)).unwrap_or("a subquery")
        };
        let message = format!(
            "each row of {} counts once for every row of {}",
            named(of),
            named(repeats)
        );
        let finding = Finding::new(&RULE, message, call.call.span);
        found.push(finding.fix(distinct(statement, call)));
    }
}

/// The one source that the arguments of a call read.
fn only_source(statement: &Statement<'_>, call: &Call<'_>) -> Option<usize> {
    let mut sources: Vec<ColumnPlace> = Vec::new();
    for argument in arguments(call.call) {
        walk(argument, &mut |expr| sources.extend(statement.bound.column_of(expr)));
    }
    let first = sources.first()?;
    let one = sources.iter().all(|it| (it.block, it.source) == (first.block, first.source));
    (one && first.block == call.place.block).then_some(first.source)
}

/// Whether a count is of the key of its table, so that rows of the table are meant.
fn counts_key(statement: &Statement<'_>, call: &Call<'_>) -> bool {
    let origin = arguments(call.call).next().and_then(|expr| statement.bound.origin_of(expr));
    origin.is_some_and(|it| it.table.primary_key == [it.column.name.clone()])
}

fn distinct(statement: &Statement<'_>, call: &Call<'_>) -> Option<Fix> {
    let open = statement.token_at(call.call.span.start) + 1;
    let at = statement.tokens.get(open)?.end;
    (call.call.name == "count" && statement.token(open) == "(")
        .then(|| Fix::offer("count each once", vec![Edit::insert(at, "DISTINCT ")]))
}
