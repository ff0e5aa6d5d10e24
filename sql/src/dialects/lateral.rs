//! Output names in the SELECT list and in WHERE, which other servers do not know there.

use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::read::ReadDialect;
use crate::tree::{Body, Expr, Query, SelectItem};

use super::Doubt;
use super::marked::Columns;
use super::walk::{self, Done, Visitor};

/// Replaces output names that no source has with their expressions. Without the types of the columns, such a name may
/// be a column, which takes precedence: it stays, with a doubt.
pub(super) fn replace(
    query: &mut Query,
    from: ReadDialect,
    to: Target,
    columns: Option<&Columns>,
) -> Result<Vec<Doubt>, Diagnostic> {
    let known =
        matches!(from, ReadDialect::Duckdb | ReadDialect::Redshift | ReadDialect::Snowflake);
    if !known {
        return Ok(Vec::new());
    }
    // Redshift knows the names in the SELECT list only, and SQLite knows them in WHERE.
    let in_filter = from != ReadDialect::Redshift && to != Target::Sqlite;
    let mut lateral = Lateral { columns, in_filter, doubts: Vec::new() };
    walk::query(&mut lateral, query)?;
    Ok(lateral.doubts)
}

struct Lateral<'a> {
    columns: Option<&'a Columns>,
    in_filter: bool,
    doubts: Vec<Doubt>,
}

impl Visitor for Lateral<'_> {
    fn query(&mut self, query: &mut Query) -> Done {
        let Body::Select(select) = &mut query.body else { return Ok(()) };
        let mut named: Vec<(String, Expr)> = Vec::new();
        for item in &mut select.items {
            let SelectItem::Expr { expr, alias } = item else { continue };
            self.within(&named, expr)?;
            let Some(alias) = alias else { continue };
            let name = alias.name.to_lowercase();
            let mut is_column = false;
            crate::walk::walk(expr, &mut |part| {
                is_column |= matches!(part, Expr::Column { name: own, .. }
                    if own.name.to_lowercase() == name);
            });
            if !is_column {
                named.push((name, expr.clone()));
            }
        }
        match &mut select.filter {
            Some(filter) if self.in_filter => self.within(&named, filter),
            _ => Ok(()),
        }
    }
}

impl Lateral<'_> {
    fn within(&mut self, named: &[(String, Expr)], expr: &mut Expr) -> Done {
        if named.is_empty() {
            return Ok(());
        }
        let mut replacing = Replacing { columns: self.columns, named, doubts: &mut self.doubts };
        walk::expr(&mut replacing, expr)
    }
}

struct Replacing<'a> {
    columns: Option<&'a Columns>,
    named: &'a [(String, Expr)],
    doubts: &'a mut Vec<Doubt>,
}

impl Visitor for Replacing<'_> {
    fn enters_query(&self) -> bool {
        false
    }

    fn expr(&mut self, node: &mut Expr) -> Done {
        let Expr::Column { qualifier: None, name } = node else { return Ok(()) };
        let lower = name.name.to_lowercase();
        let Some((_, meant)) = self.named.iter().find(|(alias, _)| *alias == lower) else {
            return Ok(());
        };
        match self.columns {
            Some(columns) if columns.is_unknown(name) => *node = meant.clone(),
            Some(_) => {}
            None => {
                let message = format!("`{}` is taken for a column, not for the output", name.name);
                if !self.doubts.iter().any(|known| known.message == message) {
                    self.doubts.push(Doubt { message, span: name.span });
                }
            }
        }
        Ok(())
    }
}
