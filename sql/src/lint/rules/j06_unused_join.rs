//! J06 unused-join / unused-cte: an outer join whose source is never used, or a common table expression that nothing
//! reads.
//!
//! An unused outer join can only duplicate rows; an inner one may serve as a filter.
//!
//! why: unused sources cost time, and an unused join can duplicate rows.
//! wrong: `SELECT u.name FROM users u LEFT JOIN orders o ON o.user_id = u.id`
//! right: `SELECT u.name FROM users u`

use crate::bind::{Block, Clause, Joined, Meaning};
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::{JoinKind, SelectItem};

pub(super) static RULE: Rule = Rule::new("J06", "unused-join", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (place, block) in statement.blocks() {
        for (at, source) in block.sources.iter().enumerate() {
            let is_outer = matches!(source.join, Joined::Join(JoinKind::Left, _));
            if is_outer && !is_read(statement, place, at, block) {
                let called = statement.source_label(source);
                let message =
                    format!("{called} is joined but never used; the join can only duplicate rows");
                let span = source.name.map_or(source.span, |name| name.span);
                found.push(Finding::new(&RULE, message, span));
            }
        }
    }
    for table in statement.bound.common_tables.iter().filter(|table| !table.is_used) {
        let message = format!(
            "the common table expression `{}` is never used",
            statement.text_of(table.name.span)
        );
        found.push(Finding::new(&RULE, message, table.name.span));
    }
}

/// Whether anything besides its own join condition uses a source.
fn is_read(statement: &Statement<'_>, place: usize, source: usize, block: &Block<'_>) -> bool {
    let has_star = block.select.items.iter().any(|item| !matches!(item, SelectItem::Expr { .. }));
    let counts_rows =
        statement.bound.calls.iter().any(|call| {
            call.is_aggregate && call.place.block == place && call.call.name == "count"
        });
    has_star
        || counts_rows
        || statement.bound.uses.iter().any(|used| match used.meaning {
            Meaning::Column(column) => {
                let own = used.place.block == place && used.place.clause == Clause::On;
                (column.block, column.source) == (place, source)
                    && (!own || reads_in_another(block, source, used.name.span.start, statement))
            }
            _ => false,
        })
}

/// Whether a byte offset is inside the ON condition of another source.
fn reads_in_another(
    block: &Block<'_>,
    source: usize,
    byte: u32,
    statement: &Statement<'_>,
) -> bool {
    block.sources.iter().enumerate().any(|(at, other)| match other.join {
        Joined::Join(_, Some(on)) if at != source => {
            let span = statement.extent(on);
            span.start <= byte && byte < span.end
        }
        _ => false,
    })
}
