//! Ages: a number of years compared with a date of birth.

use super::context::{Composer, Failure};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::day::{self, Date};
use crate::failure::FailureCode;
use crate::intent::{Comparison, DateRange, Literal, Predicate};
use crate::linking::{ColumnId, Named, TableId};

impl Composer<'_> {
    /// Whether a bare number may be an age: the table holds a date of birth, and nothing else is named.
    pub(super) fn may_be_age(
        &self,
        head: TableId,
        unit: Option<&str>,
        roles: &[Role],
        at: usize,
    ) -> bool {
        let years = unit.is_none_or(|unit| unit.to_lowercase().starts_with("year"));
        let aged = roles.is_empty() || roles.contains(&Role::Age);
        let plain = self.mentions.get(at).and_then(|mention| mention.number.as_ref()).is_some_and(
            |number| {
                number.currency.is_none()
                    && !number.percent
                    && (1.0..=120.0).contains(&number.number)
            },
        );
        years
            && aged
            && plain
            && self.birth_date(head).is_some()
            && self.of_role(head, Role::Age).is_none()
    }

    pub(super) fn of_role(&self, table: TableId, role: Role) -> Option<ColumnId> {
        (0..self.catalog.table_at(table).columns.len())
            .map(|column| ColumnId { table, column: column as u16 })
            .find(|column| self.schema.has_role(*column, role))
    }

    pub(super) fn birth_date(&self, table: TableId) -> Option<ColumnId> {
        self.of_role(table, Role::BirthDate)
            .filter(|column| self.catalog.column_at(*column).data_type.is_temporal())
    }

    /// Condition on the date of birth; where numbers of the table could be meant as well, by decision.
    pub(super) fn age(
        &mut self,
        head: TableId,
        operator: Comparison,
        value: &str,
        at: usize,
    ) -> Result<(TableId, Predicate), Failure> {
        let (Some(birth), Ok(years)) = (self.birth_date(head), value.parse::<f64>()) else {
            return Err(self.fail(
                FailureCode::NothingToCompare,
                format!("it is not clear what is compared with {}", self.phrase(at)),
                "name a column with numbers",
                Some(at),
            ));
        };
        let predicate = Predicate::InRange {
            column: self.catalog.reference(birth),
            range: self.born(operator, years as i32),
        };
        let aged = self.mentions[..at].last().is_some_and(|before| {
            let phrase = before.phrase.to_lowercase();
            phrase.starts_with("older") || phrase.starts_with("younger")
        });
        let mut options = vec![ClarificationOption {
            id: "age".to_owned(),
            label: "age in years".to_owned(),
            description: format!("from the {}", self.column_words(birth)),
            binding: OptionBinding::Predicate { predicate: predicate.clone() },
            confidence: None,
        }];
        let numbers = (0..self.catalog.table_at(head).columns.len())
            .map(|column| ColumnId { table: head, column: column as u16 })
            .filter(|column| {
                self.catalog.column_at(*column).data_type.is_numeric()
                    && !self.schema.has_role(*column, Role::Identifier)
                    && !self.schema.profile(head).primary_key.contains(column)
                    && !self.is_foreign(*column)
                    && self.may_hold(*column, value)
            });
        options.extend(numbers.take(4).map(|column| ClarificationOption {
            id: self.catalog.column_at(column).name.clone(),
            label: self.column_words(column),
            description: self.catalog.column_at(column).description.clone(),
            binding: OptionBinding::Predicate {
                predicate: Predicate::Compare {
                    left: self.column_expression(column),
                    operator,
                    right: Literal::Number { value: value.to_owned() },
                },
            },
            confidence: None,
        }));
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Column,
            severity: if aged || options.len() == 1 {
                Severity::Minor
            } else {
                Severity::Important
            },
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::AppliesTo,
            reason: "the question does not say which number is compared".to_owned(),
            options,
            recommended: Some(0),
            custom: None,
        });
        let OptionBinding::Predicate { predicate } = chosen else { return Ok((head, predicate)) };
        Ok((head, predicate))
    }

    /// Whether a number lies between the least and the greatest value of a column, or these are not known.
    fn may_hold(&self, column: ColumnId, value: &str) -> bool {
        let definition = self.catalog.column_at(column);
        let number =
            |text: &Option<String>| text.as_ref().and_then(|text| text.parse::<f64>().ok());
        let (Ok(value), Some(least), Some(greatest)) =
            (value.parse::<f64>(), number(&definition.minimum), number(&definition.maximum))
        else {
            return true;
        };
        (least..=greatest).contains(&value)
    }

    /// Days of birth that make an age: "over 65" is born before this day 65 years ago.
    fn born(&self, operator: Comparison, years: i32) -> DateRange {
        let ago =
            |years: i32| day::plus_months(self.today, -12 * i64::from(years)).unwrap_or(self.today);
        let text = |date: Date| Some(day::text(date));
        let after = |date: Date| day::plus_days(date, 1).unwrap_or(date);
        match operator {
            Comparison::Greater => DateRange { start: None, end: text(ago(years)) },
            Comparison::GreaterOrEqual => DateRange { start: None, end: text(after(ago(years))) },
            Comparison::Less => DateRange { start: text(after(ago(years))), end: None },
            Comparison::LessOrEqual => DateRange { start: text(after(ago(years + 1))), end: None },
            Comparison::Equal | Comparison::NotEqual => {
                DateRange { start: text(after(ago(years + 1))), end: text(after(ago(years))) }
            }
        }
    }
}
