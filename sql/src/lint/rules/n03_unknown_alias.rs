//! N03 unknown-alias: a qualifier that names no source in FROM, or a source that is joined later.
//!
//! A table with an alias can be referred to by the alias only.
//!
//! why: the data source rejects the statement.
//! wrong: `SELECT users.name FROM users u`
//! right: `SELECT u.name FROM users u`

use crate::bind::{Meaning, Use};
use crate::lint::{Finding, Fix, Rule, Severity, Statement};
use crate::suggest;
use crate::tree::{Identifier, SelectItem};

pub(super) static RULE: Rule = Rule::new("N03", "unknown-alias", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for used in &statement.bound.uses {
        let Some(qualifier) = used.qualifier else { continue };
        let written = statement.text_of(qualifier.span);
        match used.meaning {
            Meaning::UnknownSource
                if statement.bound.source_called(used.place.block, qualifier).is_some() =>
            {
                let message = format!(
                    "`{written}` is joined later; a join condition can only use sources to its left"
                );
                found.push(Finding::new(&RULE, message, qualifier.span));
            }
            Meaning::UnknownSource => {
                let message = format!("no table or alias `{written}` in FROM");
                let finding = Finding::new(&RULE, message, qualifier.span);
                let fix = mend(statement, used, qualifier);
                found.push(finding.fix(fix));
            }
            Meaning::UnreachableSource => {
                let message =
                    format!("`{written}` cannot be used here: it belongs to another part of FROM");
                found.push(Finding::new(&RULE, message, qualifier.span));
            }
            _ => {}
        }
    }
    for (place, block) in statement.blocks() {
        for item in &block.select.items {
            if let SelectItem::Wildcard { qualifier: Some(name) }
            | SelectItem::WildcardExcept { qualifier: Some(name), .. } = item
                && statement.bound.source_called(place, name).is_none()
            {
                let message =
                    format!("no table or alias `{}` in FROM", statement.text_of(name.span));
                let finding = Finding::new(&RULE, message, name.span);
                found.push(finding.fix(aliased(statement, place, name)));
            }
        }
    }
}

fn mend(statement: &Statement<'_>, used: &Use<'_>, qualifier: &Identifier) -> Option<Fix> {
    if let Some(fix) = aliased(statement, used.place.block, qualifier) {
        return Some(fix);
    }
    let mut around = Some(used.place.block);
    let mut having = Vec::new();
    let mut near = Vec::new();
    while let Some(block) = around.and_then(|at| statement.bound.blocks.get(at)) {
        for source in &block.sources {
            let Some(called) = statement.called(source) else { continue };
            if source.columns.find(used.name, statement.dialect).is_some() {
                having.push(called);
            }
            if let Some(distance) = suggest::distance(&qualifier.name, called) {
                near.push((distance, called));
            }
        }
        around = block.parent;
    }
    near.sort_unstable();
    // Prefers the only source that has such a column, then the one with the most similar name.
    match (having.as_slice(), near.first()) {
        ([only], _) => statement.rename(qualifier, only, true),
        (several, Some((_, name))) if several.contains(name) => {
            statement.rename(qualifier, name, true)
        }
        (_, Some((_, name))) => statement.rename(qualifier, name, false),
        ([first, ..], None) => statement.rename(qualifier, first, false),
        ([], None) => None,
    }
}

/// The alias of a table that is referred to by its own name.
fn aliased(statement: &Statement<'_>, place: usize, qualifier: &Identifier) -> Option<Fix> {
    let mut around = Some(place);
    while let Some(block) = around.and_then(|at| statement.bound.blocks.get(at)) {
        let mut named = block.sources.iter().filter(|source| {
            source.is_aliased
                && source
                    .table
                    .is_some_and(|table| table.name.eq_ignore_ascii_case(&qualifier.name))
        });
        if let (Some(source), None) = (named.next(), named.next()) {
            return statement.rename(qualifier, statement.called(source)?, true);
        }
        around = block.parent;
    }
    None
}
