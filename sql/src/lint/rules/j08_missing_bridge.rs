//! J08 missing-bridge: two tables joined directly although only a third table, with foreign keys to both, relates them.
//!
//! why: the keys of the two tables identify different things, so equal values match by coincidence.
//! wrong: `SELECT p.name FROM orders o JOIN products p ON o.id = p.id`
//! right: `SELECT p.name FROM order_items i JOIN products p ON i.product_id = p.id`

use super::support::{joined_along_key, same_target};
use crate::lint::{Finding, Rule, Severity, Statement};
use wherefore_catalog::Table;

pub(super) static RULE: Rule = Rule::new("J08", "missing-bridge", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (place, block) in statement.blocks() {
        for equal in &block.equalities {
            let (Some(left), Some(right)) =
                (statement.bound.origin(equal.left), statement.bound.origin(equal.right))
            else {
                continue;
            };
            let same_block = equal.left.block == place && equal.right.block == place;
            if !same_block || std::ptr::eq(left.table, right.table) {
                continue;
            }
            let (one, other) = (
                (left.table, left.column.name.as_str()),
                (right.table, right.column.name.as_str()),
            );
            let direct = statement.keys_between(left.table, right.table).next().is_some();
            let keys = is_key(one) || is_key(other);
            if direct
                || !keys
                || joined_along_key(statement, one, other)
                || same_target(statement, one, other)
            {
                continue;
            }
            if let Some(bridge) = bridge(statement, left.table, right.table)
                && !block
                    .sources
                    .iter()
                    .any(|it| it.table.is_some_and(|table| std::ptr::eq(table, bridge)))
            {
                let message = format!(
                    "`{}` and `{}` are related through `{}`, which the statement does not join",
                    left.table.name, right.table.name, bridge.name
                );
                found.push(Finding::new(&RULE, message, statement.extent(equal.expr)));
            }
        }
    }
}

/// Whether a column is its table's whole primary key.
fn is_key((table, column): (&Table, &str)) -> bool {
    table.primary_key == [column]
}

/// A table with foreign keys to both tables.
fn bridge<'a>(statement: &Statement<'a>, one: &Table, other: &Table) -> Option<&'a Table> {
    let refers = |table: &Table, to: &Table| {
        statement
            .catalog
            .foreign_keys
            .iter()
            .any(|key| table.has_key(&key.from_table) && to.has_key(&key.to_table))
    };
    statement.catalog.tables.iter().find(|table| refers(table, one) && refers(table, other))
}
