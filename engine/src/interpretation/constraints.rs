//! Applies corrections: what must be used, and what must not.

use crate::catalog::Catalog;
use crate::clarification::OptionBinding;
use crate::compose::Constraints;
use crate::confidence::Method;
use crate::linking::{Mention, Named, Reading, Target};

/// Removes candidates that the constraints forbid; the selected candidate replaces a rejected best one.
pub(super) fn constrain(constraints: &Constraints, mentions: &mut [Mention]) {
    if constraints.is_empty() {
        return;
    }
    for mention in mentions {
        let selected = |reading: &Reading| {
            constraints.selected.iter().any(|wanted| is_of(wanted, &reading.target))
        };
        let rejected = |reading: &Reading| {
            constraints.rejected.iter().any(|unwanted| {
                is_of(unwanted, &reading.target) || is_in(unwanted, &reading.target)
            })
        };
        if mention.readings.iter().any(selected) {
            mention.readings.retain(selected);
            for reading in &mut mention.readings {
                (reading.method, reading.score) = (Method::Corrected, Method::Corrected.base());
            }
            mention.lexical.clear();
        } else if mention.readings.first().is_some_and(rejected) {
            let instead = constraints.selected.iter().filter(|target| {
                mention.readings.first().is_some_and(|first| same_kind(&first.target, target))
            });
            let instead: Vec<Reading> = instead
                .map(|target| Reading {
                    target: target.clone(),
                    method: Method::Corrected,
                    score: Method::Corrected.base(),
                })
                .collect();
            if instead.is_empty() {
                mention.readings.retain(|reading| !rejected(reading));
            } else {
                mention.readings = instead;
            }
        } else {
            mention.readings.retain(|reading| !rejected(reading));
        }
    }
}

/// Whether a candidate is the wanted element, or a value of the wanted column.
fn is_of(wanted: &Target, target: &Target) -> bool {
    match (wanted, target) {
        (Target::Column(column), Target::Value(of, _)) => column == of,
        _ => wanted == target,
    }
}

/// Whether a candidate belongs to the unwanted table.
fn is_in(unwanted: &Target, target: &Target) -> bool {
    matches!(unwanted, Target::Table(table) if target.table() == Some(*table))
}

fn same_kind(one: &Target, other: &Target) -> bool {
    matches!(
        (one, other),
        (Target::Table(_), Target::Table(_)) | (Target::Column(_), Target::Column(_))
    )
}

/// What corrections select, as bindings that the query tree must contain.
pub(crate) fn selected_bindings(
    catalog: &Catalog,
    constraints: &Constraints,
) -> Vec<OptionBinding> {
    let bindings = constraints.selected.iter().filter_map(|target| match target {
        Target::Table(table) => {
            Some(OptionBinding::Table { table: catalog.table_at(*table).key() })
        }
        Target::Column(column) => {
            Some(OptionBinding::Column { column: catalog.reference(*column) })
        }
        _ => None,
    });
    bindings.collect()
}
