//! N02 unknown-column: a column that no source of the statement has.
//!
//! Suggestions are columns with a similar name; if another table has the column, the join to it is named.
//!
//! why: the data source rejects the statement.
//! wrong: `SELECT u.name FROM users u WHERE u.emial = 'x'`
//! right: `SELECT u.name FROM users u WHERE u.email = 'x'`

use super::support::{Unknown, why_unknown};
use crate::bind::Use;
use crate::lint::{Finding, Fix, Rule, Severity, Statement};
use crate::suggest;
use crate::tree::{BinaryOperator, Expr};
use wherefore_catalog::Table;

pub(super) static RULE: Rule = Rule::new("N02", "unknown-column", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for used in &statement.bound.uses {
        if why_unknown(statement, used) == Some(Unknown::Plain) {
            found.push(finding(statement, used));
        }
    }
    for name in &statement.bound.unknown_order {
        let message = format!(
            "the combined queries have no output column `{}`",
            statement.text_of(name.span)
        );
        found.push(Finding::new(&RULE, message, name.span));
    }
    for (_, name) in &statement.bound.unknown_merged {
        let message =
            format!("`{}` is not a column of both sides of the join", statement.text_of(name.span));
        found.push(Finding::new(&RULE, message, name.span));
    }
}

fn finding(statement: &Statement<'_>, used: &Use<'_>) -> Finding {
    let written = statement.text_of(used.name.span);
    let tables: Vec<&Table> = reached(statement, used);
    let of = match tables.as_slice() {
        [table] => format!(" in table `{}`", table.name),
        _ => String::new(),
    };
    let mut finding =
        Finding::new(&RULE, format!("unknown column `{written}`{of}"), used.name.span);
    if let Some(fix) = in_another_source(statement, used) {
        return finding.fix(Some(fix));
    }
    let near = near(statement, used);
    let best = near.first().map(|(distance, _)| *distance);
    let closest = near.iter().filter(|(distance, _)| Some(*distance) == best).count();
    for (distance, name) in near.into_iter().take(3) {
        let safe = Some(distance) == best && closest == 1 && distance <= 2;
        finding = finding.fix(statement.rename(used.name, &statement.written(&name), safe));
    }
    if finding.fixes.is_empty()
        && let Some((table, path)) = elsewhere(statement, used, &tables)
    {
        finding.message = format!("{}; table `{}` has it, {path}", finding.message, table.name);
    }
    finding
}

/// Replaces the qualifier with the only other source that has the column.
fn in_another_source(statement: &Statement<'_>, used: &Use<'_>) -> Option<Fix> {
    let qualifier = used.qualifier?;
    let mut around = Some(used.place.block);
    while let Some(block) = around.and_then(|at| statement.bound.blocks.get(at)) {
        let opposite = opposite(statement, used);
        let mut having = block.sources.iter().enumerate().filter(|(at, source)| {
            Some(*at) != opposite && source.columns.find(used.name, statement.dialect).is_some()
        });
        match (having.next(), having.next()) {
            (Some((_, source)), None) => {
                return statement.rename(qualifier, statement.called(source)?, true);
            }
            (Some(_), Some(_)) => return None,
            (None, _) => around = block.parent,
        }
    }
    None
}

/// Source of the column on the other side of an equality; a join condition compares two different sources.
fn opposite(statement: &Statement<'_>, used: &Use<'_>) -> Option<usize> {
    let block = statement.bound.blocks.get(used.place.block)?;
    block.conditions.iter().find_map(|condition| {
        let Expr::Binary { operator: BinaryOperator::Equal, left, right } = condition.expr else {
            return None;
        };
        [(left, right), (right, left)].into_iter().find_map(|(one, other)| match &**one {
            Expr::Column { name, .. } if name.span == used.name.span => {
                statement.bound.column_of(other).map(|column| column.source)
            }
            _ => None,
        })
    })
}

/// Tables whose columns the name can refer to.
fn reached<'a>(statement: &Statement<'a>, used: &Use<'_>) -> Vec<&'a Table> {
    let Some(block) = statement.bound.blocks.get(used.place.block) else { return Vec::new() };
    let only = used.qualifier.and_then(|it| statement.bound.source_called(used.place.block, it));
    let sources = block.sources.iter().enumerate();
    sources
        .filter(|(at, _)| only.is_none_or(|only| only == *at))
        .filter_map(|(_, it)| it.table)
        .collect()
}

/// Columns with a similar name or with this word as a synonym, nearest first.
fn near(statement: &Statement<'_>, used: &Use<'_>) -> Vec<(usize, String)> {
    let wanted = &used.name.name;
    let Some(block) = statement.bound.blocks.get(used.place.block) else { return Vec::new() };
    let only = used.qualifier.and_then(|it| statement.bound.source_called(used.place.block, it));
    let mut near: Vec<(usize, String)> = Vec::new();
    let mut add = |distance: usize, name: &str| {
        if !near.iter().any(|(_, known)| known == name) {
            near.push((distance, name.to_owned()));
        }
    };
    for (at, source) in block.sources.iter().enumerate() {
        if only.is_some_and(|only| only != at) {
            continue;
        }
        for name in source.columns.names() {
            if let Some(distance) = suggest::distance(wanted, name) {
                add(distance, name);
            }
        }
        for column in source.table.iter().flat_map(|table| &table.columns) {
            if column.synonyms.iter().any(|word| suggest::distance(wanted, word) == Some(0)) {
                add(3, &column.name);
            }
        }
    }
    near.sort();
    near
}

/// A table that has a column of this name, and the condition that joins it to the statement's tables.
fn elsewhere<'a>(
    statement: &Statement<'a>,
    used: &Use<'_>,
    read: &[&'a Table],
) -> Option<(&'a Table, String)> {
    let has = |table: &&Table| {
        table.columns.iter().any(|column| column.name.eq_ignore_ascii_case(&used.name.name))
    };
    for table in statement.catalog.tables.iter().filter(has) {
        for other in read {
            if let Some(key) = statement.keys_between(table, other).next() {
                let (from, to) = (&key.from_columns, &key.to_columns);
                let pair = format!(
                    "join it on `{}.{} = {}.{}`",
                    key.from_table,
                    from.join(", "),
                    key.to_table,
                    to.join(", ")
                );
                return Some((table, pair));
            }
        }
    }
    None
}
