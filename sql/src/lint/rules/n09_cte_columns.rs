//! N09 cte-columns: a column that a common table expression or subquery does not output, or a column list of wrong
//! length.
//!
//! why: only the output columns of a subquery are visible outside it; the data source rejects others.
//! wrong: `WITH t AS (SELECT id FROM users) SELECT t.name FROM t`
//! right: `WITH t AS (SELECT id, name FROM users) SELECT t.name FROM t`

use super::support::{Unknown, why_unknown};
use crate::bind::{Columns, Use};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::suggest;
use crate::tree::SelectItem;

pub(super) static RULE: Rule = Rule::new("N09", "cte-columns", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for used in &statement.bound.uses {
        if why_unknown(statement, used) == Some(Unknown::Derived) {
            found.push(finding(statement, used));
        }
    }
    for (place, names, columns) in &statement.bound.unfit_lists {
        let message =
            format!("the column list has {names} names, but the query returns {columns} columns");
        found.push(Finding::new(&RULE, message, *place));
    }
}

fn finding(statement: &Statement<'_>, used: &Use<'_>) -> Finding {
    let written = statement.text_of(used.name.span);
    let message = format!("the subquery has no output column `{written}`");
    let mut finding = Finding::new(&RULE, message, used.name.span);
    let Some(block) = statement.bound.blocks.get(used.place.block) else { return finding };
    let only = used.qualifier.and_then(|it| statement.bound.source_called(used.place.block, it));
    for (at, source) in block.sources.iter().enumerate() {
        if only.is_some_and(|only| only != at) || !matches!(source.columns, Columns::Listed(_)) {
            continue;
        }
        if let Some(near) = suggest::nearest(&used.name.name, source.columns.names()) {
            finding = finding.fix(statement.rename(used.name, &statement.written(near), true));
        }
        finding = finding.fix(selected(statement, used, source.block));
    }
    finding
}

/// Adds the column to the select list of the inner query, if one of its sources has it.
fn selected(statement: &Statement<'_>, used: &Use<'_>, inner: Option<usize>) -> Option<Fix> {
    let inner = inner?;
    let block = statement.bound.blocks.get(inner)?;
    if block.aggregates || block.select.distinct {
        return None;
    }
    let source = block
        .sources
        .iter()
        .find(|source| source.columns.find(used.name, statement.dialect).is_some())?;
    let column = source.columns.find(used.name, statement.dialect)?;
    let name = statement.written(source.columns.name(column)?);
    let name = match statement.called(source) {
        Some(called) if block.sources.len() > 1 => format!("{called}.{name}"),
        _ => name,
    };
    let Some(SelectItem::Expr { expr, alias }) = block.select.items.last() else { return None };
    let end = alias.as_ref().map_or(statement.extent(expr).end, |alias| alias.span.end);
    let edits = vec![Edit::insert(end, format!(", {name}"))];
    (end > 0).then(|| Fix::offer(format!("select `{name}` in the subquery"), edits))
}
