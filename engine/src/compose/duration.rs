//! Durations: days from one date of a row to another.

use super::context::{Composer, Failure};
use super::measure::{Resolved, prefix};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::day;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Comparison, Expression, Literal, Predicate};
use crate::linking::{ColumnId, Named, TableId, start_dates};
use crate::narration::range_words;
use crate::reading::TimeSpec;
use crate::text::{numbers, tokenize};

impl Composer<'_> {
    /// Whether a mention means the time up to a date.
    pub(super) fn is_duration(&self, at: usize) -> bool {
        self.mentions.get(at).is_some_and(|mention| mention.duration.is_some())
    }

    /// Days up to the date that a mention means, of each row.
    pub(super) fn duration(
        &mut self,
        at: usize,
        head: Option<TableId>,
    ) -> Result<Resolved, Failure> {
        let end = self.column(at, head)?;
        let duration =
            self.mentions.get(at).and_then(|mention| mention.duration).unwrap_or_default();
        if duration.age {
            return Ok(self.age_today(end, at));
        }
        let told = duration.from;
        let start = match told.filter(|start| start.table == end.table) {
            Some(start) => start,
            None => self.start_of(end, at)?,
        };
        let name = |column| self.column_words(column).replace(' ', "_");
        Ok(Resolved {
            alias: format!("days_from_{}_to_{}", name(start), name(end)),
            expression: Expression::Days {
                from: self.catalog.reference(start),
                to: self.catalog.reference(end),
            },
            fact: end.table,
            at,
            date: None,
        })
    }

    /// "healed within 30 days": of the start of the same row, or before today; none where only the latter can be.
    pub(super) fn within_days(&mut self, time: &TimeSpec, end: ColumnId) -> Option<Predicate> {
        let phrase = self.phrase(time.at).to_lowercase();
        let told = phrase.strip_prefix("within ").filter(|_| time.column.is_some())?;
        let tokens = tokenize(told);
        let number =
            numbers(&tokens).into_iter().next().filter(|number| number.tokens.start == 0)?;
        let unit = tokens.get(number.tokens.end)?.folded.clone();
        let days = self.in_days(&number.value, Some(&unit));
        let own = self.schema.profile(end.table).date == Some(end);
        let starts = start_dates(self.catalog, self.schema, end);
        if own || starts.is_empty() || !self.catalog.column_at(end).data_type.is_temporal() {
            return None;
        }
        let words = |column| self.column_words(column);
        let mut options: Vec<ClarificationOption> = starts
            .iter()
            .take(3)
            .map(|start| ClarificationOption {
                id: self.catalog.column_at(*start).name.clone(),
                label: format!("counted from {}", words(*start)),
                description: format!("{} at most {told} after {}", words(end), words(*start)),
                binding: OptionBinding::Predicate {
                    predicate: Predicate::Compare {
                        left: Expression::Days {
                            from: self.catalog.reference(*start),
                            to: self.catalog.reference(end),
                        },
                        operator: Comparison::LessOrEqual,
                        right: Literal::Number { value: days.clone() },
                    },
                },
                confidence: None,
            })
            .collect();
        options.push(ClarificationOption {
            id: "today".to_owned(),
            label: "counted back from today".to_owned(),
            description: format!("{} is {}", words(end), range_words(&time.range)),
            binding: OptionBinding::Predicate {
                predicate: Predicate::InRange {
                    column: self.catalog.reference(end),
                    range: time.range.clone(),
                },
            },
            confidence: None,
        });
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::TimeWindow,
            severity: Severity::Important,
            span: self.span(time.at),
            phrase: self.phrase(time.at).to_owned(),
            relation: Relation::Means,
            reason: "it can count from the start of each row or back from today".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Predicate { predicate } => Some(predicate),
            _ => None,
        }
    }

    /// Years since a date of birth.
    fn age_today(&mut self, born: ColumnId, at: usize) -> Resolved {
        let column = self.catalog.reference(born);
        self.decide(Decision {
            kind: AmbiguityKind::MetricDefinition,
            severity: Severity::Minor,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "it is not stored; it is computed".to_owned(),
            options: vec![ClarificationOption {
                id: "age".to_owned(),
                label: format!("years since {}", self.column_words(born)),
                description: "rows without this date are left out".to_owned(),
                binding: OptionBinding::Column { column: column.clone() },
                confidence: None,
            }],
            recommended: None,
            custom: None,
        });
        Resolved {
            expression: Expression::Age { column, on: day::text(self.today) },
            fact: born.table,
            alias: "age".to_owned(),
            at,
            date: None,
        }
    }

    /// A figure of the days up to the date that a mention means.
    pub(super) fn aggregate_duration(
        &mut self,
        function: Aggregate,
        at: usize,
        head: Option<TableId>,
    ) -> Result<Resolved, Failure> {
        let days = self.duration(at, head)?;
        Ok(Resolved {
            alias: format!("{}{}", prefix(function), days.alias),
            expression: Expression::Aggregate {
                function,
                argument: Some(Box::new(days.expression)),
                distinct: false,
            },
            ..days
        })
    }

    /// Date that a time up to another starts with: shown where there is one, else asked.
    fn start_of(&mut self, end: ColumnId, at: usize) -> Result<ColumnId, Failure> {
        let starts = start_dates(self.catalog, self.schema, end);
        let Some(first) = starts.first().copied() else {
            let rows = self.table_rows(end.table);
            let message = format!("{rows} have no date that it could start at");
            let hint = "name the two dates it lies between";
            return Err(self.fail(FailureCode::NothingToMeasure, message, hint, Some(at)));
        };
        let to = self.column_words(end);
        let options = starts.iter().map(|start| {
            let reference = self.catalog.reference(*start);
            ClarificationOption {
                id: format!("{}.{}", reference.table, reference.column),
                label: format!("from {} to {to}", self.column_words(*start)),
                description: "days between them; rows without both are left out".to_owned(),
                binding: OptionBinding::Column { column: reference },
                confidence: None,
            }
        });
        let options: Vec<ClarificationOption> = options.collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::MetricDefinition,
            severity: if starts.len() > 1 { Severity::Important } else { Severity::Minor },
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "it can start at several dates".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Column { column } => Ok(self.column_id(&column).unwrap_or(first)),
            _ => Ok(first),
        }
    }
}
