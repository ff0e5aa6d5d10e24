//! Corrections: what the user meant instead, in words or as data.

use serde::{Deserialize, Serialize};

use crate::catalog::ColumnRef;

/// A correction: constraints on how the question is read.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Correction {
    /// Columns that must, and must not, be used.
    Column {
        /// Must be used.
        #[serde(default)]
        selected_column: Option<ColumnRef>,
        /// Must not be used.
        #[serde(default)]
        rejected_columns: Vec<ColumnRef>,
    },
    /// Columns that must be joined.
    Join {
        /// One column.
        left: ColumnRef,
        /// The other.
        right: ColumnRef,
    },
    /// Tables that must, and must not, be used; also called `table_selection`.
    #[serde(alias = "table_selection")]
    Table {
        /// Must be used.
        #[serde(default)]
        selected_table: Option<String>,
        /// Must not be used.
        #[serde(default)]
        rejected_tables: Vec<String>,
    },
    /// Words such as "no, I meant shipping country", "not invoices, orders", `join a.id with b.a_id`.
    Text {
        /// The words.
        text: String,
    },
}
