//! Trees that no row can be in, or that show nothing: the words were tied to the wrong things.

use super::context::{Composer, Failure};
use crate::failure::FailureCode;
use crate::intent::{Predicate, QueryTree};

impl Composer<'_> {
    /// The tree, unless it shows nothing, or shows columns of rows that it says are missing: "countries with no orders",
    /// where only orders store countries.
    pub(super) fn possible(&self, tree: QueryTree) -> Result<QueryTree, Failure> {
        let hint = "name the table whose rows you mean";
        if tree.select.is_empty() {
            let message = "it is not clear which rows are asked for".to_owned();
            return Err(self.fail(FailureCode::NothingAsked, message, hint, None));
        }
        let denied = |filter: &Predicate| match filter {
            Predicate::Exists { joins, conditions, negated: true } => {
                conditions.is_empty()
                    && joins.iter().all(|step| {
                        tree.joins.iter().any(|known| {
                            !known.outer
                                && known.from_table == step.from_table
                                && known.from_columns == step.from_columns
                                && known.to_table == step.to_table
                                && known.to_columns == step.to_columns
                        })
                    })
            }
            _ => false,
        };
        if tree.filters.iter().any(denied) {
            let message = "what is asked for is stored in the rows that must be missing".to_owned();
            return Err(self.fail(FailureCode::NotComposable, message, hint, None));
        }
        Ok(tree)
    }
}
