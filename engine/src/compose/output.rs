//! Output columns: what is shown of rows when the question names some, one, or none.

use super::context::{Composer, Failure};
use crate::catalog::DataType;
use crate::data::Role;
use crate::intent::{Expression, Selection};
use crate::linking::{ColumnId, Named, TableId, Target};
use crate::order;

/// Most columns shown when the question names none.
const COLUMNS: usize = 10;
/// Most columns of a single row that is shown whole.
const COLUMNS_OF_ONE: usize = 30;

impl Composer<'_> {
    /// Columns that a mention asks to show.
    pub(super) fn output(
        &mut self,
        at: usize,
        head: Option<TableId>,
    ) -> Result<Vec<ColumnId>, Failure> {
        if let Some(Target::Label(table)) = self.target(at) {
            let rival =
                self.mentions.get(at).and_then(|mention| mention.readings.get(1)).is_some_and(
                    |rival| {
                        let best = self.mentions[at].readings[0].score;
                        matches!(rival.target, Target::Label(_))
                            && best - rival.score < self.settings.rival_gap
                    },
                );
            if let (true, Some(head)) = (rival, head) {
                return Ok(self.label(head));
            }
            let label = self.label(table);
            let [column] = label.as_slice() else { return Ok(label) };
            let told = |twin: &ColumnId| !self.schema.has_role(*twin, Role::FreeText);
            let twins = self.schema.twin_columns(*column).iter().copied().filter(told);
            let columns: Vec<ColumnId> = std::iter::once(*column).chain(twins).collect();
            if columns.len() > 1 {
                let reason = "several columns name these rows".to_owned();
                return Ok(self.choose_column(&columns, at, reason).into_iter().collect());
            }
            return Ok(label);
        }
        self.shown_columns(at, head)
    }

    /// Columns that name a row of a table: its label, else its primary key and a telling text.
    pub(super) fn label(&self, table: TableId) -> Vec<ColumnId> {
        let profile = self.schema.profile(table);
        if !profile.label.is_empty() {
            profile.label.clone()
        } else if let Some(telling) = self.telling_text(table) {
            profile.primary_key.iter().copied().chain([telling]).collect()
        } else if !profile.primary_key.is_empty() {
            profile.primary_key.clone()
        } else {
            vec![ColumnId { table, column: 0 }]
        }
    }

    /// The text of a table without a name that tells its rows apart to a reader: named as the table is, or the only one.
    pub(super) fn telling_text(&self, table: TableId) -> Option<ColumnId> {
        let definition = self.catalog.table_at(table);
        let profile = self.schema.profile(table);
        if profile.is_bridge || profile.primary_key.len() > 1 {
            return None;
        }
        let texts: Vec<ColumnId> = (0..definition.columns.len())
            .map(|column| ColumnId { table, column: column as u16 })
            .filter(|column| {
                let definition = self.catalog.column_at(*column);
                definition.data_type == DataType::Text
                    && !definition.sensitive
                    && !self.is_foreign(*column)
                    && ![Role::FreeText, Role::Status]
                        .iter()
                        .any(|role| self.schema.has_role(*column, *role))
            })
            .collect();
        let named = |column: &&ColumnId| {
            self.schema.stems_of(**column).iter().all(|word| profile.stems.contains(word))
        };
        match (texts.iter().find(named), texts.as_slice()) {
            (Some(column), _) => Some(*column),
            (None, [column]) if !profile.primary_key.contains(column) => Some(*column),
            _ => None,
        }
    }

    /// Columns that one row is shown with: all but binary and sensitive ones, as far as a page can show them.
    pub(super) fn all_columns(&self, table: TableId) -> Vec<ColumnId> {
        let mut all = self.showable(table, &[]);
        all.truncate(COLUMNS_OF_ONE);
        all
    }

    /// Columns of a table that are neither binary nor sensitive; labels and those of `also` are shown all the same.
    fn showable(&self, table: TableId, also: &[ColumnId]) -> Vec<ColumnId> {
        let label = &self.schema.profile(table).label;
        (0..self.catalog.table_at(table).columns.len())
            .map(|column| ColumnId { table, column: column as u16 })
            .filter(|column| {
                let definition = self.catalog.column_at(*column);
                !matches!(definition.data_type, DataType::Binary)
                    && (!definition.sensitive || label.contains(column) || also.contains(column))
            })
            .collect()
    }

    /// Columns shown of a table when the question names none: all of a small one, else the telling ones.
    pub(super) fn default_columns(&self, table: TableId, also: &[ColumnId]) -> Vec<ColumnId> {
        let profile = self.schema.profile(table);
        let all = self.showable(table, also);
        if all.len() <= COLUMNS {
            return all;
        }
        let telling = |column: &ColumnId| {
            profile.primary_key.contains(column)
                || profile.label.contains(column)
                || profile.date == Some(*column)
                || profile.measures.contains(column)
                || also.contains(column)
                || self.constraints.selected.contains(&Target::Column(*column))
        };
        let rest = COLUMNS.saturating_sub(all.iter().filter(|column| telling(column)).count());
        let mut spare: Vec<ColumnId> =
            all.iter().copied().filter(|column| !telling(column)).collect();
        order::by_key(&mut spare, |column| {
            let definition = self.catalog.column_at(*column);
            let long = self.schema.has_role(*column, Role::FreeText)
                || definition.data_type == DataType::Json;
            (long, self.is_foreign(*column), column.column)
        });
        spare.truncate(rest);
        all.into_iter().filter(|column| telling(column) || spare.contains(column)).collect()
    }

    /// Selection of a stored column.
    pub(super) fn selection(&self, column: ColumnId) -> Selection {
        Selection { expression: self.column_expression(column), alias: None }
    }

    /// Gives output columns of the same name an alias that tells them apart.
    pub(super) fn tell_apart(&self, select: &mut [Selection]) {
        let name = |item: &Selection| match (&item.alias, &item.expression) {
            (Some(alias), _) => Some(alias.to_lowercase()),
            (None, Expression::Column { column }) => Some(column.column.to_lowercase()),
            _ => None,
        };
        let names: Vec<Option<String>> = select.iter().map(name).collect();
        for position in 0..select.len() {
            let twice = names.iter().filter(|other| **other == names[position]).count() > 1;
            if let (true, None, Expression::Column { column }) =
                (twice, &select[position].alias, &select[position].expression)
            {
                let table = column.table.rsplit('.').next().unwrap_or(&column.table);
                let alias = format!("{table}_{}", column.column).to_lowercase().replace(' ', "_");
                select[position].alias = Some(alias);
            }
        }
    }
}
