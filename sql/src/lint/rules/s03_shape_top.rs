//! S03 shape-topn: the question asks for the first rows of an order, and the statement's limit or direction differs.
//!
//! why: the result lists another number of rows, or the opposite end of the order.
//! asked: `{"top": {"count": 5, "largest": true}}`
//! wrong: `SELECT id FROM orders ORDER BY amount LIMIT 5`
//! right: `SELECT id FROM orders ORDER BY amount DESC LIMIT 5`

use super::support::number;
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::SqlSpan;

pub(super) static RULE: Rule = Rule::new("S03", "shape-top", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    let Some(top) = statement.asked.and_then(|asked| asked.top) else { return };
    let query = statement.bound.query;
    let extreme = statement.bound.calls.iter().any(|call| {
        matches!(call.call.name.as_str(), "max" | "min" | "rank" | "dense_rank" | "row_number")
    });
    let ordered = statement.bound.blocks.iter().find(|block| !block.query.order_by.is_empty());
    let Some(ordered) = ordered else {
        if !extreme {
            let message = "the question asks for the first rows of an order, but the statement has no ORDER BY";
            found.push(Finding::new(&RULE, message, SqlSpan::default()));
        }
        return;
    };
    let limit = query.limit.as_ref().and_then(|limit| Some((limit, number(limit)?)));
    match (top.count, limit) {
        (Some(count), Some((limit, rows))) if (f64::from(count) - rows).abs() > 0.5 => {
            let span = statement.extent(limit);
            let message = format!(
                "the question asks for {count} rows, but the statement returns up to {rows}"
            );
            let fix = Fix::safe(
                format!("set LIMIT {count}"),
                vec![Edit::replace(span, count.to_string())],
            );
            found.push(Finding::new(&RULE, message, span).fix((span.end > 0).then_some(fix)));
        }
        (Some(count), None) if !extreme => {
            let message =
                format!("the question asks for {count} rows, but the statement has no LIMIT");
            let end = statement
                .tokens
                .iter()
                .rev()
                .find(|it| it.end > it.start && statement.text_of(**it) != ";");
            let fix = end.map(|it| {
                Fix::safe(
                    format!("set LIMIT {count}"),
                    vec![Edit::insert(it.end, format!(" LIMIT {count}"))],
                )
            });
            found.push(Finding::new(&RULE, message, SqlSpan::default()).fix(fix));
        }
        _ => {}
    }
    if let Some(first) = ordered.query.order_by.first()
        && let Some(largest) = top.largest
        && first.descending != largest
        && statement
            .bound
            .kind(&first.expr)
            .is_some_and(|kind| kind.is_numeric() || kind.is_temporal())
    {
        let span = statement.extent(&first.expr);
        let wanted = if largest { "largest" } else { "smallest" };
        let fix = direction(statement, span, largest);
        found.push(
            Finding::new(&RULE, format!("the question asks for the {wanted} values first"), span)
                .fix(fix),
        );
    }
}

fn direction(statement: &Statement<'_>, span: SqlSpan, descending: bool) -> Option<Fix> {
    let next = statement.token_at(span.end);
    let stands = ["asc", "desc"].iter().any(|word| statement.is_word(next, word));
    let word = if descending { "DESC" } else { "ASC" };
    let edit = if stands {
        Edit::replace(*statement.tokens.get(next)?, word)
    } else {
        Edit::insert(span.end, format!(" {word}"))
    };
    (span.end > 0).then(|| Fix::safe(format!("sort {word}"), vec![edit]))
}
