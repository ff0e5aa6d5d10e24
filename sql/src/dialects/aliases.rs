//! Output names in HAVING, which PostgreSQL does not know there.

use crate::Dialect;
use crate::guard;
use crate::tree::{Body, Expr, Query, SelectItem};

use super::walk::{self, Done, Visitor};

/// Replaces the names of aggregates in HAVING with the aggregates. Other names are left: they can be columns.
pub(super) fn in_having(query: &mut Query) -> Done {
    let Body::Select(select) = &mut query.body else { return Ok(()) };
    let Some(having) = &mut select.having else { return Ok(()) };
    let mut named = Vec::new();
    for item in &select.items {
        let SelectItem::Expr { expr, alias: Some(alias) } = item else { continue };
        let mut found = Aggregates { any: false };
        walk::expr(&mut found, &mut expr.clone())?;
        if found.any {
            named.push((alias.name.to_lowercase(), expr.clone()));
        }
    }
    if named.is_empty() {
        return Ok(());
    }
    walk::expr(&mut Replacing { named: &named }, having)
}

struct Aggregates {
    any: bool,
}

impl Visitor for Aggregates {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Function(call) = node {
            self.any |= call.over.is_none() && guard::is_aggregate(call, Dialect::Postgres);
        }
        Ok(())
    }
}

struct Replacing<'a> {
    named: &'a [(String, Expr)],
}

impl Visitor for Replacing<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        let Expr::Column { qualifier: None, name } = node else { return Ok(()) };
        let lower = name.name.to_lowercase();
        if let Some((_, expr)) = self.named.iter().find(|(alias, _)| *alias == lower) {
            *node = expr.clone();
        }
        Ok(())
    }
}
