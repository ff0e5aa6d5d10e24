//! N01 unknown-table: a name in FROM that is not a table of the data source.
//!
//! Suggestions are the table whose name is the unknown one with a prefix or suffix that other tables carry too, such as
//! `PROD_orders`, tables with a similar name, the singular or plural, a synonym, or a table that a foreign key links to
//! the others.
//!
//! why: the data source rejects the statement.
//! wrong: `SELECT id FROM user`
//! right: `SELECT id FROM users`

use super::support::{has_columns, replaced, stored};
use crate::bind::UnknownTable;
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::suggest;
use wherefore_catalog::Table;

pub(super) static RULE: Rule = Rule::new("N01", "unknown-table", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for unknown in &statement.bound.unknown_tables {
        let written = statement.text_of(unknown.name.span);
        let message = format!("unknown table `{written}`");
        let mut finding = Finding::new(&RULE, message, unknown.name.span);
        let mut candidates = candidates(statement, unknown);
        // A table that is called so but for case and plural is meant rather than one with an affix.
        let is_called = candidates
            .iter()
            .any(|(table, _)| suggest::distance(&unknown.name.name, &table.name) == Some(0));
        let stored = if is_called { None } else { stored(statement, unknown) };
        if let Some(stored) = &stored {
            candidates.retain(|(table, _)| !std::ptr::eq(*table, stored.table));
            let is_only = !candidates.iter().any(|(_, is_near)| *is_near);
            let is_safe =
                is_only && stored.is_usual && has_columns(statement, unknown, stored.table);
            finding = finding.fix(Some(replaced(statement, unknown, stored.table, is_safe)));
        }
        let single = stored.is_none() && candidates.iter().filter(|(_, near)| *near).count() == 1;
        for (table, is_near) in candidates {
            let name = statement.written(&table.name);
            finding = finding.fix(statement.rename(unknown.name, &name, single && is_near));
        }
        found.push(finding);
    }
}

/// Candidate tables, best first, and whether only a character or two differ.
fn candidates<'a>(statement: &Statement<'a>, unknown: &UnknownTable<'_>) -> Vec<(&'a Table, bool)> {
    let wanted = &unknown.name.name;
    let tables = &statement.catalog.tables;
    let mut near: Vec<(usize, &Table)> = tables
        .iter()
        .filter_map(|table| Some((suggest::distance(wanted, &table.name)?, table)))
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    let best = near.first().map(|(distance, _)| *distance);
    let mut found: Vec<(&Table, bool)> = near
        .into_iter()
        .filter(|(distance, _)| Some(*distance) == best)
        .map(|(distance, table)| (table, distance <= 2))
        .collect();
    let mut add = |table: &'a Table| {
        if found.len() < 3 && !found.iter().any(|(known, _)| std::ptr::eq(*known, table)) {
            found.push((table, false));
        }
    };
    let named = |table: &&Table| {
        table.synonyms.iter().any(|word| suggest::distance(wanted, word) == Some(0))
    };
    tables.iter().filter(named).for_each(&mut add);
    let lower = wanted.to_ascii_lowercase();
    let part = |table: &&Table| {
        let stem = table.name.to_ascii_lowercase();
        let stem = stem.trim_end_matches('s');
        stem.len() > 2 && lower.contains(stem)
    };
    let joined = |table: &Table| {
        let block = statement.bound.blocks.get(unknown.block);
        let mut others =
            block.into_iter().flat_map(|block| &block.sources).filter_map(|it| it.table);
        others.any(|other| statement.keys_between(table, other).next().is_some())
    };
    let mut parts: Vec<&Table> = tables.iter().filter(part).collect();
    parts.sort_by_key(|table| (!joined(table), std::cmp::Reverse(table.name.len())));
    parts.into_iter().for_each(add);
    found
}
