//! P02 not-in-nullable: NOT IN with a list or subquery that can contain NULL.
//!
//! SQLite schemas seldom declare NOT NULL, so there a table without any such declaration is not reported.
//!
//! why: a single NULL in the list makes the condition unknown for every row, so no row is returned.
//! wrong: `SELECT name FROM users WHERE id NOT IN (SELECT manager_id FROM users)`
//! right: `SELECT name FROM users WHERE id NOT IN (SELECT manager_id FROM users WHERE manager_id IS NOT NULL)`

use crate::Dialect;
use crate::bind::Block;
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{Expr, Literal, SelectItem};
use crate::walk::{conjuncts, walk};

pub(super) static RULE: Rule = Rule::new("P02", "not-in-nullable", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_condition(&mut |_, condition| {
        walk(condition, &mut |expr| match expr {
            Expr::InList { operand, list, negated: true }
                if list.iter().any(|it| matches!(it, Expr::Literal(Literal::Null, _))) =>
            {
                let message = "NOT IN with NULL in the list is never true";
                found.push(Finding::new(&RULE, message, statement.extent(operand)));
            }
            Expr::InQuery { operand, query, negated: true } => {
                let inner = statement.bound.subquery(query);
                let Some(inner) = inner else { return };
                let Some(block) = statement.bound.blocks.get(inner.block) else { return };
                if may_be_null(statement, block) {
                    let message = "NOT IN is never true if the subquery returns a NULL";
                    let finding = Finding::new(&RULE, message, statement.extent(operand));
                    found.push(finding.fix(mend(statement, block)));
                }
            }
            _ => {}
        });
    });
}

fn may_be_null(statement: &Statement<'_>, block: &Block<'_>) -> bool {
    let Some(output) = block.outputs.first() else { return false };
    let (Some(origin), true) = (output.origin, output.is_nullable) else { return false };
    let says = |table: &wherefore_catalog::Table| {
        table.columns.iter().any(|it| !it.nullable && !table.primary_key.contains(&it.name))
    };
    if statement.dialect == Dialect::Sqlite && !says(origin.table) {
        return false;
    }
    // A condition on the column excludes NULL.
    let Some(SelectItem::Expr { expr: shown, .. }) = block.select.items.first() else {
        return false;
    };
    let column = statement.bound.column_of(shown);
    !block.select.filter.iter().flat_map(conjuncts).any(|part| {
        let operand = match part {
            Expr::Binary { left, .. } => left,
            Expr::IsNull { operand, negated: true }
            | Expr::InList { operand, .. }
            | Expr::Like { operand, .. }
            | Expr::Between { operand, .. } => operand,
            _ => return false,
        };
        statement.bound.column_of(operand) == column
    })
}

fn mend(statement: &Statement<'_>, block: &Block<'_>) -> Option<Fix> {
    let SelectItem::Expr { expr, .. } = block.select.items.first()? else { return None };
    let written = statement.text_extent(expr);
    let condition = format!("{written} IS NOT NULL");
    let title = format!("exclude rows where `{written}` is NULL");
    if block.aggregates || block.query.limit.is_some() {
        return None;
    }
    let edit = match &block.select.filter {
        Some(filter @ Expr::Or(_)) => {
            let span = statement.extent(filter);
            Edit::replace(span, format!("({}) AND {condition}", statement.text_of(span)))
        }
        Some(filter) => Edit::insert(statement.extent(filter).end, format!(" AND {condition}")),
        None => {
            let source = block.sources.last().filter(|_| block.sources.len() == 1)?;
            Edit::insert(source.name?.span.end, format!(" WHERE {condition}"))
        }
    };
    Some(Fix::safe(title, vec![edit]))
}
