//! Effects of joins on rows: keys, duplication, single-row sources.

use crate::bind::{Block, Equality, Source};
use crate::lint::Statement;
use crate::tree::{BinaryOperator, Expr, Literal};
use wherefore_catalog::Table;

/// Whether a source has at most one row for given values of these columns; `None` if that is unknown.
pub(in crate::lint::rules) fn is_unique_on(
    statement: &Statement<'_>,
    source: &Source<'_>,
    columns: &[usize],
) -> Option<bool> {
    if let Some(table) = source.table {
        let has = |name: &String| {
            table
                .columns
                .iter()
                .position(|it| it.name == *name)
                .is_some_and(|at| columns.contains(&at))
        };
        let by_key = !table.primary_key.is_empty() && table.primary_key.iter().all(has);
        let by_one = columns.iter().any(|at| table.columns.get(*at).is_some_and(|it| it.unique));
        return Some(by_key || by_one);
    }
    let block = statement.bound.blocks.get(source.block?)?;
    if block.select.distinct && columns.len() >= block.outputs.len() {
        return Some(true);
    }
    if block.aggregates {
        let grouped = statement.bound.grouped_by(source.block?);
        let covered = grouped.iter().all(|expr| {
            columns.iter().any(|at| block.outputs.get(*at).and_then(|it| it.expr) == Some(*expr))
        });
        return Some(covered);
    }
    None
}

/// Whether the query of a source guarantees at most one row.
pub(in crate::lint::rules) fn is_one_row(statement: &Statement<'_>, source: &Source<'_>) -> bool {
    source.block.and_then(|block| statement.bound.blocks.get(block)).is_some_and(|block| {
        block.aggregates && block.select.group_by.is_empty()
            || matches!(&block.query.limit, Some(Expr::Literal(Literal::Number(one), _)) if one == "1")
            || block.select.from.is_empty()
    })
}

/// Indices of the sources whose rows duplicate the rows of `of`.
pub(in crate::lint::rules) fn multiplied_by(
    statement: &Statement<'_>,
    place: usize,
    of: usize,
) -> Vec<usize> {
    let Some(block) = statement.bound.blocks.get(place) else { return Vec::new() };
    let mut reached = vec![of];
    let mut many = Vec::new();
    loop {
        let before = reached.len();
        for next in 0..block.sources.len() {
            if reached.contains(&next) {
                continue;
            }
            let mut columns = joined_columns(block, &reached, next);
            if columns.is_empty() {
                continue;
            }
            columns.extend(fixed_columns(statement, block, place, next));
            reached.push(next);
            if is_unique_on(statement, &block.sources[next], &columns) == Some(false) {
                many.push(next);
            }
        }
        if reached.len() == before {
            return many;
        }
    }
}

/// Columns of source `next` that are equated with columns of the sources reached so far.
fn joined_columns(block: &Block<'_>, reached: &[usize], next: usize) -> Vec<usize> {
    let mut columns = Vec::new();
    for Equality { left, right, .. } in &block.equalities {
        for (here, there) in [(left, right), (right, left)] {
            if here.source == next && reached.contains(&there.source) && left.block == right.block {
                columns.push(here.column);
            }
        }
    }
    columns
}

/// Columns of a source that a condition fixes to a single value.
fn fixed_columns(
    statement: &Statement<'_>,
    block: &Block<'_>,
    place: usize,
    source: usize,
) -> Vec<usize> {
    let mut columns = Vec::new();
    for condition in &block.conditions {
        if let Expr::Binary { operator: BinaryOperator::Equal, left, right } = condition.expr {
            for (one, other) in [(left, right), (right, left)] {
                if let Some(column) = statement.bound.column_of(one)
                    && column.block == place
                    && column.source == source
                    && matches!(&**other, Expr::Literal(..) | Expr::Cast { .. })
                {
                    columns.push(column.column);
                }
            }
        }
    }
    columns
}

/// Whether an equality of two columns is the condition of a foreign key.
pub(in crate::lint::rules) fn joined_along_key(
    statement: &Statement<'_>,
    one: (&Table, &str),
    other: (&Table, &str),
) -> bool {
    statement.catalog.foreign_keys.iter().any(|key| {
        let fits = |from: (&Table, &str), to: (&Table, &str)| {
            from.0.has_key(&key.from_table)
                && to.0.has_key(&key.to_table)
                && key
                    .from_columns
                    .iter()
                    .zip(&key.to_columns)
                    .any(|(source, target)| source == from.1 && target == to.1)
        };
        fits(one, other) || fits(other, one)
    })
}

/// Whether two columns reference the same column, directly or transitively, or one references the other.
pub(in crate::lint::rules) fn same_target(
    statement: &Statement<'_>,
    one: (&Table, &str),
    other: (&Table, &str),
) -> bool {
    let (one, other) = (targets(statement, one), targets(statement, other));
    one.iter().any(|target| other.contains(target))
}

/// A column and all columns that it references, transitively.
fn targets(statement: &Statement<'_>, column: (&Table, &str)) -> Vec<(String, String)> {
    let mut found = vec![(column.0.key(), column.1.to_owned())];
    let mut next = 0;
    while let Some((table, name)) = found.get(next).cloned() {
        for key in &statement.catalog.foreign_keys {
            let at = key.from_columns.iter().position(|it| *it == name);
            if let Some(at) = at.filter(|_| key.from_table == table)
                && let Some(target) = key.to_columns.get(at)
            {
                let target = (key.to_table.clone(), target.clone());
                if !found.contains(&target) && found.len() < 20 {
                    found.push(target);
                }
            }
        }
        next += 1;
    }
    found
}

/// The join condition of the foreign key between two tables, using the given source names; `None` unless there is
/// exactly one such key.
pub(in crate::lint::rules) fn key_condition(
    statement: &Statement<'_>,
    one: (&Table, &str),
    other: (&Table, &str),
) -> Option<String> {
    let mut keys = statement.catalog.foreign_keys.iter().filter(|key| {
        one.0.has_key(&key.from_table) && other.0.has_key(&key.to_table)
            || other.0.has_key(&key.from_table) && one.0.has_key(&key.to_table)
    });
    let (Some(key), None) = (keys.next(), keys.next()) else { return None };
    let (from, to) =
        if one.0.has_key(&key.from_table) { (one.1, other.1) } else { (other.1, one.1) };
    let pairs: Vec<String> = key
        .from_columns
        .iter()
        .zip(&key.to_columns)
        .map(|(source, target)| {
            format!("{from}.{} = {to}.{}", statement.written(source), statement.written(target))
        })
        .collect();
    Some(pairs.join(" AND "))
}
