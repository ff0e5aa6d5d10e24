//! Columns that a number is compared with where the question names none, and the units of numbers.

use super::context::{Composer, Failure};
use crate::data::Role;
use crate::failure::FailureCode;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};
use crate::text::{numbers, tokenize};

impl Composer<'_> {
    /// Table that is named right before a comparison, else the one asked about: "wounds of patients over 65". Where only
    /// the rows asked about have such a number, it is theirs: "employees of a department who earn less than 3000".
    pub(super) fn compared_rows(&self, number: usize, roles: &[Role], head: TableId) -> TableId {
        let before = (0..number).rev().find(|&before| match self.mentions.get(before) {
            Some(mention) => mention.lexical.is_empty() || self.target(before).is_some(),
            None => false,
        });
        // What stands behind several things is said of each.
        let listed = |before: usize| {
            let joins = [Lexical::And, Lexical::Also, Lexical::List, Lexical::Or];
            let mut words = self.mentions[..before].iter().rev();
            let word =
                words.find(|mention| !mention.is(Lexical::Filler) || mention.is(Lexical::Also));
            word.is_some_and(|word| joins.iter().any(|kind| word.is(*kind)))
        };
        match before.and_then(|before| Some((before, self.target(before)?))) {
            Some((before, Target::Table(table)))
                if !listed(before)
                    && (self.has_roles(table, roles) || !self.has_roles(head, roles)) =>
            {
                table
            }
            _ => head,
        }
    }

    /// Whether rows have a number of one of the roles, of any where none is named.
    fn has_roles(&self, table: TableId, roles: &[Role]) -> bool {
        roles.is_empty()
            || self
                .comparable_columns(table)
                .iter()
                .any(|column| roles.iter().any(|role| self.schema.has_role(*column, *role)))
    }

    /// Column that a number without a column is compared with.
    pub(super) fn compared_column(
        &mut self,
        head: TableId,
        (value, unit): (Option<&str>, Option<&str>),
        roles: &[Role],
        at: usize,
    ) -> Result<ColumnId, Failure> {
        let columns = self.comparable_columns(head);
        let fitting = match unit {
            Some(unit) => self.columns_of_unit(&columns, unit, head, at)?,
            None => self.columns_of_roles(columns, roles, head, at)?,
        };
        let measures = self.schema.profile(head).measures.clone();
        let ordered: Vec<ColumnId> = measures
            .iter()
            .copied()
            .filter(|column| fitting.contains(column))
            .chain(fitting.iter().copied().filter(|column| !measures.contains(column)))
            .collect();
        match ordered.as_slice() {
            [] => Err(self.fail(
                FailureCode::NothingToCompare,
                format!("it is not clear what is compared with {}", self.phrase(at)),
                "name a column with numbers",
                Some(at),
            )),
            [one] => Ok(*one),
            several => {
                let value = value.filter(|_| unit.is_none());
                let only = self.only_total(several, at);
                if let Some(only) = only.or_else(|| self.only_within(several, value?, at)) {
                    return Ok(only);
                }
                let reason = "the question does not say which number is compared".to_owned();
                Ok(self.choose_column(several, at, reason).unwrap_or(several[0]))
            }
        }
    }

    /// Tables in which the rows of a table have one row each with the same key: the people that gymnasts are.
    pub(super) fn same_rows(&self, table: TableId) -> Vec<TableId> {
        let key: Vec<u16> =
            self.schema.profile(table).primary_key.iter().map(|column| column.column).collect();
        let edges = self.schema.edges(table).iter();
        edges
            .filter(|edge| {
                edge.forward && edge.to_one && !key.is_empty() && edge.from_columns == key
            })
            .map(|edge| edge.to)
            .collect()
    }

    /// Columns of a table with numbers that are no keys.
    fn comparable_columns(&self, table: TableId) -> Vec<ColumnId> {
        (0..self.catalog.table_at(table).columns.len())
            .map(|column| ColumnId { table, column: column as u16 })
            .filter(|column| {
                self.catalog.column_at(*column).data_type.is_numeric()
                    && !self.schema.has_role(*column, Role::Identifier)
                    && !self.schema.profile(table).primary_key.contains(column)
                    && !self.is_foreign(*column)
            })
            .collect()
    }

    /// Columns measured in a unit that the one named converts to; money also in prices without a unit.
    fn columns_of_unit(
        &self,
        columns: &[ColumnId],
        unit: &str,
        head: TableId,
        at: usize,
    ) -> Result<Vec<ColumnId>, Failure> {
        let money = ["usd", "eur", "gbp"]
            .iter()
            .any(|currency| self.units.factor(unit, currency).is_some());
        let priced = [Role::Amount, Role::Price, Role::Cost];
        let of_unit = |column: &ColumnId| {
            self.unit_of(*column).map_or_else(
                || money && priced.iter().any(|role| self.schema.has_role(*column, *role)),
                |own| self.units.factor(unit, &own).is_some(),
            )
        };
        let fitting: Vec<ColumnId> = columns.iter().copied().filter(of_unit).collect();
        if fitting.is_empty() {
            return Err(self.fail(
                FailureCode::NoSuchUnit,
                format!("{} have no column measured in {unit}", self.table_rows(head)),
                "name the column that is compared",
                Some(at),
            ));
        }
        Ok(fitting)
    }

    /// Columns with one of the roles, or all where none has.
    fn columns_of_roles(
        &self,
        columns: Vec<ColumnId>,
        roles: &[Role],
        head: TableId,
        at: usize,
    ) -> Result<Vec<ColumnId>, Failure> {
        let of_role =
            |column: &ColumnId| roles.iter().any(|role| self.schema.has_role(*column, *role));
        let fitting: Vec<ColumnId> = columns.iter().copied().filter(of_role).collect();
        if !roles.is_empty() && fitting.is_empty() {
            let same = self.same_rows(head).into_iter();
            let fitting: Vec<ColumnId> =
                same.flat_map(|table| self.comparable_columns(table)).filter(of_role).collect();
            if !fitting.is_empty() {
                return Ok(fitting);
            }
        }
        if !roles.is_empty() && fitting.is_empty() && columns.len() < 2 {
            return Err(self.fail(
                FailureCode::NothingToCompare,
                format!("{} have no such number", self.table_rows(head)),
                "name the column that is compared",
                Some(at),
            ));
        }
        Ok(if fitting.is_empty() { columns } else { fitting })
    }

    /// The only total among amounts of one row, taken as the amount meant: "invoices over 2000".
    fn only_total(&mut self, columns: &[ColumnId], at: usize) -> Option<ColumnId> {
        let amounts = columns.iter().all(|column| self.schema.has_role(*column, Role::Amount));
        let total =
            |column: &&ColumnId| self.schema.words_of(**column).iter().any(|word| word == "total");
        let mut totals = columns.iter().filter(total);
        let only = totals.next().copied().filter(|_| totals.next().is_none() && amounts)?;
        let rest = columns.iter().copied().filter(|column| *column != only);
        let offered: Vec<ColumnId> = std::iter::once(only).chain(rest).collect();
        let reason = "the question does not say which amount is compared".to_owned();
        self.assume_column(&offered, at, reason)
    }

    /// The only column with stored numbers on both sides of a value: "technicians under 35", who started in 2002 to 2016
    /// and are 28 to 47 years old.
    fn only_within(&mut self, columns: &[ColumnId], value: &str, at: usize) -> Option<ColumnId> {
        let value: f64 = value.parse().ok()?;
        let bound = |text: &Option<String>| text.as_ref()?.parse::<f64>().ok();
        let bounds = |column: &ColumnId| {
            let definition = self.catalog.column_at(*column);
            Some((bound(&definition.minimum)?, bound(&definition.maximum)?))
        };
        let known: Option<Vec<(f64, f64)>> = columns.iter().map(bounds).collect();
        let mut within = known?
            .into_iter()
            .zip(columns)
            .filter(|((least, most), _)| *least < value && value < *most);
        let only = within.next().filter(|_| within.next().is_none()).map(|(_, column)| *column)?;
        let rest = columns.iter().copied().filter(|column| *column != only);
        let offered: Vec<ColumnId> = std::iter::once(only).chain(rest).collect();
        let reason = "the other numbers are never near it".to_owned();
        self.assume_column(&offered, at, reason)
    }

    /// Whether a column refers to another table.
    pub(super) fn is_foreign(&self, column: ColumnId) -> bool {
        let key = self.schema.profile(column.table).key.as_str();
        let name = self.catalog.column_at(column).name.as_str();
        self.catalog.foreign_keys.iter().any(|foreign| {
            foreign.from_table == key && foreign.from_columns.iter().any(|column| column == name)
        })
    }

    /// Stored texts of a column that are this number in words or with a unit: "20 million USD".
    pub(super) fn amounts(&self, column: ColumnId, number: &str) -> Vec<String> {
        let listed = self.catalog.column_at(column).values.iter().flat_map(|list| &list.values);
        let is_it = |text: &&String| {
            let found = numbers(&tokenize(text));
            matches!(found.as_slice(), [only] if only.value == number && !only.weak && !only.ordinal)
        };
        listed.filter(is_it).cloned().collect()
    }

    fn unit_of(&self, column: ColumnId) -> Option<String> {
        self.units.of_column(self.catalog.column_at(column))
    }

    /// A number in the unit of the column it is compared with.
    pub(super) fn converted(&self, column: ColumnId, value: &str, unit: Option<&str>) -> String {
        let factor = unit.and_then(|unit| self.units.factor(unit, &self.unit_of(column)?));
        times(factor, value)
    }

    /// A number of days.
    pub(super) fn in_days(&self, value: &str, unit: Option<&str>) -> String {
        times(unit.and_then(|unit| self.units.factor(unit, "days")), value)
    }
}

/// A number in another unit.
fn times(factor: Option<f64>, value: &str) -> String {
    match (factor, value.parse::<f64>()) {
        (Some(factor), Ok(number)) if (factor - 1.0).abs() > f64::EPSILON => {
            crate::intent::decimal(number * factor)
        }
        _ => value.to_owned(),
    }
}
