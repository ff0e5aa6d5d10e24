//! Columns that words mean.

use super::context::{Composer, Failure};
use super::option::OPTIONS;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::ColumnRef;
use crate::clarification::{Decision, OptionBinding, Relation};
use crate::confidence::Method;
use crate::failure::FailureCode;
use crate::intent::Expression;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target, names_worth, words_of_identifier};

/// Gap below which columns of one table and type are rivals, where neither bears the words as its name.
const ALIKE_GAP: f64 = 0.21;

impl Composer<'_> {
    /// Expression of a column.
    pub(super) fn column_expression(&self, column: ColumnId) -> Expression {
        Expression::Column { column: self.catalog.reference(column) }
    }

    /// Position of a column that a reference names.
    pub(super) fn column_id(&self, reference: &ColumnRef) -> Option<ColumnId> {
        self.schema.column(self.catalog, reference)
    }

    /// Best reading of a mention.
    pub(super) fn target(&self, at: usize) -> Option<Target> {
        self.mentions.get(at)?.readings.first().map(|reading| reading.target.clone())
    }

    /// Column that a mention means; several that fit equally are decided on.
    pub(super) fn column(&mut self, at: usize, head: Option<TableId>) -> Result<ColumnId, Failure> {
        let columns = self.fitting(at, head)?;
        Ok(self.chosen(at, &columns, false).first().copied().unwrap_or(columns[0]))
    }

    /// Columns that a mention asks to show: one of those that fit, or all of them.
    pub(super) fn shown_columns(
        &mut self,
        at: usize,
        head: Option<TableId>,
    ) -> Result<Vec<ColumnId>, Failure> {
        let columns = self.fitting(at, head)?;
        Ok(self.chosen(at, &columns, true))
    }

    /// Columns that fit the words of a mention alike, at least one.
    fn fitting(&self, at: usize, head: Option<TableId>) -> Result<Vec<ColumnId>, Failure> {
        let readings =
            self.mentions.get(at).map(|mention| mention.readings.clone()).unwrap_or_default();
        let columns: Vec<(f64, ColumnId)> = readings
            .iter()
            .filter_map(|reading| match &reading.target {
                Target::Column(column) => Some((reading.score, *column)),
                Target::Label(table) => {
                    self.schema.profile(*table).label.first().map(|column| (reading.score, *column))
                }
                _ => None,
            })
            .collect();
        let columns = self.of_own_rows(columns, at);
        let Some((best, first)) = columns.first().copied() else {
            return Err(self.fail(
                FailureCode::NotAColumn,
                format!("“{}” is not a column", self.phrase(at)),
                "name a column of this data",
                Some(at),
            ));
        };
        let whole = readings
            .iter()
            .find(|reading| reading.target == Target::Column(first))
            .is_some_and(|reading| reading.method.is_whole());
        let data_type = |column: ColumnId| self.catalog.column_at(column).data_type;
        let alike = |column: ColumnId| {
            !whole && column.table == first.table && data_type(column) == data_type(first)
        };
        let mut rivals: Vec<ColumnId> = columns
            .iter()
            .filter(|(score, column)| {
                let gap = if alike(*column) { ALIKE_GAP } else { self.settings.rival_gap };
                best - score < gap
                    && (!self.schema.profile(column.table).is_view
                        || self.schema.profile(first.table).is_view)
            })
            .map(|(_, column)| *column)
            .collect();
        // A name of several words that the question has whole is meant; one word may be said of a twin too.
        let several = words_of_identifier(&self.catalog.column_at(first).name).len() > 1;
        let told = whole && several;
        let twins = self.schema.twin_columns(first).iter().copied();
        let twins = twins.filter(|twin| !told && !rivals.contains(twin));
        rivals.extend(twins.collect::<Vec<_>>());
        self.keep_of_mentioned(&mut rivals, at);
        self.keep_nearest(&mut rivals, at);
        self.drop_references(&mut rivals);
        let mut seen = Vec::new();
        rivals.retain(|column| {
            let new = !seen.contains(column);
            seen.push(*column);
            new
        });
        if rivals.len() > 1
            && let Some(head) = head
            && rivals.iter().any(|column| column.table == head)
            && best > 1.2
        {
            rivals.retain(|column| column.table == head);
        }
        Ok(if rivals.is_empty() { vec![first] } else { rivals })
    }

    /// Of columns in several tables, those of the tables that the question names, where there are any.
    fn keep_of_mentioned(&self, rivals: &mut Vec<ColumnId>, at: usize) {
        let named = |column: &ColumnId| {
            self.mentions.iter().enumerate().any(|(other, mention)| {
                other != at
                    && mention.readings.first().is_some_and(|first| match &first.target {
                        Target::Table(table) | Target::Label(table) => *table == column.table,
                        // "invoice value" names the invoices too.
                        Target::Column(known) => {
                            known.table == column.table && names_worth(&mention.phrase)
                        }
                        _ => false,
                    })
            })
        };
        if rivals.iter().any(named) {
            rivals.retain(named);
        }
    }

    /// "average area of the village stores": the columns of the rows that the stored value behind "of" is of, if any.
    fn of_own_rows(&self, mut columns: Vec<(f64, ColumnId)>, at: usize) -> Vec<(f64, ColumnId)> {
        let named = self.rows_named_behind(at);
        if columns.iter().any(|(_, column)| named.contains(&column.table)) {
            columns.retain(|(_, column)| named.contains(&column.table));
        } else if let Some(value) = self.value_behind_of(at)
            && columns.iter().any(|(_, column)| column.table == value.table)
        {
            columns.retain(|(_, column)| column.table == value.table);
        }
        columns
    }

    /// Column of the stored value that is the first thing behind "of" after a mention.
    fn value_behind_of(&self, at: usize) -> Option<ColumnId> {
        match self.target(self.behind_of(at)?) {
            Some(Target::Value(column, _)) => Some(column),
            _ => None,
        }
    }

    /// The first tied mention behind "of", where that stands right behind a mention.
    fn behind_of(&self, at: usize) -> Option<usize> {
        let of = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Of));
        let mut behind = (at + 1..self.mentions.len()).filter(|_| of);
        behind.find(|behind| self.target(*behind).is_some())
    }

    /// Tables with a row whose name is the value behind "of": "population of Texas".
    fn rows_named_behind(&self, at: usize) -> Vec<TableId> {
        let readings = self.behind_of(at).map_or(&[][..], |value| &self.mentions[value].readings);
        let whole = readings.iter().filter(|reading| reading.method.is_stored_whole());
        let named = whole.filter_map(|reading| match &reading.target {
            Target::Value(column, _) if self.names_rows(*column) => Some(column.table),
            _ => None,
        });
        named.collect()
    }

    /// The only table with a column that a mention means and a row that is named behind it.
    pub(super) fn table_named_behind(&self, at: usize) -> Option<TableId> {
        let named = self.rows_named_behind(at);
        let readings = &self.mentions.get(at)?.readings;
        let mut tables = readings.iter().filter_map(|reading| match reading.target {
            Target::Column(column) => Some(column.table).filter(|table| named.contains(table)),
            _ => None,
        });
        let first = tables.next()?;
        tables.all(|table| table == first).then_some(first)
    }

    /// Whether a column alone names the rows of its table.
    pub(super) fn names_rows(&self, column: ColumnId) -> bool {
        self.schema.profile(column.table).label == [column]
    }

    /// Tables that have the column asked for of a value: "population of Texas".
    pub(super) fn tables_asked_of(&self, value: usize) -> Vec<TableId> {
        let asked = (0..value).filter(|at| self.behind_of(*at) == Some(value));
        let readings = asked.flat_map(|at| &self.mentions[at].readings);
        let columns = readings.filter_map(|reading| match &reading.target {
            Target::Column(column) => Some(column.table),
            _ => None,
        });
        columns.collect()
    }

    /// "price of condiments": of columns in several tables, that of the rows nearest to the stored value behind "of".
    fn keep_nearest(&self, rivals: &mut Vec<ColumnId>, at: usize) {
        let Some(value) = self.value_behind_of(at) else { return };
        let far = |column: &ColumnId| {
            self.schema.distance(column.table, value.table).map_or(usize::MAX, |(joins, _)| joins)
        };
        let nearest = rivals.iter().map(far).min().unwrap_or_default();
        if rivals.iter().filter(|column| far(column) == nearest).count() == 1 {
            rivals.retain(|column| far(column) == nearest);
        }
    }

    /// Leaves out columns that a foreign key makes hold the same as the one that fits best.
    fn drop_references(&self, rivals: &mut Vec<ColumnId>) {
        let Some(first) = rivals.first().copied() else { return };
        let twins = self.schema.twin_tables(first.table);
        rivals.retain(|column| {
            *column == first || twins.contains(&column.table) || !self.refers(first, *column)
        });
    }

    /// Whether a foreign key of one column each ties two columns.
    pub(super) fn refers(&self, one: ColumnId, other: ColumnId) -> bool {
        self.schema.edges(one.table).iter().any(|edge| {
            edge.to == other.table
                && edge.from_columns == [one.column]
                && edge.to_columns == [other.column]
        })
    }

    /// The column meant among several that fit alike; `whole` offers all of them too.
    fn chosen(&mut self, at: usize, columns: &[ColumnId], whole: bool) -> Vec<ColumnId> {
        if columns.len() < 2 {
            return columns.to_vec();
        }
        let offered: Vec<ColumnId> =
            columns.iter().copied().take(OPTIONS - usize::from(whole)).collect();
        let mut options = self.column_options(&offered);
        if whole {
            options.push(self.columns_option(&offered));
        }
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Column,
            severity: if self.is_told(at) { Severity::Minor } else { Severity::Important },
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "several columns fit these words".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Column { column } => self.column_id(&column).into_iter().collect(),
            OptionBinding::Columns { columns } => {
                columns.iter().filter_map(|column| self.column_id(column)).collect()
            }
            _ => vec![columns[0]],
        }
    }

    /// Whether a word for what rows are worth means a total rather than the parts that fit it too.
    fn is_told(&self, at: usize) -> bool {
        let readings = self.mentions.get(at).map_or(&[][..], |mention| &mention.readings);
        match readings {
            [first, second, ..] => {
                first.method == Method::Head
                    && second.method == Method::Head
                    && first.score - second.score >= self.settings.rival_gap
            }
            _ => false,
        }
    }
}
