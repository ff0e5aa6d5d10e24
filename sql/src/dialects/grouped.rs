//! Columns that the key in GROUP BY determines, which MariaDB requires in GROUP BY too.

use wherefore_catalog::Table;

use crate::Dialect;
use crate::names::matches;
use crate::tree::{Body, Expr, Identifier, Query, Select, SelectItem, Source};

use super::stored::Tables;
use super::walk::{self, Done, Visitor};

/// Adds the columns of a table whose primary key is grouped by to GROUP BY if they are used after grouping. The groups
/// stay the same.
pub(super) struct Dependent<'a> {
    pub(super) tables: &'a Tables<'a>,
}

impl Visitor for Dependent<'_> {
    fn query(&mut self, query: &mut Query) -> Done {
        let Body::Select(select) = &mut query.body else { return Ok(()) };
        if select.group_by.is_empty() {
            return Ok(());
        }
        let is_single = matches!(select.from.as_slice(), [item] if item.joins.is_empty());
        let mut used = Columns { found: Vec::new() };
        for item in &mut select.items {
            if let SelectItem::Expr { expr, .. } = item {
                walk::expr(&mut used, expr)?;
            }
        }
        if let Some(having) = &mut select.having {
            walk::expr(&mut used, having)?;
        }
        for item in &mut query.order_by {
            walk::expr(&mut used, &mut item.expr)?;
        }
        for column in used.found {
            let is_dependent =
                self.keyed(select).any(|(name, table)| belongs(&column, name, table, is_single));
            if is_dependent && !select.group_by.contains(&column) {
                select.group_by.push(column);
            }
        }
        Ok(())
    }
}

impl Dependent<'_> {
    /// Stored tables whose primary key is grouped by, with the names that qualify their columns.
    fn keyed<'s>(
        &'s self,
        select: &'s Select,
    ) -> impl Iterator<Item = (&'s Identifier, &'s Table)> + use<'s> {
        let joined = |item: &'s crate::tree::FromItem| {
            std::iter::once(&item.source).chain(item.joins.iter().map(|join| &join.source))
        };
        let is_single = matches!(select.from.as_slice(), [item] if item.joins.is_empty());
        select.from.iter().flat_map(joined).filter_map(move |source| {
            let Source::Table { name, alias, .. } = source else { return None };
            let table = self.tables.of_source(source)?;
            let name = alias.as_ref().unwrap_or(name);
            let is_grouped = |key: &String| {
                select.group_by.iter().any(|expr| {
                    matches!(expr, Expr::Column { qualifier, name: column }
                        if is_of(qualifier.as_ref(), name, is_single)
                            && matches_stored(column, key))
                })
            };
            let is_keyed =
                !table.primary_key.is_empty() && table.primary_key.iter().all(is_grouped);
            is_keyed.then_some((name, table))
        })
    }
}

fn matches_stored(written: &Identifier, stored: &str) -> bool {
    matches(written, stored, Dialect::Postgres)
}

/// Whether a column with this qualifier is one of a source. Without a qualifier, it is if there is no other source.
fn is_of(qualifier: Option<&Identifier>, source: &Identifier, is_single: bool) -> bool {
    qualifier.map_or(is_single, |qualifier| qualifier.name == source.name)
}

/// Whether an expression is a column of this source.
fn belongs(column: &Expr, source: &Identifier, table: &Table, is_single: bool) -> bool {
    matches!(column, Expr::Column { qualifier, name }
        if is_of(qualifier.as_ref(), source, is_single)
            && table.columns.iter().any(|column| matches_stored(name, &column.name)))
}

/// Columns outside aggregates and subqueries.
struct Columns {
    found: Vec<Expr>,
}

impl Visitor for Columns {
    fn enters(&self, node: &Expr) -> bool {
        !matches!(node, Expr::Function(call) if crate::guard::is_aggregate(call, Dialect::Postgres))
    }

    fn enters_query(&self) -> bool {
        false
    }

    fn expr(&mut self, node: &mut Expr) -> Done {
        if matches!(node, Expr::Column { .. }) && !self.found.contains(node) {
            self.found.push(node.clone());
        }
        Ok(())
    }
}
