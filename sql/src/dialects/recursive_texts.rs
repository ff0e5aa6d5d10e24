//! Texts of recursive common table expressions on MySQL and MariaDB, where a column is as long as its first value.

use std::collections::BTreeMap;

use wherefore_catalog::Catalog;

use crate::Dialect;
use crate::bind::{Bound, Kind};
use crate::tree::{Body, CastType, Expr, Query, Select, SelectItem};

use super::walk::{self, Done, Visitor};

/// Most characters of a column that is no longer than a `mediumtext` of four bytes a character.
const MOST_CHARACTERS: u32 = 4_194_303;

/// Which columns of each recursive common table expression are texts, in the order in which queries are visited.
pub(super) struct RecursiveTexts(Vec<Vec<bool>>);

impl RecursiveTexts {
    /// Those of a statement that is not rewritten yet.
    pub(super) fn of(tree: &mut Query, catalog: &Catalog) -> Result<Self, crate::Diagnostic> {
        let bound = Bound::of(tree, catalog, Dialect::Postgres);
        let texts = bound.blocks.iter().map(|block| {
            let kinds = block.outputs.iter().map(|output| output.kind);
            let texts = kinds.map(|kind| matches!(kind, Some(Kind::Text | Kind::Untyped)));
            ((&raw const *block.select).addr(), texts.collect())
        });
        let texts: BTreeMap<usize, Vec<bool>> = texts.collect();
        let mut found = Found { texts: &texts, of_each: Vec::new() };
        walk::query(&mut found, tree)?;
        Ok(Self(found.of_each))
    }

    /// Casts the first values of these columns to a type that longer ones fit. Columns of a statement that was rewritten
    /// beyond recognition stay as they are.
    pub(super) fn widen(self, tree: &mut Query) -> Done {
        let mut counted = Found { texts: &BTreeMap::new(), of_each: Vec::new() };
        walk::query(&mut counted, tree)?;
        if counted.of_each.len() != self.0.len() {
            return Ok(());
        }
        walk::query(&mut Widening { of_each: self.0.into_iter() }, tree)
    }
}

/// The first SELECT of each recursive common table expression.
fn first_parts(query: &mut Query) -> impl Iterator<Item = &mut Select> {
    let is_recursive = query.recursive;
    let queries = query.with.iter_mut().filter(move |_| is_recursive);
    queries.filter_map(|cte| {
        let Body::SetOperation { left, .. } = &mut cte.query.body else { return None };
        let mut body = &mut left.body;
        while let Body::SetOperation { left, .. } = body {
            body = &mut left.body;
        }
        if let Body::Select(select) = body { Some(&mut **select) } else { None }
    })
}

struct Found<'a> {
    texts: &'a BTreeMap<usize, Vec<bool>>,
    of_each: Vec<Vec<bool>>,
}

impl Visitor for Found<'_> {
    fn query(&mut self, query: &mut Query) -> Done {
        for select in first_parts(query) {
            let texts = self.texts.get(&(&raw const *select).addr());
            self.of_each.push(texts.cloned().unwrap_or_default());
        }
        Ok(())
    }
}

struct Widening {
    of_each: std::vec::IntoIter<Vec<bool>>,
}

impl Visitor for Widening {
    fn query(&mut self, query: &mut Query) -> Done {
        for select in first_parts(query) {
            let texts = self.of_each.next().unwrap_or_default();
            if texts.len() != select.items.len() {
                continue;
            }
            for (item, is_text) in select.items.iter_mut().zip(texts) {
                let SelectItem::Expr { expr, alias } = item else { break };
                if !is_text {
                    continue;
                }
                if let (None, Expr::Column { name, .. }) = (&alias, &*expr) {
                    *alias = Some(name.clone());
                }
                let to = CastType { name: "varchar".to_owned(), arguments: vec![MOST_CHARACTERS] };
                *expr = Expr::Cast { operand: Box::new(expr.clone()), to };
            }
        }
        Ok(())
    }
}
