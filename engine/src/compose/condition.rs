//! Conditions of a frame as predicates on columns.

use super::columns::Sides;
use super::context::{Composer, Failure};
use super::row::OtherRow;
use crate::catalog::DataType;
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Comparison, Expression, JoinStep, Literal, Predicate, TextMatch};
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};
use crate::reading::Condition;

impl Composer<'_> {
    /// Predicate of a condition on rows, with the table it is about; one of several numbers is told for each of them.
    pub(super) fn condition(
        &mut self,
        condition: &Condition,
        head: TableId,
    ) -> Result<Option<(TableId, Predicate)>, Failure> {
        let several = match condition {
            Condition::Compare { at, .. } | Condition::Key { at, .. } => {
                self.mentions[*at].or_numbers.clone()
            }
            _ => Vec::new(),
        };
        let Some((rows, first)) = self.of_one_number(condition, head)? else { return Ok(None) };
        if several.is_empty() {
            return Ok(Some((rows, first)));
        }
        let mut conditions = vec![first];
        for number in several {
            let mut other = condition.clone();
            if let Condition::Compare { value, .. } | Condition::Key { value, .. } = &mut other {
                *value = number;
            }
            conditions.extend(self.of_one_number(&other, head)?.map(|(_, predicate)| predicate));
        }
        let denied = matches!(condition, Condition::Compare { operator: Comparison::NotEqual, .. });
        let all =
            if denied { Predicate::All { conditions } } else { Predicate::Any { conditions } };
        Ok(Some((rows, all)))
    }

    /// Rows that have the same values in some columns as a named row of their table.
    fn shared_with_row(
        &mut self,
        table: TableId,
        columns: &[ColumnId],
        values: &[usize],
    ) -> Result<Predicate, Failure> {
        let key = self.schema.profile(table).key.clone();
        let names: Vec<String> =
            columns.iter().map(|column| self.catalog.reference(*column).column).collect();
        let step = JoinStep {
            from_table: key.clone(),
            from_columns: names.clone(),
            to_table: key,
            to_columns: names,
            outer: false,
        };
        let conditions = self.values_of_row(table, values)?;
        Ok(Predicate::Exists { joins: vec![step], conditions, negated: false })
    }

    /// Predicate of a condition with one number.
    fn of_one_number(
        &mut self,
        condition: &Condition,
        head: TableId,
    ) -> Result<Option<(TableId, Predicate)>, Failure> {
        let found = match condition {
            Condition::Compare { column: None, operator, value, at, unit, roles } => {
                let unit = unit.as_deref();
                let rows = self.compared_rows(*at, roles, head);
                if self.may_be_age(rows, unit, roles, *at) {
                    self.age(rows, *operator, value, *at)?
                } else {
                    let column = self.compared_column(rows, (Some(value), unit), roles, *at)?;
                    self.compare(column, *operator, (value, unit), *at)?
                }
            }
            Condition::Compare { column: Some(column), operator, value, unit, .. }
                if self.is_duration(*column) =>
            {
                self.compare_duration(*column, *operator, (value, unit.as_deref()), head)?
            }
            Condition::Compare { column: Some(column), operator, value, at, unit, .. } => {
                let column = self.column(*column, Some(head))?;
                self.compare(column, *operator, (value, unit.as_deref()), *at)?
            }
            Condition::Bound { column, operator, at } => {
                return self.bound(head, *column, *operator, *at);
            }
            Condition::Figure { column, operator, function, at, roles, same, .. } => {
                let same = same.as_ref().map(|(columns, _)| columns.as_slice()).unwrap_or_default();
                let same = same.iter().map(|column| self.catalog.reference(*column)).collect();
                self.against_figure(head, (*column, roles), (*operator, *function), same, *at)?
            }
            Condition::Extreme { table, column, roles, highest, at } => {
                self.extreme_row(*table, (*column, roles), *highest, *at)?
            }
            Condition::Row { column, operator, values, parent, at, roles } => {
                let other = OtherRow { values, parent: parent.map(|(key, _)| key) };
                self.against_row(head, (*column, roles), *operator, other, *at)?
            }
            Condition::Columns { column, operator, than, parent, at } => {
                let parent = parent.map(|(key, _)| key);
                let sides = Sides { column: *column, than: *than, parent, at: *at };
                self.against_column(head, sides, *operator)?
            }
            Condition::Dates { at, than, operator } => {
                self.compare_dates(*at, *than, *operator, head)?
            }
            Condition::End { table, last, range, at, .. } => {
                self.end_within(head, *table, (*last, range), *at)?
            }
            Condition::Set { at, negated } => self.set(*at, *negated, head)?,
            Condition::Null { at, negated } => {
                let column = self.column(*at, Some(head))?;
                let (table, column) = (column.table, self.catalog.reference(column));
                (table, Predicate::IsNull { column, negated: *negated })
            }
            Condition::Key { table, value, at } => self.key(*table, value, *at)?,
            Condition::Paired { pair, values, negated, .. } => {
                self.paired(*pair, values, *negated)?
            }
            Condition::Parent { key, at, values, negated, of_child } => {
                self.of_parent((*key, *at), values, (*negated, *of_child))?
            }
            Condition::Same { table, columns, values, negated, .. } => {
                let exists = self.shared_with_row(*table, columns, values)?;
                (*table, negate(exists, *negated))
            }
            Condition::Shared { column, than, negated, .. } => {
                let (own, other) = (self.catalog.reference(*column), self.catalog.reference(*than));
                let step = JoinStep {
                    from_table: own.table,
                    from_columns: vec![own.column],
                    to_table: other.table,
                    to_columns: vec![other.column],
                    outer: false,
                };
                let exists = Predicate::Exists {
                    joins: vec![step],
                    conditions: Vec::new(),
                    negated: *negated,
                };
                (column.table, exists)
            }
            Condition::Text { column, matching: None, text, negated, .. }
                if let Some((table, person)) = self.person_named(*column, text, head) =>
            {
                (table, negate(person, *negated))
            }
            Condition::Text { column, matching, text, at, negated } => {
                let column = self.column_of_text(*column, text, *at, head)?;
                let predicate = self.text(column, *matching, text);
                (column.table, negate(predicate, *negated))
            }
            Condition::Values { at, negated, hint } => {
                return self.values(at, *negated, *hint, head);
            }
            Condition::CountOf { .. } | Condition::Measure { .. } => return Ok(None),
        };
        Ok(Some(found))
    }

    /// A column compared with a number; texts are compared with what the number stands for in them.
    fn compare(
        &mut self,
        column: ColumnId,
        operator: Comparison,
        (value, unit): (&str, Option<&str>),
        at: usize,
    ) -> Result<(TableId, Predicate), Failure> {
        if self.catalog.column_at(column).data_type == DataType::Text {
            return self.compare_text(column, operator, value, at);
        }
        let right = Literal::Number { value: self.converted(column, value, unit) };
        let left = self.column_expression(column);
        Ok((column.table, Predicate::Compare { left, operator, right }))
    }

    /// A column of texts that equals a number, or one of its texts that are this number with a unit.
    fn compare_text(
        &mut self,
        column: ColumnId,
        operator: Comparison,
        value: &str,
        at: usize,
    ) -> Result<(TableId, Predicate), Failure> {
        if !matches!(operator, Comparison::Equal | Comparison::NotEqual) {
            let message = format!(
                "{} contains text and cannot be compared with {value}",
                self.column_words(column)
            );
            return Err(self.fail(
                FailureCode::NotANumber,
                message,
                "name a column with numbers",
                Some(at),
            ));
        }
        let values = self.amounts(column, value);
        if values.is_empty() {
            let right = Literal::Text { value: value.to_owned() };
            let left = self.column_expression(column);
            return Ok((column.table, Predicate::Compare { left, operator, right }));
        }
        let predicate = Predicate::OneOf { column: self.catalog.reference(column), values };
        Ok((column.table, negate(predicate, operator == Comparison::NotEqual)))
    }

    /// A duration, or an age, compared with a number.
    fn compare_duration(
        &mut self,
        at: usize,
        operator: Comparison,
        (value, unit): (&str, Option<&str>),
        head: TableId,
    ) -> Result<(TableId, Predicate), Failure> {
        let days = self.duration(at, Some(head))?;
        let aged = matches!(days.expression, Expression::Age { .. });
        let unit = unit.filter(|_| !aged);
        let right = Literal::Number { value: self.in_days(value, unit) };
        Ok((days.fact, Predicate::Compare { left: days.expression, operator, right }))
    }

    /// A date that is later or earlier than another of its table.
    fn compare_dates(
        &mut self,
        at: usize,
        than: usize,
        operator: Comparison,
        head: TableId,
    ) -> Result<(TableId, Predicate), Failure> {
        let date = match self.only_date(at, head) {
            Some(date) => date,
            None => self.column(at, Some(head))?,
        };
        let than = self.column(than, Some(head))?;
        if date.table != than.table {
            return Err(self.fail(
                FailureCode::NotComposable,
                "dates of different tables cannot be compared".to_owned(),
                "name two dates of one table",
                Some(at),
            ));
        }
        let (from, to) = (self.catalog.reference(than), self.catalog.reference(date));
        let left = Expression::Days { from, to };
        let right = Literal::Number { value: "0".to_owned() };
        Ok((date.table, Predicate::Compare { left, operator, right }))
    }

    /// A flag that is set, or a column that holds something; or neither.
    pub(super) fn set(
        &mut self,
        at: usize,
        negated: bool,
        head: TableId,
    ) -> Result<(TableId, Predicate), Failure> {
        let column = self.column(at, Some(head))?;
        let predicate = if self.catalog.column_at(column).is_flag() {
            self.flag(column, !negated)
        } else if let Some(end) = self.end_of_what_lasts(column).filter(|_| !negated) {
            Predicate::IsNull { column: self.catalog.reference(end), negated: false }
        } else {
            Predicate::IsNull { column: self.catalog.reference(column), negated: !negated }
        };
        Ok((column.table, predicate))
    }

    /// "Currently admitted": the empty date that ends what a date starts, where the question says that it lasts.
    fn end_of_what_lasts(&self, start: ColumnId) -> Option<ColumnId> {
        let lasts = self.mentions.iter().any(|mention| mention.is(Lexical::Present));
        let ends = |column: &ColumnId| {
            [Role::ClosedDate, Role::EndDate]
                .iter()
                .any(|role| self.schema.has_role(*column, *role))
        };
        let temporal = self.catalog.column_at(start).data_type.is_temporal();
        if !lasts || !temporal || ends(&start) {
            return None;
        }
        let columns = self.schema.profile(start.table).dates.iter().copied();
        let mut found =
            columns.filter(|column| ends(column) && self.catalog.column_at(*column).nullable);
        found.next().filter(|_| found.next().is_none())
    }

    /// A flag that is set, or is not, whatever its type.
    pub(super) fn flag(&self, column: ColumnId, value: bool) -> Predicate {
        let definition = self.catalog.column_at(column);
        let reference = self.catalog.reference(column);
        match definition.flag_text(value) {
            Some(text) if definition.data_type == DataType::Text => {
                Predicate::OneOf { column: reference, values: vec![text.to_owned()] }
            }
            _ => Predicate::Compare {
                left: Expression::Column { column: reference },
                operator: Comparison::Equal,
                right: Literal::Boolean { value },
            },
        }
    }

    /// Column that a text is looked for in: the one named, else the name of the rows.
    fn column_of_text(
        &mut self,
        column: Option<usize>,
        text: &str,
        at: usize,
        head: TableId,
    ) -> Result<ColumnId, Failure> {
        let named = column.and_then(|column| self.mentions.get(column)?.readings.first());
        let rows = match named.map(|reading| &reading.target) {
            Some(Target::Table(table)) => Some(*table),
            Some(_) => None,
            None => Some(head),
        };
        match (rows, column) {
            (None, Some(column)) => self.column(column, Some(head)),
            (rows, _) => self.name_of(rows.unwrap_or(head), text, at),
        }
    }

    /// Column that names the rows of a table, which a text in quotes is looked for in.
    fn name_of(&self, table: TableId, text: &str, at: usize) -> Result<ColumnId, Failure> {
        self.schema.profile(table).label.first().copied().ok_or_else(|| {
            let rows = self.table_rows(table);
            let message = format!("{rows} have no name that “{text}” could be");
            self.fail(FailureCode::NoTextColumn, message, "name the column", Some(at))
        })
    }

    /// A column that contains, starts or ends with a text, or equals it.
    fn text(&self, column: ColumnId, matching: Option<TextMatch>, text: &str) -> Predicate {
        let column = self.catalog.reference(column);
        let text = text.to_owned();
        match matching {
            Some(matching) => Predicate::Text { column, matching, text },
            None => Predicate::Compare {
                left: Expression::Column { column },
                operator: Comparison::Equal,
                right: Literal::Text { value: text },
            },
        }
    }

    /// The row of a table with this key.
    fn key(
        &mut self,
        table: TableId,
        value: &str,
        at: usize,
    ) -> Result<(TableId, Predicate), Failure> {
        let [key] = self.schema.profile(table).primary_key.as_slice() else {
            return Err(self.fail(
                FailureCode::NoSingleKey,
                format!("{} are not numbered", self.table_rows(table)),
                "name the column that the number belongs to",
                Some(at),
            ));
        };
        let numeric = self.catalog.column_at(*key).data_type.is_numeric();
        let right = if numeric {
            Literal::Number { value: value.to_owned() }
        } else {
            Literal::Text { value: value.to_owned() }
        };
        let left = self.column_expression(*key);
        Ok((table, Predicate::Compare { left, operator: Comparison::Equal, right }))
    }
}

/// The predicate, or its negation.
pub(super) fn negate(predicate: Predicate, negated: bool) -> Predicate {
    match predicate {
        predicate if !negated => predicate,
        Predicate::IsNull { column, negated } => Predicate::IsNull { column, negated: !negated },
        predicate => Predicate::Not { condition: Box::new(predicate) },
    }
}
