//! Counts that are one in each group, whatever is stored.

use super::Accounted;
use crate::intent::{Aggregate, Expression};

impl Accounted<'_> {
    /// Whether a query counts rows for each of these rows, or the different values of a column for each of its values.
    pub(super) fn counts_one(&self) -> bool {
        let tree = self.tree;
        if tree.group_by.is_empty() || tree.over_groups.is_some() {
            return false;
        }
        let grouped = |column: &str| {
            tree.group_by.iter().any(|group| {
                matches!(group, Expression::Column { column: by }
                    if by.table == tree.from && by.column == column)
            })
        };
        let key = self.catalog.table(&tree.from).map(|table| table.primary_key.as_slice());
        let by_row =
            key.is_some_and(|key| !key.is_empty() && key.iter().all(|column| grouped(column)));
        let to_one = tree.joins.iter().all(|step| self.refers_to_one(step));
        let shown = tree.select.iter().map(|item| &item.expression);
        shown.chain(tree.order_by.iter().map(|order| &order.expression)).any(|expression| {
            match expression {
                Expression::Aggregate { function: Aggregate::Count, argument: None, .. } => {
                    by_row && to_one
                }
                Expression::Aggregate {
                    function: Aggregate::Count,
                    argument: Some(argument),
                    distinct: true,
                } => {
                    let own = matches!(argument.as_ref(), Expression::Column { column }
                        if column.table == tree.from);
                    by_row && own || tree.group_by.contains(argument)
                }
                _ => false,
            }
        })
    }
}
