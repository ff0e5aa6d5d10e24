//! J02 join-not-fk: tables that a foreign key relates, joined on other columns.
//!
//! why: the join pairs rows that have nothing to do with each other, and the statement runs without an error.
//! wrong: `SELECT u.name FROM users u JOIN orders o ON u.id = o.id`
//! right: `SELECT u.name FROM users u JOIN orders o ON u.id = o.user_id`

use super::support::{joined_along_key, key_condition, same_target};
use crate::bind::{Block, Equality, comparable};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::Expr;
use crate::walk::walk;
use wherefore_catalog::Table;

pub(super) static RULE: Rule = Rule::new("J02", "join-not-fk", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_condition(&mut |_, condition| {
        walk(condition, &mut |expr| found.extend(looked_for(statement, expr)));
    });
    for (place, block) in statement.blocks() {
        for equal in &block.equalities {
            if equal.left.source == equal.right.source
                || equal.left.block != place
                || equal.right.block != place
            {
                continue;
            }
            let (Some(left), Some(right)) =
                (statement.bound.origin(equal.left), statement.bound.origin(equal.right))
            else {
                continue;
            };
            let (one, other) = (
                (left.table, left.column.name.as_str()),
                (right.table, right.column.name.as_str()),
            );
            if let Some(finding) = with_itself(statement, equal, one, other) {
                found.push(finding);
                continue;
            }
            if joined_along_key(statement, one, other) || same_target(statement, one, other) {
                continue;
            }
            let is_self = std::ptr::eq(left.table, right.table);
            let related =
                !is_self && statement.keys_between(left.table, right.table).next().is_some();
            let kinds = comparable(left.column.data_type.into(), right.column.data_type.into());
            if related && !has_key_join(statement, block, equal) && !names_agree(one, other) {
                let message = format!(
                    "`{}.{} = {}.{}` is not the foreign key between the two tables",
                    left.table.name, left.column.name, right.table.name, right.column.name
                );
                let finding = Finding::new(&RULE, message, statement.extent(equal.expr));
                found.push(finding.fix(mend(statement, equal, left.table, right.table)));
            } else if let Some(target) = refers_elsewhere(statement, one, other) {
                let (one, other, target) = target;
                let message = format!(
                    "`{}.{}` references `{target}`, not `{}`",
                    one.0.name, one.1, other.0.name
                );
                found.push(Finding::new(&RULE, message, statement.extent(equal.expr)));
            } else if !kinds {
                let message = format!(
                    "`{}` is {} and `{}` is {}",
                    left.column.name,
                    crate::bind::Kind::from(left.column.data_type).words(),
                    right.column.name,
                    crate::bind::Kind::from(right.column.data_type).words()
                );
                found.push(Finding::new(&RULE, message, statement.extent(equal.expr)));
            }
        }
    }
}

type Column<'a> = (&'a Table, &'a str);

/// A foreign key column compared with the primary key of a table that it does not reference; also returns the table
/// that it references. Columns with the same name are assumed to be joined intentionally.
fn refers_elsewhere<'a>(
    statement: &'a Statement<'_>,
    one: Column<'a>,
    other: Column<'a>,
) -> Option<(Column<'a>, Column<'a>, &'a str)> {
    [(one, other), (other, one)].into_iter().find_map(|(from, to)| {
        let is_key = to.0.primary_key.as_slice() == [to.1] && !from.1.eq_ignore_ascii_case(to.1);
        let key =
            statement.catalog.foreign_keys.iter().find(|key| {
                from.0.has_key(&key.from_table) && key.from_columns.as_slice() == [from.1]
            });
        let target = key.filter(|_| is_key && !std::ptr::eq(from.0, to.0))?;
        Some((from, to, target.to_table.as_str()))
    })
}

/// `key IN (SELECT …)` whose subquery returns a column that is not linked to `key`, although a foreign key relates the
/// tables.
fn looked_for(statement: &Statement<'_>, expr: &Expr) -> Option<Finding> {
    let Expr::InQuery { operand, query, .. } = expr else { return None };
    let one = statement.bound.origin_of(operand)?;
    let block = statement.bound.blocks.get(statement.bound.subquery(query)?.block)?;
    let other = block.outputs.first()?.origin?;
    let (left, right) =
        ((one.table, one.column.name.as_str()), (other.table, other.column.name.as_str()));
    let is_related = !std::ptr::eq(left.0, right.0)
        && statement.keys_between(left.0, right.0).next().is_some()
        && !joined_along_key(statement, left, right)
        && !same_target(statement, left, right)
        && !names_agree(left, right);
    let message = format!(
        "`{}.{}` is compared with `{}.{}`, which is not the foreign key between the two tables",
        left.0.name, left.1, right.0.name, right.1
    );
    is_related.then(|| Finding::new(&RULE, message, statement.extent(operand)))
}

/// Two sources of the same table that are joined on its primary key are the same row.
fn with_itself(
    statement: &Statement<'_>,
    equal: &Equality<'_>,
    one: (&Table, &str),
    other: (&Table, &str),
) -> Option<Finding> {
    let is_key = one.0.primary_key.as_slice() == [one.1] && one.1 == other.1;
    if !std::ptr::eq(one.0, other.0) || !is_key {
        return None;
    }
    let called = |place: crate::bind::ColumnPlace| {
        statement.called(statement.bound.source(place.block, place.source)?)
    };
    let (first, second) = (called(equal.left)?, called(equal.right)?);
    // Without a foreign key of the table to itself, joining a row to itself may be intended.
    let fix = mend(statement, equal, one.0, other.0)?;
    let message = format!(
        "`{first}` and `{second}` are always the same row: the join compares the key `{}` with itself",
        one.1
    );
    Some(Finding::new(&RULE, message, statement.extent(equal.expr)).fix(Some(fix)))
}

/// Whether another condition joins the two sources along a foreign key.
fn has_key_join(statement: &Statement<'_>, block: &Block<'_>, of: &Equality<'_>) -> bool {
    let pair = (of.left.source.min(of.right.source), of.left.source.max(of.right.source));
    block.equalities.iter().any(|other| {
        let places =
            (other.left.source.min(other.right.source), other.left.source.max(other.right.source));
        let origins = (statement.bound.origin(other.left), statement.bound.origin(other.right));
        places == pair
            && matches!(origins, (Some(left), Some(right))
                if joined_along_key(statement, (left.table, &left.column.name), (right.table, &right.column.name)))
    })
}

/// Whether two non-key columns have the same name, as in `city = city`, which is intentional.
fn names_agree(one: (&Table, &str), other: (&Table, &str)) -> bool {
    one.1.eq_ignore_ascii_case(other.1)
        && !one.0.primary_key.iter().any(|key| key == one.1)
        && !other.0.primary_key.iter().any(|key| key == other.1)
}

/// Replaces the condition with that of the foreign key, if there is exactly one.
fn mend(
    statement: &Statement<'_>,
    equal: &Equality<'_>,
    left: &Table,
    right: &Table,
) -> Option<Fix> {
    let source = |place: crate::bind::ColumnPlace| {
        statement.called(statement.bound.source(place.block, place.source)?)
    };
    let (one, other) = (source(equal.left)?, source(equal.right)?);
    let condition = key_condition(statement, (left, one), (right, other))?;
    let span = statement.extent(equal.expr);
    (span.end > 0)
        .then(|| Fix::offer(format!("join on `{condition}`"), vec![Edit::replace(span, condition)]))
}
