//! J02 join-not-fk: tables that a foreign key relates, joined by other columns.
//!
//! wrong: `SELECT u.name FROM users u JOIN orders o ON u.id = o.id`
//! right: `SELECT u.name FROM users u JOIN orders o ON u.id = o.user_id`

use super::support::{joined_along_key, key_condition, same_target};
use crate::catalog::Table;
use crate::sql::bind::{Block, Equality, comparable};
use crate::sql::lint::{Edit, Finding, Fix, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("J02", "join-not-fk", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
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
            let (one, other) = ((left.table, left.column.name.as_str()), (right.table, right.column.name.as_str()));
            if joined_along_key(statement, one, other) || same_target(statement, one, other) {
                continue;
            }
            let is_self = std::ptr::eq(left.table, right.table);
            let related = !is_self && statement.keys_between(left.table, right.table).next().is_some();
            let kinds = comparable(left.column.data_type.into(), right.column.data_type.into());
            if related && !has_key_join(statement, block, equal) && !names_agree(one, other) {
                let message = format!(
                    "{}.{} = {}.{} is not the foreign key between the two",
                    left.table.name, left.column.name, right.table.name, right.column.name
                );
                let finding = Finding::new(&RULE, message, statement.extent(equal.expr));
                found.push(finding.fix(mend(statement, equal, left.table, right.table)));
            } else if !kinds {
                let message = format!(
                    "{} is {} and {} is {}",
                    left.column.name,
                    crate::sql::bind::Kind::from(left.column.data_type).words(),
                    right.column.name,
                    crate::sql::bind::Kind::from(right.column.data_type).words()
                );
                found.push(Finding::new(&RULE, message, statement.extent(equal.expr)));
            }
        }
    }
}

/// Whether two sources are joined along their key by another condition.
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

/// Whether two columns that are no keys are called alike: `city = city` is meant.
fn names_agree(one: (&Table, &str), other: (&Table, &str)) -> bool {
    one.1.eq_ignore_ascii_case(other.1)
        && !one.0.primary_key.iter().any(|key| key == one.1)
        && !other.0.primary_key.iter().any(|key| key == other.1)
}

/// Writes the foreign key's condition instead, where there is one key.
fn mend(
    statement: &Statement<'_>,
    equal: &Equality<'_>,
    left: &Table,
    right: &Table,
) -> Option<Fix> {
    let source = |place: crate::sql::bind::ColumnPlace| {
        statement.called(statement.bound.source(place.block, place.source)?)
    };
    let (one, other) = (source(equal.left)?, source(equal.right)?);
    let condition = key_condition(statement, (left, one), (right, other))?;
    let span = statement.extent(equal.expr);
    (span.end > 0)
        .then(|| Fix::offer(format!("join on {condition}"), vec![Edit::replace(span, condition)]))
}
