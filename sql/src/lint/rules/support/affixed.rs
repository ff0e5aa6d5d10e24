//! The stored table for a logical name in FROM, such as `PROD_orders` for `orders`.

use crate::affix::affixed;
use crate::bind::{Bound, Columns, Meaning, UnknownTable, Use, is_in_schema};
use crate::lint::{Edit, Fix, Statement};
use crate::tree::{Identifier, SelectItem};
use wherefore_catalog::Table;

/// A table that an unknown name can be the logical name of.
pub(in crate::lint::rules) struct Stored<'a> {
    pub(in crate::lint::rules) table: &'a Table,
    /// Whether at least half of the catalog's tables carry the same affixes.
    pub(in crate::lint::rules) is_usual: bool,
}

/// The only table whose affixes other tables carry too, in the schema that the statement names; `None` if there are
/// several.
pub(in crate::lint::rules) fn stored<'a>(
    statement: &Statement<'a>,
    unknown: &UnknownTable<'_>,
) -> Option<Stored<'a>> {
    let tables = &statement.catalog.tables;
    let found = affixed(statement.catalog, &unknown.name.name);
    let mut shared = found.iter().filter_map(|it| {
        let table = tables.get(it.table)?;
        let is_shared = it.carriers > 1 || it.carriers == tables.len();
        let is_reached = is_in_schema(table, unknown.schema, statement.dialect);
        (is_shared && is_reached)
            .then_some(Stored { table, is_usual: it.carriers * 2 >= tables.len() })
    });
    shared.next().filter(|_| shared.next().is_none())
}

/// Whether the columns that the statement takes from an unknown table exist in a table.
pub(in crate::lint::rules) fn has_columns(
    statement: &Statement<'_>,
    unknown: &UnknownTable<'_>,
    table: &Table,
) -> bool {
    let bound = statement.bound;
    let Some(block) = bound.blocks.get(unknown.block) else { return false };
    let Some(own) = block.sources.iter().position(|source| source.span == unknown.name.span) else {
        return false;
    };
    let has = |name: &Identifier, table: &Table| {
        Columns::Stored(table).find(name, statement.dialect).is_some()
    };
    bound.uses.iter().filter(|used| matches!(used.meaning, Meaning::Open)).all(|used| {
        match source_of(bound, used) {
            Some((place, Some(source))) => {
                (place, source) != (unknown.block, own) || has(used.name, table)
            }
            // A bare name belongs to one of the unknown tables of the SELECT, or is an output column.
            Some((place, None)) if place == unknown.block => {
                let others = bound.unknown_tables.iter().filter(|other| other.block == place);
                bound.alias(used.name, used.place.block).is_some()
                    || others
                        .filter_map(|other| stored(statement, other))
                        .any(|it| has(used.name, it.table))
            }
            _ => true,
        }
    })
}

/// SELECT whose sources a name can belong to, and the source that its qualifier names.
fn source_of(bound: &Bound<'_>, used: &Use<'_>) -> Option<(usize, Option<usize>)> {
    let mut around = Some(used.place.block);
    while let Some(place) = around {
        let block = bound.blocks.get(place)?;
        match used.qualifier {
            Some(name) => {
                if let Some(source) = bound.source_called(place, name) {
                    return Some((place, Some(source)));
                }
            }
            None if block.sources.iter().any(|it| matches!(it.columns, Columns::Open)) => {
                return Some((place, None));
            }
            None => {}
        }
        around = block.parent;
    }
    None
}

/// Replaces the unknown name; keeps it as an alias where columns are qualified by it.
pub(in crate::lint::rules) fn replaced(
    statement: &Statement<'_>,
    unknown: &UnknownTable<'_>,
    table: &Table,
    is_safe: bool,
) -> Fix {
    let name = unknown.name;
    let written = statement.text_of(name.span);
    let bound = statement.bound;
    let block = bound.blocks.get(unknown.block);
    let own = block.into_iter().flat_map(|it| &it.sources).find(|it| it.span == name.span);
    let qualifies = |other: &Identifier| other.name.eq_ignore_ascii_case(&name.name);
    let wildcard = |item: &SelectItem| match item {
        SelectItem::Wildcard { qualifier } | SelectItem::WildcardExcept { qualifier, .. } => {
            qualifier.as_ref().is_some_and(qualifies)
        }
        SelectItem::Expr { .. } | SelectItem::Foreign(_) => false,
    };
    let is_qualifier = bound.uses.iter().filter_map(|used| used.qualifier).any(qualifies)
        || bound.blocks.iter().any(|block| block.select.items.iter().any(wildcard));
    let mut to = statement.written(&table.name);
    if is_qualifier && own.is_some_and(|source| !source.is_aliased) {
        to = format!("{to} AS {written}");
    }
    let title = format!("replace `{written}` with `{to}`");
    let edits = vec![Edit::replace(name.span, to)];
    if is_safe { Fix::safe(title, edits) } else { Fix::offer(title, edits) }
}
