//! The condition that an option of a vague term stands for.

use super::context::Composer;
use crate::catalog::{Coverage, DataType};
use crate::clarification::OptionBinding;
use crate::day::{self, Date};
use crate::dictionary::Definition;
use crate::intent::{Aggregate, Comparison, DateRange, Expression, Literal, Predicate};
use crate::linking::{ColumnId, Named};
use crate::text::fold;

impl Composer<'_> {
    /// Those of the values that the column stores, as stored; all of them where not every stored value is listed.
    pub(super) fn stored_of(&self, column: ColumnId, values: &[String]) -> Vec<String> {
        let Some(listed) = &self.catalog.column_at(column).values else { return values.to_vec() };
        let meant: Vec<String> = values.iter().map(|value| fold(value)).collect();
        let stored: Vec<String> =
            listed.values.iter().filter(|value| meant.contains(&fold(value))).cloned().collect();
        match listed.coverage {
            Coverage::Partial if stored.is_empty() => values.to_vec(),
            Coverage::Complete | Coverage::Partial => stored,
        }
    }

    pub(super) fn definition(
        &self,
        definition: &Definition,
        column: ColumnId,
    ) -> Option<OptionBinding> {
        let reference = self.catalog.reference(column);
        let data_type = self.catalog.column_at(column).data_type;
        let dated = data_type.is_temporal();
        let numeric = data_type.is_numeric();
        let day = |days: i64| day::plus_days(self.today, days);
        let range = |start: Option<Date>, end: Option<Date>| {
            dated.then(|| OptionBinding::TimeRange {
                column: reference.clone(),
                range: DateRange { start: start.map(day::text), end: end.map(day::text) },
            })
        };
        let compare = |operator, value: f64| {
            (numeric || data_type == DataType::Text).then(|| {
                let text = crate::intent::decimal(value);
                let right = if numeric {
                    Literal::Number { value: text }
                } else {
                    Literal::Text { value: text }
                };
                predicate(Predicate::Compare {
                    left: Expression::Column { column: reference.clone() },
                    operator,
                    right,
                })
            })
        };
        let id = column;
        let column = reference.clone();
        match definition {
            Definition::Above(value) => compare(Comparison::Greater, *value),
            Definition::AfterDue(late) => {
                dated.then(|| self.after_due(id, *late)).flatten().map(predicate)
            }
            Definition::AtLeast(value) => compare(Comparison::GreaterOrEqual, *value),
            Definition::Below(value) => compare(Comparison::Less, *value),
            Definition::Average(above) => {
                let operator = if *above { Comparison::Greater } else { Comparison::Less };
                numeric.then(|| {
                    predicate(Predicate::AgainstFigure {
                        column,
                        operator,
                        function: Aggregate::Average,
                        conditions: Vec::new(),
                        same: Vec::new(),
                    })
                })
            }
            Definition::HighestPercent(percent) => {
                let percent = *percent;
                numeric.then(|| predicate(Predicate::Extreme { column, percent, highest: true }))
            }
            Definition::LowestPercent(percent) => {
                let percent = *percent;
                numeric.then(|| predicate(Predicate::Extreme { column, percent, highest: false }))
            }
            Definition::MiddlePercent(percent) => {
                let percent = 100_u8.saturating_sub(*percent) / 2;
                numeric.then(|| {
                    let outside = |highest| {
                        let condition =
                            Predicate::Extreme { column: column.clone(), percent, highest };
                        Predicate::Not { condition: Box::new(condition) }
                    };
                    predicate(Predicate::All { conditions: vec![outside(true), outside(false)] })
                })
            }
            Definition::Flag(value) => {
                self.catalog.column_at(id).is_flag().then(|| predicate(self.flag(id, *value)))
            }
            Definition::Missing(missing) => {
                Some(predicate(Predicate::IsNull { column, negated: !*missing }))
            }
            Definition::OneOf(values) => {
                let values = self.stored_of(id, values);
                (!values.is_empty()).then(|| predicate(Predicate::OneOf { column, values }))
            }
            Definition::NoneWithinDays(days) => {
                let range = DateRange {
                    start: day(1 - i64::from(*days)).map(day::text),
                    end: day(1).map(day::text),
                };
                dated.then(|| {
                    let condition = Box::new(Predicate::InRange { column, range });
                    predicate(Predicate::Not { condition })
                })
            }
            Definition::WithinDays(days) => range(day(1 - i64::from(*days)), day(1)),
            Definition::BeforeDays(days) => range(None, day(-i64::from(*days))),
            Definition::NextDays(days) => range(day(0), day(i64::from(*days) + 1)),
        }
    }
}

fn predicate(predicate: Predicate) -> OptionBinding {
    OptionBinding::Predicate { predicate }
}
