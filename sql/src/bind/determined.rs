//! Functional dependencies: the columns that have a single value in each group.

use std::collections::BTreeSet;

use super::{Bound, ColumnPlace, Columns, Meaning};
use crate::Dialect;
use crate::tree::{Expr, Literal, SelectItem};

impl<'a> Bound<'a> {
    /// The GROUP BY expressions of a SELECT, with aliases and ordinals replaced with the expressions they refer to.
    pub fn grouped_by(&self, block: usize) -> Vec<&'a Expr> {
        let Some(here) = self.blocks.get(block) else { return Vec::new() };
        let mut grouped = Vec::new();
        for expr in &here.select.group_by {
            match expr {
                Expr::Grouping { sets, .. } => grouped.extend(sets.iter().flatten()),
                Expr::Tuple(items) => grouped.extend(items),
                other => grouped.push(other),
            }
        }
        grouped.into_iter().map(|expr| self.meant(expr, block)).collect()
    }

    /// The output expression that a GROUP BY item refers to by alias or ordinal; otherwise the item itself.
    fn meant(&self, expr: &'a Expr, block: usize) -> &'a Expr {
        let items = self.blocks.get(block).map(|block| &block.select.items);
        let place = match expr {
            Expr::Literal(Literal::Number(text), _) => {
                text.parse::<usize>().ok().and_then(|place| place.checked_sub(1))
            }
            Expr::Column { name, .. } => match self.use_of(name).map(|it| &it.meaning) {
                Some(Meaning::Alias(item)) => Some(*item),
                _ => None,
            },
            _ => None,
        };
        match place.and_then(|place| items?.get(place)) {
            Some(SelectItem::Expr { expr, .. }) => expr,
            _ => expr,
        }
    }

    /// Columns with a single value in each group: the GROUP BY columns, and all columns of a table whose primary key is
    /// among them.
    ///
    /// PostgreSQL recognizes no other dependencies. With `beyond`, columns that a condition equates with a determined
    /// column and tables with a determined unique column count too.
    pub fn determined(&self, block: usize, beyond: bool) -> BTreeSet<ColumnPlace> {
        let mut known: BTreeSet<ColumnPlace> =
            self.grouped_by(block).into_iter().filter_map(|expr| self.column_of(expr)).collect();
        let Some(here) = self.blocks.get(block) else { return known };
        loop {
            let before = known.len();
            for (source, bound) in here.sources.iter().enumerate() {
                let places = |columns: &[String], table: &wherefore_catalog::Table| {
                    let find = |name: &String| table.columns.iter().position(|it| it.name == *name);
                    columns
                        .iter()
                        .map(|name| find(name).map(|column| ColumnPlace { block, source, column }))
                        .collect::<Option<Vec<ColumnPlace>>>()
                };
                let Columns::Stored(table) = bound.columns else { continue };
                let key = places(&table.primary_key, table).filter(|key| !key.is_empty());
                let by_key = key.is_some_and(|key| key.iter().all(|it| known.contains(it)));
                let unique = table.columns.iter().enumerate().any(|(column, it)| {
                    (beyond || self.dialect == Dialect::Sqlite)
                        && it.unique
                        && known.contains(&ColumnPlace { block, source, column })
                });
                if by_key || unique {
                    let all = 0..bound.columns.count();
                    known.extend(all.map(|column| ColumnPlace { block, source, column }));
                }
            }
            if beyond {
                for equal in &here.equalities {
                    if known.contains(&equal.left) {
                        known.insert(equal.right);
                    } else if known.contains(&equal.right) {
                        known.insert(equal.left);
                    }
                }
            }
            if known.len() == before {
                return known;
            }
        }
    }
}
