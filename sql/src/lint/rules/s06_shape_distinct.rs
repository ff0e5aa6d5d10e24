//! S06 shape-distinct: the question asks for distinct values, and the statement can return duplicates.
//!
//! why: repeated rows make the answer look larger than it is.
//! asked: `{"distinct": true}`
//! wrong: `SELECT city FROM users`
//! right: `SELECT DISTINCT city FROM users`

use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{SelectItem, SqlSpan};

pub(super) static RULE: Rule = Rule::new("S06", "shape-distinct", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    if !statement.asked.is_some_and(|asked| asked.distinct) {
        return;
    }
    let merged = statement
        .bound
        .blocks
        .iter()
        .any(|block| block.select.distinct || !block.select.group_by.is_empty())
        || statement.bound.set_operations.iter().any(|set| !set.all)
        || statement.bound.calls.iter().any(|call| call.call.distinct);
    let Some(block) = statement.bound.blocks.first() else { return };
    // Rows of a single table that show its primary key are distinct.
    let keyed = block.sources.len() == 1
        && block
            .outputs
            .iter()
            .any(|it| it.origin.is_some_and(|it| it.table.primary_key == [it.column.name.clone()]));
    if !merged && !keyed {
        let fix = match block.select.items.first() {
            Some(SelectItem::Expr { expr, .. }) if !block.aggregates => {
                let at = statement.extent(expr).start;
                Some(Fix::safe("add DISTINCT", vec![Edit::insert(at, "DISTINCT ")]))
            }
            _ => None,
        };
        let message =
            "the question asks for distinct values, but the statement can return duplicates";
        found.push(Finding::new(&RULE, message, SqlSpan::default()).fix(fix));
    }
}
