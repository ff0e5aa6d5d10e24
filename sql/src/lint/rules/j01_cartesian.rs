//! J01 cartesian: sources that no condition connects.
//!
//! Single-row sources, functions in FROM and LATERAL subqueries count as connected.
//!
//! why: every row is combined with every other row, which inflates all results and the run time.
//! wrong: `SELECT u.name FROM users u JOIN orders o ON u.id = u.manager_id`
//! right: `SELECT u.name FROM users u JOIN orders o ON u.id = o.user_id`

use super::support::{is_one_row, key_condition};
use crate::bind::{Block, Joined, Source};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{Expr, JoinKind, SqlSpan};
use crate::walk::{conjuncts, inner_query, walk};

pub(super) static RULE: Rule = Rule::new("J01", "cartesian", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (place, block) in statement.blocks() {
        if block.sources.len() < 2 {
            continue;
        }
        let groups = groups(statement, place, block);
        for (at, source) in block.sources.iter().enumerate() {
            let alone = groups[at] == at && at > 0 && !(0..at).any(|it| groups[it] == at);
            let first_is_single = groups[0] == 0 && is_one_row(statement, &block.sources[0]);
            if alone && !is_one_row(statement, source) && !(first_is_single && at == 1) {
                found.push(finding(statement, block, at, source));
            }
        }
    }
}

/// The connected component of each source, represented by its lowest index.
fn groups(statement: &Statement<'_>, place: usize, block: &Block<'_>) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..block.sources.len()).collect();
    let mut join = |one: usize, other: usize| {
        let (low, high) = (groups[one].min(groups[other]), groups[one].max(groups[other]));
        groups.iter_mut().filter(|group| **group == high).for_each(|group| *group = low);
    };
    for condition in &block.conditions {
        let mut has_query = false;
        walk(condition.expr, &mut |expr| has_query |= inner_query(expr).is_some());
        let mut touched = connected(statement, place, condition.expr);
        if has_query {
            // A correlated subquery connects the sources that it refers to.
            let inner = statement.bound.uses.iter().filter_map(|used| match used.meaning {
                crate::bind::Meaning::Column(column) if used.place.block != place => Some(column),
                _ => None,
            });
            touched.extend(inner.filter(|it| it.block == place).map(|it| it.source));
        }
        touched.windows(2).for_each(|pair| join(pair[0], pair[1]));
    }
    for equal in &block.equalities {
        if equal.left.block == place && equal.right.block == place {
            join(equal.left.source, equal.right.source);
        }
    }
    for (at, source) in block.sources.iter().enumerate().skip(1) {
        if source.is_lateral {
            join(0, at);
        }
    }
    groups
}

/// The sources that a condition connects; for OR, those that every branch connects.
fn connected(statement: &Statement<'_>, place: usize, condition: &Expr) -> Vec<usize> {
    if let Expr::Or(parts) = condition {
        let mut branches = parts.iter().map(|part| {
            let mut found: Vec<usize> = conjuncts(part)
                .iter()
                .map(|part| connected(statement, place, part))
                .filter(|found| found.len() > 1)
                .flatten()
                .collect();
            found.sort_unstable();
            found.dedup();
            found
        });
        let first = branches.next().unwrap_or_default();
        return branches.fold(first, |mut both, next| {
            both.retain(|source| next.contains(source));
            both
        });
    }
    let mut touched = Vec::new();
    walk(condition, &mut |expr| {
        touched.extend(
            statement.bound.column_of(expr).filter(|it| it.block == place).map(|it| it.source),
        );
    });
    touched
}

fn finding(
    statement: &Statement<'_>,
    block: &Block<'_>,
    at: usize,
    source: &Source<'_>,
) -> Finding {
    let called = statement.source_label(source);
    let message = format!(
        "no condition joins {called} to the other sources, so every row is paired with every other row"
    );
    let span = source.name.map_or(source.span, |name| name.span);
    let mut finding = Finding::new(&RULE, message, span);
    // An explicit CROSS JOIN of derived tables is intentional.
    if matches!(source.join, Joined::Join(JoinKind::Cross, _))
        && block.sources.iter().all(|it| it.table.is_none())
    {
        finding = finding.at(Severity::Note);
    }
    for earlier in &block.sources[..at] {
        if let Some(fix) = along_key(statement, earlier, source) {
            return finding.fix(Some(fix));
        }
    }
    finding
}

/// Adds the condition of the foreign key between two sources, if there is exactly one.
fn along_key(statement: &Statement<'_>, one: &Source<'_>, other: &Source<'_>) -> Option<Fix> {
    let first = (one.table?, statement.called(one)?);
    let second = (other.table?, statement.called(other)?);
    let condition = key_condition(statement, first, second)?;
    let title = format!("join on `{condition}`");
    match other.join {
        Joined::Join(_, Some(on)) => {
            let span = on_span(statement, on, other)?;
            Some(Fix::safe(title, vec![Edit::replace(span, condition)]))
        }
        Joined::Join(_, None) => {
            let name = other.name?;
            let cross = statement.token_at(name.span.start);
            let word = (0..cross).rev().find(|at| statement.is_word(*at, "cross"));
            let mut edits = vec![Edit::insert(name.span.end, format!(" ON {condition}"))];
            if let Some(span) =
                word.filter(|at| cross - at <= 4).and_then(|at| statement.tokens.get(at))
            {
                edits.push(Edit::replace(*span, ""));
            }
            Some(Fix::safe(title, edits))
        }
        _ => None,
    }
}

/// Span of an ON condition; a plain TRUE is not among the leaves of the tree.
fn on_span(statement: &Statement<'_>, on: &Expr, source: &Source<'_>) -> Option<SqlSpan> {
    let span = statement.extent(on);
    if span != SqlSpan::default() {
        return Some(span);
    }
    let after = statement.token_at(source.name?.span.end);
    statement.is_word(after, "on").then(|| statement.tokens.get(after + 1).copied()).flatten()
}
