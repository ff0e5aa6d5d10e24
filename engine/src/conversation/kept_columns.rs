//! Values of a follow-up that take the place of earlier ones, restricted to the columns of those.

use super::turn::{Turn, first_columns};
use crate::catalog::{Catalog, ColumnRef};
use crate::intent::{Predicate, QueryTree};
use crate::linking::{ColumnId, Named, Target};
use crate::reading::Condition;

/// Restricts a value of the follow-up to the column of the value that it replaces.
pub(super) fn keep_columns(catalog: &Catalog, before: &Turn, after: &mut Turn, tree: &QueryTree) {
    let mut held = Vec::new();
    for filter in tree.row_conditions() {
        value_columns(filter, &mut held);
    }
    let asked: Vec<ColumnId> = before
        .frame
        .conditions
        .iter()
        .filter_map(|condition| match condition {
            Condition::Values { at, .. } => Some(first_columns(at, &before.mentions)),
            _ => None,
        })
        .flatten()
        .filter(|column| held.contains(&catalog.reference(*column)))
        .collect();
    for mention in &mut after.mentions {
        let kept =
            |target: &Target| matches!(target, Target::Value(column, _) if asked.contains(column));
        if mention.readings.iter().any(|reading| kept(&reading.target)) {
            mention.readings.retain(|reading| kept(&reading.target));
        }
    }
}

/// Collects the columns that a condition compares with stored values.
fn value_columns(predicate: &Predicate, found: &mut Vec<ColumnRef>) {
    match predicate {
        Predicate::OneOf { column, .. } => found.push(column.clone()),
        Predicate::Not { condition } => value_columns(condition, found),
        Predicate::All { conditions }
        | Predicate::Any { conditions }
        | Predicate::Exists { conditions, .. }
        | Predicate::RelatedCount { conditions, .. } => {
            for condition in conditions {
                value_columns(condition, found);
            }
        }
        _ => {}
    }
}

/// Whether a statement compares a column with stored values.
pub(crate) fn compares_with_values(tree: &QueryTree) -> bool {
    let mut found = Vec::new();
    for filter in tree.row_conditions() {
        value_columns(filter, &mut found);
    }
    !found.is_empty()
}
