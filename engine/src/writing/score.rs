//! Scores a draft (`docs/spec.md` §9), with reasons.

use super::facts::Facts;
use super::packet::named_tables;
use super::skeleton::skeleton;
use super::{Brief, WritingSettings};
use crate::catalog::{Catalog, ColumnRef};
use wherefore_sql::CheckedSql;

/// Initial score.
pub(super) const START: i32 = 100;
/// Points per error: of the guard, of the linter, or a violated decision.
pub(super) const ERROR: i32 = -25;
/// Maximum number of errors that count for a rejected draft, because the guard's diagnostics are often redundant.
pub(super) const REFUSALS: usize = 4;
/// Points per warning of the linter.
pub(super) const WARNING: i32 = -5;
/// Points per part of the question that is missing: one brings every draft below [`RUNS`].
pub(super) const MISSING: i32 = -100;
/// Minimum score of a draft that runs.
pub(super) const RUNS: i32 = 60;
/// Points if EXPLAIN fails.
pub(super) const UNPLANNED: i32 = -50;
/// Points if the result has the shape that the question asks for; the same are deducted if not.
const SHAPE: i32 = 10;
/// Points if the statement reads only tables that the question names, or tables between them.
const LINKED: i32 = 15;
/// Points if the statement contains the planned joins.
const JOINED: i32 = 20;

/// `count` times the points `worth`.
pub(super) fn times(count: usize, worth: i32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX).saturating_mul(worth)
}

/// Points to add to the initial score, with reasons.
pub(super) fn score(
    catalog: &Catalog,
    brief: &Brief,
    settings: &WritingSettings,
    checked: &CheckedSql,
    facts: &Facts,
) -> (i32, Vec<String>) {
    let mut points = 0;
    let mut reasons = Vec::new();
    let mut add = |given: bool, worth: i32, reason: &str| {
        if given {
            points += worth;
            reasons.push(format!("{worth:+} {reason}"));
        }
    };
    let shape = &brief.shape;
    add(shape.groups && facts.groups, SHAPE, "grouped as asked");
    add(shape.ranks && facts.ranks, SHAPE, "ordered and cut as asked");
    let named = named_tables(catalog, brief);
    let plan = skeleton(catalog, brief, &named);
    let linked = !named.is_empty()
        && facts.tables.iter().all(|table| named.contains(table) || plan.between.contains(table));
    add(settings.flags.schema_linker && linked, LINKED, "only tables of the question");
    let joined = plan.joins.iter().all(|(one, other)| {
        let column = |text: &String| {
            text.rsplit_once('.').map(|(table, column)| ColumnRef::new(table, column))
        };
        matches!((column(one), column(other)), (Some(one), Some(other)) if facts.joins(&one, &other))
    });
    add(
        settings.flags.join_planner && !plan.joins.is_empty() && joined,
        JOINED,
        "joined as planned",
    );
    let one_figure = checked.output_columns().len() == 1 && !facts.groups;
    let fits = if shape.figure {
        one_figure
    } else if shape.groups {
        checked.output_columns().len() > 1
    } else {
        !one_figure || facts.functions.is_empty()
    };
    add(fits, SHAPE, "rows as asked");
    add(!fits, -SHAPE, "other rows than asked");
    (points, reasons)
}
