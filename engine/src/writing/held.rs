//! Checks that a statement respects the decisions and corrections of the user (invariant I9).

use super::packet::plain;
use super::{Brief, Required};
use crate::catalog::{Catalog, ColumnRef};
use wherefore_sql::explain::{Decision, kept};

/// Decisions and corrections that the statement violates, as messages.
pub(super) fn lost(catalog: &Catalog, brief: &Brief, sql: &str) -> Vec<String> {
    let fixed = brief.decided.iter().filter(|words| words.fixed);
    let decided = fixed.map(|words| {
        let fault = format!(
            "it does not keep what was decided about “{}”: {}",
            plain(&words.phrase, 100),
            plain(&words.meaning, 200)
        );
        (decision(&words.required), true, fault)
    });
    let selected = brief.selected.iter();
    let selected =
        selected.map(|name| (use_of(catalog, name), true, format!("it does not use {name}")));
    let rejected = brief.rejected.iter();
    let rejected = rejected
        .map(|name| (use_of(catalog, name), false, format!("it uses {name}, which was ruled out")));
    let (mut decisions, mut wanted) = (Vec::new(), Vec::new());
    for (decision, keeps, fault) in decided.chain(selected).chain(rejected) {
        decisions.push(decision);
        wanted.push((keeps, fault));
    }
    if decisions.is_empty() {
        return Vec::new();
    }
    match kept(sql, catalog, &decisions) {
        Ok(found) => found
            .into_iter()
            .zip(wanted)
            .filter(|(kept, (keeps, _))| kept.is_kept != *keeps)
            .map(|(_, (_, fault))| fault)
            .collect(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    }
}

fn decision(required: &Required) -> Decision {
    let columns = required.columns.iter().filter_map(|name| column(name));
    Decision {
        tables: required.tables.clone(),
        columns: columns.collect(),
        literals: required.values.clone(),
        functions: required.functions.clone(),
        ..Decision::default()
    }
}

/// The decision to use a table or a `table.column`.
fn use_of(catalog: &Catalog, name: &str) -> Decision {
    match column(name).filter(|column| catalog.column(column).is_some()) {
        Some(column) => Decision { columns: vec![column], ..Decision::default() },
        None => Decision { tables: vec![name.to_owned()], ..Decision::default() },
    }
}

fn column(name: &str) -> Option<ColumnRef> {
    name.rsplit_once('.').map(|(table, column)| ColumnRef::new(table, column))
}
