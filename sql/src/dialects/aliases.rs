//! Output columns in GROUP BY ALL, GROUP BY and HAVING.

use crate::Dialect;
use crate::guard;
use crate::read::ReadDialect;
use crate::tree::{Body, Expr, Query, Select, SelectItem};

use super::refused;
use super::walk::{self, Done, Visitor};

/// Replaces `GROUP BY ALL` with the output columns that contain no aggregate.
pub(super) fn group_by_all(query: &mut Query) -> Done {
    let Body::Select(select) = &mut query.body else { return Ok(()) };
    let is_all = |key: &Expr| matches!(key, Expr::Function(call) if call.name == "_all");
    if !select.group_by.iter().any(is_all) {
        return Ok(());
    }
    let mut keys = Vec::new();
    for item in &select.items {
        let SelectItem::Expr { expr, .. } = item else {
            return Err(refused("GROUP BY ALL with *"));
        };
        if has(expr, &is_windowed) {
            return Err(refused("GROUP BY ALL with a window function"));
        }
        let is_constant = matches!(expr, Expr::Literal(..));
        if !has(expr, &is_aggregate) && !is_constant && !keys.contains(expr) {
            keys.push(expr.clone());
        }
    }
    select.group_by = keys;
    Ok(())
}

/// Whether HAVING can use output names in a dialect.
fn has_names_in_having(from: ReadDialect) -> bool {
    match from {
        ReadDialect::Bigquery
        | ReadDialect::Duckdb
        | ReadDialect::Mysql
        | ReadDialect::Snowflake
        | ReadDialect::Sqlite => true,
        ReadDialect::Mssql
        | ReadDialect::Oracle
        | ReadDialect::Postgres
        | ReadDialect::Redshift => false,
    }
}

/// Replaces output names in HAVING with their expressions. Names inside aggregates and subqueries are columns, and so
/// are names that the expression itself uses.
pub(super) fn in_having(query: &mut Query, from: ReadDialect) -> Done {
    let Body::Select(select) = &mut query.body else { return Ok(()) };
    if !has_names_in_having(from) || select.having.is_none() {
        return Ok(());
    }
    let named = replaceable(select);
    let Some(having) = &mut select.having else { return Ok(()) };
    walk::expr(&mut Replacing { named: &named }, having)
}

/// Replaces output names in GROUP BY with their expressions, for a target that knows only columns there.
pub(super) struct Keys;

impl Visitor for Keys {
    fn query(&mut self, query: &mut Query) -> Done {
        let Body::Select(select) = &mut query.body else { return Ok(()) };
        let named = replaceable(select);
        for key in &mut select.group_by {
            let Expr::Column { qualifier: None, name } = &*key else { continue };
            let lower = name.name.to_lowercase();
            if let Some((_, expr)) = named.iter().find(|(alias, _)| *alias == lower) {
                *key = expr.clone();
            }
        }
        Ok(())
    }
}

/// The output names that cannot be columns in HAVING, with their expressions.
fn replaceable(select: &Select) -> Vec<(String, Expr)> {
    let named = select.items.iter().filter_map(|item| {
        let SelectItem::Expr { expr, alias: Some(alias) } = item else { return None };
        let name = alias.name.to_lowercase();
        let folds = has(expr, &is_aggregate);
        let is_column = if folds {
            // An aggregate is no grouping key, so the key of this name is a column.
            select.group_by.iter().any(|key| is_named(key, &name))
        } else {
            has(expr, &|part| is_named(part, &name)) || has(expr, &is_windowed)
        };
        (!is_column).then(|| (name, expr.clone()))
    });
    named.collect()
}

fn is_named(expr: &Expr, wanted: &str) -> bool {
    matches!(expr, Expr::Column { name, .. } if name.name.to_lowercase() == wanted)
}

fn is_aggregate(expr: &Expr) -> bool {
    matches!(expr, Expr::Function(call)
        if call.over.is_none() && guard::is_aggregate(call, Dialect::Postgres))
}

fn is_windowed(expr: &Expr) -> bool {
    matches!(expr, Expr::Function(call) if call.over.is_some())
}

/// Whether a part of an expression, outside its subqueries, has a property.
fn has(expr: &Expr, property: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    crate::walk::walk(expr, &mut |part| found |= property(part));
    found
}

struct Replacing<'a> {
    named: &'a [(String, Expr)],
}

impl Visitor for Replacing<'_> {
    fn enters(&self, node: &Expr) -> bool {
        !is_aggregate(node)
    }

    fn enters_query(&self) -> bool {
        false
    }

    fn expr(&mut self, node: &mut Expr) -> Done {
        let Expr::Column { qualifier: None, name } = node else { return Ok(()) };
        let lower = name.name.to_lowercase();
        if let Some((_, expr)) = self.named.iter().find(|(alias, _)| *alias == lower) {
            *node = expr.clone();
        }
        Ok(())
    }
}
