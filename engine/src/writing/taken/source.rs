//! Tables of a statement, their joins, and which of them are outer-joined.

use super::{Role, Taken, Thing, reference, rows_of};
use wherefore_sql::bind::{Block, Bound};
use wherefore_sql::tree::Expr;
use wherefore_sql::walk::walk;

impl Taken {
    pub(super) fn sources(&mut self, bound: &Bound<'_>) {
        for (place, block) in bound.blocks.iter().enumerate() {
            for (at, source) in block.sources.iter().enumerate() {
                let Some(table) = source.table else { continue };
                self.add(Role::Table, Thing::table(&table.key()));
                // An aggregate of all rows is the same with and without the unmatched rows of an outer join.
                let matters = !block.aggregates || !block.select.group_by.is_empty();
                if block.sources.len() < 2 || !matters {
                    continue;
                }
                if !source.is_nullable {
                    self.inner.insert(table.key());
                } else if !is_looked_at(bound, block, place, at)
                    && !is_always_there(bound, block, place, at)
                {
                    self.outer.insert(table.key());
                }
            }
            for equal in &block.equalities {
                let (Some(left), Some(right)) =
                    (bound.origin(equal.left), bound.origin(equal.right))
                else {
                    continue;
                };
                let mut ends = [reference(left), reference(right)];
                ends.sort();
                let refers = ends.iter().position(|end| {
                    rows_of(bound.catalog, end).is_some_and(|rows| rows != end.table)
                });
                let from = refers.unwrap_or(0);
                let other = ends[1 - from].to_string();
                self.add(Role::Join, Thing::column(&ends[from]).with(&other));
            }
        }
    }
}

/// Whether WHERE refers to a source, which shows that unmatched rows are kept or dropped on purpose.
fn is_looked_at(bound: &Bound<'_>, block: &Block<'_>, place: usize, source: usize) -> bool {
    let mut found = false;
    if let Some(filter) = &block.select.filter {
        walk(filter, &mut |part| {
            let column = bound.column_of(part);
            found |= column.is_some_and(|it| it.block == place && it.source == source);
        });
    }
    found
}

/// Whether each row has a match in a source, by a foreign key that is never NULL.
fn is_always_there(bound: &Bound<'_>, block: &Block<'_>, place: usize, source: usize) -> bool {
    block.equalities.iter().any(|equal| {
        [(equal.left, equal.right), (equal.right, equal.left)].into_iter().any(|(here, there)| {
            let (Some(key), Some(refers)) = (bound.origin(here), bound.origin(there)) else {
                return false;
            };
            here.block == place
                && here.source == source
                && there.source != source
                && !bound.is_nullable(there)
                && rows_of(bound.catalog, &reference(refers)) == Some(key.table.key())
                && key.table.primary_key == [key.column.name.as_str()]
        })
    })
}

/// Whether an expression is the literal NULL.
pub(super) fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(wherefore_sql::tree::Literal::Null, _))
}
