//! The score of a draft (`spec` §9), each part with its reason.

use super::facts::Facts;
use super::packet::named_tables;
use super::skeleton::skeleton;
use super::{Brief, WritingSettings};
use crate::catalog::{Catalog, ColumnRef};
use crate::sql::CheckedSql;

/// What a draft starts with.
pub(super) const START: i32 = 100;
/// For each error: what the guard refuses, a decision that is not kept, an error of the linter.
pub(super) const ERROR: i32 = -25;
/// Most errors that count of a draft that the guard refuses: its diagnostics often say one thing several times.
pub(super) const REFUSALS: usize = 4;
/// For each warning of the linter.
pub(super) const WARNING: i32 = -5;
/// Where the data source cannot plan it.
pub(super) const UNPLANNED: i32 = -50;
/// Grouped, or ordered and cut, where the question asks for it; rows as asked, or not.
const SHAPE: i32 = 10;
/// Only tables that the question names, or that lie between them.
const LINKED: i32 = 15;
/// Joins as planned.
const JOINED: i32 = 20;

/// So many times a figure of the table.
pub(super) fn times(count: usize, worth: i32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX).saturating_mul(worth)
}

/// Points beyond the first hundred, with their reasons.
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
    let plan = skeleton(catalog, &named);
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
