//! A05 distinct-order: SELECT DISTINCT ordered by an expression that is not selected.
//!
//! why: merged duplicates can have several values of the sort key, so their position is undefined.
//! wrong: `SELECT DISTINCT name FROM users ORDER BY city`
//! right: `SELECT DISTINCT name, city FROM users ORDER BY city`

use crate::Dialect;
use crate::bind::Meaning;
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::{Expr, SelectItem};
use crate::walk::same_but_columns;

pub(super) static RULE: Rule = Rule::new("A05", "distinct-order", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    let bound = statement.bound;
    for (_, block) in statement.blocks() {
        let select = block.select;
        if !select.distinct || !select.distinct_on.is_empty() {
            continue;
        }
        let has_star = select.items.iter().any(|item| !matches!(item, SelectItem::Expr { .. }));
        let same = |one: &Expr, other: &Expr| match (bound.column_of(one), bound.column_of(other)) {
            (Some(one), Some(other)) => one == other,
            _ => one == other,
        };
        for item in &block.query.order_by {
            let shown = match &item.expr {
                Expr::Literal(..) => true,
                Expr::Column { name, .. } => {
                    !matches!(bound.use_of(name).map(|it| &it.meaning), Some(Meaning::Column(_)))
                }
                _ => false,
            };
            let selected = select.items.iter().any(|it| {
                matches!(it, SelectItem::Expr { expr, .. } if same_but_columns(expr, &item.expr, &same))
            });
            if !shown && !selected && !has_star {
                let message = format!(
                    "ORDER BY `{}` is not in the select list, which SELECT DISTINCT requires",
                    statement.text_extent(&item.expr)
                );
                let finding = Finding::new(&RULE, message, statement.extent(&item.expr));
                let lenient = statement.dialect == Dialect::Sqlite;
                found.push(if lenient { finding.at(Severity::Note) } else { finding });
            }
        }
    }
}
