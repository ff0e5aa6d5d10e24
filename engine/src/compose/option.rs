//! Options that are a table or a column, worded the same wherever they are offered.

use super::context::Composer;
use super::describe::{column_words, plural, table_words};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, CustomInput, Decision, OptionBinding};
use crate::linking::{ColumnId, Named, TableId};

/// Most options of a choice among columns or tables.
pub(super) const OPTIONS: usize = 5;

impl Composer<'_> {
    /// Option that is a column, named by its words.
    pub(super) fn column_option(&self, column: ColumnId) -> ClarificationOption {
        let definition = self.catalog.column_at(column);
        ClarificationOption {
            id: definition.name.clone(),
            label: column_words(self.catalog, column),
            description: definition.description.clone(),
            binding: OptionBinding::Column { column: self.catalog.reference(column) },
        }
    }

    /// Option that is a column of one of several tables, named with its table.
    pub(super) fn placed_option(&self, column: ColumnId) -> ClarificationOption {
        let reference = self.catalog.reference(column);
        let rows = plural(&table_words(self.catalog, column.table));
        ClarificationOption {
            id: format!("{}.{}", reference.table, reference.column),
            label: format!("{} of {rows}", column_words(self.catalog, column)),
            description: self.catalog.column_at(column).description.clone(),
            binding: OptionBinding::Column { column: reference },
        }
    }

    /// Option that is several columns at once.
    pub(super) fn columns_option(&self, columns: &[ColumnId]) -> ClarificationOption {
        let label = if columns.len() == 2 { "both of them" } else { "all of them" };
        let words: Vec<String> =
            columns.iter().map(|column| column_words(self.catalog, *column)).collect();
        ClarificationOption {
            id: "all".to_owned(),
            label: label.to_owned(),
            description: words.join(", "),
            binding: OptionBinding::Columns {
                columns: columns.iter().map(|column| self.catalog.reference(*column)).collect(),
            },
        }
    }

    /// Option that is a table.
    pub(super) fn table_option(&self, table: TableId) -> ClarificationOption {
        let key = self.schema.profile(table).key.clone();
        ClarificationOption {
            id: key.clone(),
            label: table_words(self.catalog, table),
            description: self.catalog.table_at(table).description.clone(),
            binding: OptionBinding::Table { table: key },
        }
    }

    /// Field for a condition on the rows of a table, in a person's own words.
    pub(super) fn own_words(&self, table: TableId) -> CustomInput {
        let profile = self.schema.profile(table);
        let numbers = (0..self.catalog.table_at(table).columns.len())
            .map(|column| ColumnId { table, column: column as u16 })
            .filter(|column| {
                let definition = self.catalog.column_at(*column);
                definition.data_type.is_numeric() && !definition.unique && !self.is_foreign(*column)
            });
        let number = profile.measures.first().copied().or_else(|| numbers.clone().next());
        let placeholder = match (number, profile.dates.first()) {
            (Some(column), _) => format!("{} over 30", column_words(self.catalog, column)),
            (None, Some(column)) => {
                format!("{} in the last 30 days", column_words(self.catalog, *column))
            }
            (None, None) => "a column, and what holds for it".to_owned(),
        };
        CustomInput::Text { placeholder, table: profile.key.clone() }
    }

    /// The column that is meant among several that fit alike; the first where nothing is decided.
    pub(super) fn choose_column(
        &mut self,
        columns: &[ColumnId],
        at: usize,
        reason: String,
    ) -> Option<ColumnId> {
        let options =
            columns.iter().take(OPTIONS).map(|column| self.column_option(*column)).collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Column,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            reason,
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Column { column } => self.column_id(&column),
            _ => None,
        }
        .or(columns.first().copied())
    }
}

/// Option that leaves words out.
pub(super) fn ignore_option(label: String, description: &str) -> ClarificationOption {
    ClarificationOption {
        id: "ignore".to_owned(),
        label,
        description: description.to_owned(),
        binding: OptionBinding::Ignore,
    }
}
