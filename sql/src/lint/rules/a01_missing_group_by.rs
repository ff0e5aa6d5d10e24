//! A01 missing-group-by: a column that is neither grouped nor aggregated next to an aggregate.
//!
//! Columns of a table whose primary key is in GROUP BY are allowed. SQLite picks an arbitrary row's value, so there it
//! is a warning.
//!
//! why: the column has several values in a group; servers reject it or pick one of them arbitrarily.
//! wrong: `SELECT city, name, count(*) FROM users GROUP BY city`
//! right: `SELECT city, name, count(*) FROM users GROUP BY city, name`

use std::collections::BTreeSet;

use crate::Dialect;
use crate::bind::{Block, Clause, ColumnPlace};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{Expr, SelectItem, SqlSpan};
use crate::walk::{children, same_but_columns};

pub(super) static RULE: Rule = Rule::new("A01", "missing-group-by", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (place, block) in statement.blocks() {
        if block.aggregates {
            check_block(statement, place, block, found);
        }
    }
}

fn check_block(
    statement: &Statement<'_>,
    place: usize,
    block: &Block<'_>,
    found: &mut Vec<Finding>,
) {
    let lenient = statement.dialect == Dialect::Sqlite;
    let group = Group {
        statement,
        place,
        by: statement.bound.grouped_by(place),
        determined: statement.bound.determined(place, lenient),
        // With a single MIN or MAX, SQLite takes the other columns from the row that has that value.
        picks_row: lenient && has_one_extreme(statement, place),
    };
    if group.picks_row {
        return;
    }
    let items = block.select.items.iter().filter_map(|item| match item {
        SelectItem::Expr { expr, .. } => Some(expr),
        _ => None,
    });
    let mut loose = Vec::new();
    for expr in items.chain(&block.select.having) {
        group.collect(expr, &mut loose);
    }
    let shown = loose.len();
    block.query.order_by.iter().for_each(|item| group.collect(&item.expr, &mut loose));
    let has_star =
        block.select.items.iter().any(|item| matches!(item, SelectItem::Wildcard { .. }));
    if has_star && !lenient && group.by.is_empty() {
        found.push(Finding::new(
            &RULE,
            "SELECT * with an aggregate needs a GROUP BY clause",
            SqlSpan::default(),
        ));
    }
    let mut seen = Vec::new();
    for (at, (expr, column)) in loose.into_iter().enumerate() {
        if seen.contains(&column) {
            continue;
        }
        seen.push(column);
        let written = statement.text_extent(expr);
        let message = format!("`{written}` is neither in GROUP BY nor inside an aggregate");
        let mut finding = Finding::new(&RULE, message, statement.extent(expr));
        if lenient {
            // Without GROUP BY the result is a single row, whose order does not matter.
            let orders_one_row = at >= shown && group.by.is_empty();
            let figures =
                !orders_one_row && (group.by.is_empty() || shows_figure(statement, place));
            finding = finding.at(if figures { Severity::Warning } else { Severity::Note });
        }
        let fix = mend(statement, block, &group.by, written);
        found.push(finding.fix(fix));
    }
}

struct Group<'s, 'a> {
    statement: &'s Statement<'a>,
    place: usize,
    by: Vec<&'a Expr>,
    determined: BTreeSet<ColumnPlace>,
    picks_row: bool,
}

impl Group<'_, '_> {
    /// Collects the columns that can have several values in a group.
    fn collect<'x>(&self, expr: &'x Expr, loose: &mut Vec<(&'x Expr, ColumnPlace)>) {
        let bound = self.statement.bound;
        let same = |one: &Expr, other: &Expr| match (bound.column_of(one), bound.column_of(other)) {
            (Some(one), Some(other)) => one == other,
            _ => one == other,
        };
        if self.by.iter().any(|grouped| same_but_columns(grouped, expr, &same)) {
            return;
        }
        match expr {
            Expr::Column { .. } => {
                if let Some(column) = bound.column_of(expr)
                    && column.block == self.place
                    && !self.determined.contains(&column)
                {
                    loose.push((expr, column));
                }
            }
            Expr::Function(call) if call.over.is_none() => {
                let is_aggregate = crate::guard::is_aggregate(call, self.statement.dialect);
                if !is_aggregate {
                    children(expr, &mut |child| self.collect(child, loose));
                }
            }
            _ => children(expr, &mut |child| self.collect(child, loose)),
        }
    }
}

/// Whether an aggregate is among the output columns; without one, an arbitrary row per group may be intended.
fn shows_figure(statement: &Statement<'_>, place: usize) -> bool {
    statement.bound.calls.iter().any(|call| {
        call.is_aggregate && call.place.block == place && call.place.clause == Clause::Select
    })
}

/// Whether the only aggregate of the SELECT is MIN or MAX, so that SQLite takes the other columns from its row.
fn has_one_extreme(statement: &Statement<'_>, place: usize) -> bool {
    let calls = statement.bound.calls.iter();
    let mut aggregates = calls.filter(|call| call.is_aggregate && call.place.block == place);
    aggregates.next().is_some_and(|call| matches!(call.call.name.as_str(), "max" | "min"))
        && aggregates.next().is_none()
}

/// Adds the column to GROUP BY, or adds a GROUP BY clause.
fn mend(statement: &Statement<'_>, block: &Block<'_>, by: &[&Expr], written: &str) -> Option<Fix> {
    let title = format!("add `{written}` to GROUP BY");
    let last = block.select.group_by.last();
    if let Some(last) = last {
        let end = statement.extent(last).end;
        let edits = vec![Edit::insert(end, format!(", {written}"))];
        return (end > 0 && !by.is_empty()).then(|| Fix::safe(title, edits));
    }
    let after = block.select.filter.as_ref().map(|filter| statement.extent(filter).end);
    let sources = block.sources.iter().map(|source| {
        let on = match source.join {
            crate::bind::Joined::Join(_, Some(on)) => statement.extent(on).end,
            _ => 0,
        };
        source.name.map_or(source.span.end, |name| name.span.end).max(on)
    });
    let end = after.or_else(|| sources.max())?;
    (end > 0).then(|| {
        let edits = vec![Edit::insert(end, format!(" GROUP BY {written}"))];
        Fix::offer(format!("add GROUP BY {written}"), edits)
    })
}
