//! J03 fan-out: SUM, AVG or COUNT over rows that a join duplicates.
//!
//! why: a one-to-many join repeats rows of the "one" side, so its values are counted several times.
//! wrong: `SELECT sum(o.amount) FROM orders o JOIN order_items i ON i.order_id = o.id`
//! right: `SELECT sum(o.amount) FROM orders o WHERE EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = o.id)`

use super::support::multiplied_by;
use crate::bind::{Call, ColumnPlace};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::SelectItem;
use crate::walk::{arguments, walk};

pub(super) static RULE: Rule = Rule::new("J03", "fan-out", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for call in &statement.bound.calls {
        let adds = matches!(
            call.call.name.as_str(),
            "sum" | "avg" | "count" | "total" | "string_agg" | "group_concat"
        );
        if !call.is_aggregate || call.call.distinct || !adds {
            continue;
        }
        let Some(of) = only_source(statement, call) else { continue };
        let many = multiplied_by(statement, call.place.block, of);
        let Some(block) = statement.bound.blocks.get(call.place.block) else { continue };
        let is_split = |source: &usize| is_grouped_by(statement, call.place.block, *source);
        let Some(repeats) = many.into_iter().find(|source| !is_split(source)) else { continue };
        if call.call.name == "count" && !counts_key(statement, call) {
            continue;
        }
        let named = |source: usize| {
            block.sources.get(source).map_or_else(String::new, |it| statement.source_label(it))
        };
        let message = format!(
            "each row of {} is counted once for every matching row of {}",
            named(of),
            named(repeats)
        );
        let finding = Finding::new(&RULE, message, call.call.span);
        // An average over rows that a condition on the other table selects is often intended.
        let meant = call.call.name == "avg" && is_needed(statement, call.place.block, of, repeats);
        let finding = if meant { finding.at(Severity::Note) } else { finding };
        found.push(finding.fix(distinct(statement, call)));
    }
}

/// Whether the grouping keys include columns of a source other than its join columns.
fn is_grouped_by(statement: &Statement<'_>, place: usize, source: usize) -> bool {
    let Some(block) = statement.bound.blocks.get(place) else { return false };
    let joins = |column: ColumnPlace| {
        block.equalities.iter().any(|equal| equal.left == column || equal.right == column)
    };
    let mut found = false;
    for expr in statement.bound.grouped_by(place) {
        walk(expr, &mut |part| {
            found |= statement
                .bound
                .column_of(part)
                .is_some_and(|it| it.block == place && it.source == source && !joins(it));
        });
    }
    found
}

/// Whether a source, or one reached only through it, is used for more than joining.
fn is_needed(statement: &Statement<'_>, place: usize, of: usize, repeats: usize) -> bool {
    let Some(block) = statement.bound.blocks.get(place) else { return false };
    let mut reached = vec![of];
    loop {
        let before = reached.len();
        for equal in &block.equalities {
            let (one, other) = (equal.left.source, equal.right.source);
            for (here, there) in [(one, other), (other, one)] {
                if reached.contains(&here) && there != repeats && !reached.contains(&there) {
                    reached.push(there);
                }
            }
        }
        if reached.len() == before {
            break;
        }
    }
    let mut found = false;
    let items = block.select.items.iter().filter_map(|item| match item {
        SelectItem::Expr { expr, .. } => Some(expr),
        _ => None,
    });
    let clauses =
        items.chain(&block.select.filter).chain(&block.select.having).chain(&block.select.group_by);
    for expr in clauses {
        walk(expr, &mut |part| {
            found |= statement
                .bound
                .column_of(part)
                .is_some_and(|it| it.block == place && !reached.contains(&it.source));
        });
    }
    found
}

/// The only source that the arguments of a call use.
fn only_source(statement: &Statement<'_>, call: &Call<'_>) -> Option<usize> {
    let mut sources: Vec<ColumnPlace> = Vec::new();
    for argument in arguments(call.call) {
        walk(argument, &mut |expr| sources.extend(statement.bound.column_of(expr)));
    }
    let first = sources.first()?;
    let one = sources.iter().all(|it| (it.block, it.source) == (first.block, first.source));
    (one && first.block == call.place.block).then_some(first.source)
}

/// Whether a count is of its table's primary key, so that it counts rows of that table.
fn counts_key(statement: &Statement<'_>, call: &Call<'_>) -> bool {
    let origin = arguments(call.call).next().and_then(|expr| statement.bound.origin_of(expr));
    origin.is_some_and(|it| it.table.primary_key == [it.column.name.clone()])
}

fn distinct(statement: &Statement<'_>, call: &Call<'_>) -> Option<Fix> {
    let open = statement.token_at(call.call.span.start) + 1;
    let at = statement.tokens.get(open)?.end;
    (call.call.name == "count" && statement.token(open) == "(").then(|| {
        Fix::offer("count each value once (DISTINCT)", vec![Edit::insert(at, "DISTINCT ")])
    })
}
