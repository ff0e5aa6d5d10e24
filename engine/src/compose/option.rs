//! Options that are a table or a column, worded the same wherever they are offered.

use wherefore_english::{and_list, name_words, plural};

use super::context::Composer;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::ColumnRef;
use crate::clarification::{ClarificationOption, CustomInput, Decision, OptionBinding, Relation};
use crate::linking::{ColumnId, Named, TableId};
use crate::narration::{self, Wording};

/// Most options of a choice among columns or tables.
pub(super) const OPTIONS: usize = 5;

impl Composer<'_> {
    /// Noun phrase for the rows of a table: `order lines`.
    pub(super) fn table_rows(&self, table: TableId) -> String {
        plural(&self.table_words(table))
    }

    /// Words of a table's name: `order line` of `order_line`.
    pub(super) fn table_words(&self, table: TableId) -> String {
        name_words(&self.catalog.table_at(table).name)
    }

    /// Words of a column's name, without its table.
    pub(super) fn column_words(&self, column: ColumnId) -> String {
        name_words(&self.catalog.column_at(column).name)
    }

    /// Options that are columns, each labelled by what tells it from the others.
    pub(super) fn column_options(&self, columns: &[ColumnId]) -> Vec<ClarificationOption> {
        let columns: Vec<ColumnRef> =
            columns.iter().map(|column| self.catalog.reference(*column)).collect();
        let wordings = narration::columns(self.catalog, &columns);
        let options = columns.into_iter().zip(wordings);
        options
            .map(|(column, Wording { label, description })| ClarificationOption {
                id: column.to_string(),
                label,
                description,
                binding: OptionBinding::Column { column },
                confidence: None,
            })
            .collect()
    }

    /// Option that is one column, labelled with its table.
    pub(super) fn column_option(&self, column: ColumnId) -> ClarificationOption {
        let column = self.catalog.reference(column);
        ClarificationOption {
            id: column.to_string(),
            label: narration::column_of_table(self.catalog, &column),
            description: narration::column_description(self.catalog, &column),
            binding: OptionBinding::Column { column },
            confidence: None,
        }
    }

    /// Option that is several columns at once; its description repeats their labels.
    pub(super) fn columns_option(&self, columns: &[ColumnId]) -> ClarificationOption {
        let columns: Vec<ColumnRef> =
            columns.iter().map(|column| self.catalog.reference(*column)).collect();
        let wordings = narration::columns(self.catalog, &columns).into_iter();
        let labels: Vec<String> = wordings.map(|wording| wording.label).collect();
        let label = if columns.len() == 2 { "both of them" } else { "all of them" };
        ClarificationOption {
            id: "all".to_owned(),
            label: label.to_owned(),
            description: and_list(&labels),
            binding: OptionBinding::Columns { columns },
            confidence: None,
        }
    }

    /// Option that is a table.
    pub(super) fn table_option(&self, table: TableId) -> ClarificationOption {
        let key = self.schema.profile(table).key.clone();
        ClarificationOption {
            id: key.clone(),
            label: self.table_rows(table),
            description: narration::table_description(self.catalog.table_at(table)),
            binding: OptionBinding::Table { table: key },
            confidence: None,
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
            (Some(column), _) => format!("{} over 30", self.column_words(column)),
            (None, Some(column)) => {
                format!("{} in the last 30 days", self.column_words(*column))
            }
            (None, None) => "say it another way, with a column name".to_owned(),
        };
        CustomInput::Text { placeholder, table: profile.key.clone(), parameter: None }
    }

    /// The column that is meant among several that fit alike; the first where nothing is decided.
    pub(super) fn choose_column(
        &mut self,
        columns: &[ColumnId],
        at: usize,
        reason: String,
    ) -> Option<ColumnId> {
        self.decide_column(columns, at, reason, Severity::Important)
    }

    /// Takes the first of columns, with the others to choose from.
    pub(super) fn assume_column(
        &mut self,
        columns: &[ColumnId],
        at: usize,
        reason: String,
    ) -> Option<ColumnId> {
        self.decide_column(columns, at, reason, Severity::Minor)
    }

    fn decide_column(
        &mut self,
        columns: &[ColumnId],
        at: usize,
        reason: String,
        severity: Severity,
    ) -> Option<ColumnId> {
        let offered = columns.get(..columns.len().min(OPTIONS)).unwrap_or_default();
        let options = self.column_options(offered).into_iter().zip(offered);
        let several_tables = offered.iter().any(|column| column.table != offered[0].table);
        let options = options.map(|(option, column)| ClarificationOption {
            id: self.catalog.column_at(*column).name.clone(),
            label: if several_tables {
                format!("{} ({})", self.table_rows(column.table), self.column_words(*column))
            } else {
                option.label
            },
            ..option
        });
        let options = options.collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Column,
            severity,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::AppliesTo,
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

/// Description of an option that leaves a word out.
pub(super) const WITHOUT_CONDITION: &str = "the word adds no condition";

/// Option that leaves words out.
pub(super) fn ignore_option(label: String, description: &str) -> ClarificationOption {
    ClarificationOption {
        id: "ignore".to_owned(),
        label,
        description: description.to_owned(),
        binding: OptionBinding::Ignore,
        confidence: None,
    }
}
