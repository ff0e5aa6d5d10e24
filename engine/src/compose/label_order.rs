//! Groups in the order of their names.

use super::context::Composer;
use crate::catalog::DataType;
use crate::intent::Expression;
use crate::linking::{ColumnId, Named};

impl Composer<'_> {
    /// Whether a column stores text.
    pub(super) fn is_text(&self, column: ColumnId) -> bool {
        self.catalog.column_at(column).data_type == DataType::Text
    }

    /// "Sort by name": the first label of the groups, whichever name it is.
    pub(super) fn named_label(&self, at: usize, labels: &[Expression]) -> Option<Expression> {
        let name = ["name", "names"].contains(&self.phrase(at).to_lowercase().as_str());
        let text = |label: &&Expression| match label {
            Expression::Column { column } => {
                self.catalog.column(column).is_some_and(|column| column.data_type == DataType::Text)
            }
            _ => false,
        };
        labels.iter().find(text).filter(|_| name).cloned()
    }
}
