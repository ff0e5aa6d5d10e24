//! Periods that rows are grouped by: months of one year or of all, days of the week, hours.

use super::context::{Composer, Failure};
use super::option::ignore_option;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::DataType;
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::day;
use crate::failure::FailureCode;
use crate::intent::TimeGrain;
use crate::linking::{ColumnId, Lexical, Named};
use crate::narration::grain_words;
use crate::reading::Frame;

/// Name of an output column that holds a period.
pub(super) fn period_name(grain: TimeGrain) -> String {
    grain_words(grain).replace(" of the ", "_of_").replace(' ', "_")
}

impl Composer<'_> {
    /// Period that a mention means, of a date column.
    pub(super) fn part_of_date(
        &mut self,
        frame: &Frame,
        grain: TimeGrain,
        column: ColumnId,
        at: usize,
    ) -> Result<TimeGrain, Failure> {
        match grain {
            TimeGrain::HourOfDay if self.catalog.column_at(column).data_type == DataType::Date => {
                Err(self.fail(
                    FailureCode::NoDateColumn,
                    format!("{} is a date without a time of day", self.column_words(column)),
                    "group by a day or a longer period",
                    Some(at),
                ))
            }
            TimeGrain::DayOfWeek => {
                self.note_first_day(at);
                Ok(grain)
            }
            TimeGrain::Month
                if frame.superlative.is_some() && self.is_ranked(at) && !within_a_year(frame) =>
            {
                Ok(self.month_meant(at))
            }
            _ => Ok(grain),
        }
    }

    /// Whether a period is named as what is ranked: not what something is shown by.
    fn is_ranked(&self, at: usize) -> bool {
        let grouped = at.checked_sub(1).and_then(|before| self.mentions.get(before));
        let grouped = grouped.is_some_and(|word| word.is(Lexical::By) || word.is(Lexical::Group));
        self.mentions.get(at).is_some_and(|mention| mention.grain.is_some()) && !grouped
    }

    /// "which month has the most orders": a month of one year, or the same month of all years.
    fn month_meant(&mut self, at: usize) -> TimeGrain {
        let option = |grain: TimeGrain, label: &str, description: &str| ClarificationOption {
            id: period_name(grain),
            label: label.to_owned(),
            description: description.to_owned(),
            binding: OptionBinding::Grain { grain },
            confidence: None,
        };
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::TimeWindow,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "months come back every year".to_owned(),
            options: vec![
                option(TimeGrain::Month, "a month of one year", "each month of each year is apart"),
                option(
                    TimeGrain::MonthOfYear,
                    "a calendar month of all years",
                    "the same month of all years counts together",
                ),
            ],
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Grain { grain } => grain,
            _ => TimeGrain::Month,
        }
    }

    /// Says how days of the week are numbered.
    fn note_first_day(&mut self, at: usize) {
        self.decide(Decision {
            kind: AmbiguityKind::TimeWindow,
            severity: Severity::Minor,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "days of the week are numbered".to_owned(),
            options: vec![ignore_option(
                "1 for Monday to 7 for Sunday".to_owned(),
                "as ISO 8601 numbers them",
            )],
            recommended: None,
            custom: None,
        });
    }
}

/// Whether the times that are asked about lie within one calendar year.
fn within_a_year(frame: &Frame) -> bool {
    frame.times.iter().any(|time| {
        let (Some(start), Some(end)) = (&time.range.start, &time.range.end) else { return false };
        let last = day::parse(end).and_then(|end| day::plus_days(end, -1)).map(day::text);
        !time.negated
            && time.others.is_empty()
            && last.is_some_and(|last| last.get(..4).is_some() && last.get(..4) == start.get(..4))
    })
}
