//! Clarifications about the parameters of a template.

use super::index::Known;
use super::parameter::{Near, literal};
use super::question::TemplateQuestion;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{Catalog, ColumnRef, ParameterType, TemplateParameter};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::day::{self, Date};
use crate::intent::DateRange;
use crate::linking::{Named, words_of_identifier};
use crate::narration::{self, Wording};
use crate::text::Span;
use wherefore_sql::tree::BinaryOperator;

/// Maximum number of stored values among the options.
const VALUES: usize = 5;
/// Lengths of the periods among the options, in days.
const PERIODS: [i32; 3] = [30, 90, 365];

/// Builds the clarification of which of several stored values the user means.
pub(super) fn which(
    catalog: &Catalog,
    question: &TemplateQuestion<'_>,
    text: &str,
    known: &Known,
    near: &Near,
) -> Option<Decision> {
    let column = catalog.reference(known.column?);
    let tokens = question.tokens.get(near.tokens.clone())?;
    let span: Span = tokens.first()?.span.union(tokens.last()?.span);
    Some(Decision {
        kind: AmbiguityKind::Value,
        severity: Severity::Important,
        span: Some(span),
        phrase: span.of(text).to_owned(),
        relation: Relation::Means,
        reason: "several stored values hold these words".to_owned(),
        options: options(catalog, &column, near.values.iter()),
        recommended: None,
        custom: None,
    })
}

/// Asks for a parameter that the question does not mention; `None` if there are no options.
pub(super) fn missing(
    catalog: &Catalog,
    today: Date,
    parameter: &TemplateParameter,
    known: &Known,
) -> Option<Decision> {
    let used = known.uses.first();
    let options: Vec<ClarificationOption> = if parameter.parameter_type == ParameterType::Date {
        let used = used.filter(|used| {
            matches!(used.operator, BinaryOperator::Greater | BinaryOperator::GreaterOrEqual)
        })?;
        PERIODS.iter().filter_map(|days| period(&used.column, today, *days)).collect()
    } else {
        let stored = known.column.map(|column| catalog.reference(column));
        let column = stored.or_else(|| used.map(|used| used.column.clone()))?;
        let fitting = known.values.all().iter();
        let fitting = fitting.filter(|value| literal(value, parameter).is_some()).take(VALUES);
        self::options(catalog, &column, fitting)
    };
    if options.is_empty() {
        return None;
    }
    let reason = if parameter.description.is_empty() {
        "the question does not say".to_owned()
    } else {
        format!("the question does not say the {}", parameter.description)
    };
    let kind = match parameter.parameter_type {
        ParameterType::Date => AmbiguityKind::TimeWindow,
        _ => AmbiguityKind::Value,
    };
    Some(Decision {
        kind,
        severity: Severity::Critical,
        span: None,
        phrase: words_of_identifier(&parameter.name).join(" "),
        relation: if kind == AmbiguityKind::TimeWindow {
            Relation::Period
        } else {
            Relation::Means
        },
        reason,
        options,
        recommended: None,
        custom: None,
    })
}

/// Options that are stored values of a column.
fn options<'v>(
    catalog: &Catalog,
    column: &ColumnRef,
    values: impl Iterator<Item = &'v String>,
) -> Vec<ClarificationOption> {
    let values: Vec<(ColumnRef, String)> =
        values.map(|value| (column.clone(), value.clone())).collect();
    let wordings = narration::values(catalog, &values);
    let options = values.into_iter().zip(wordings);
    options
        .map(|((column, value), Wording { label, description })| ClarificationOption {
            id: value.clone(),
            label,
            description,
            binding: OptionBinding::Value { column, value },
            confidence: None,
        })
        .collect()
}

/// The option of the last `days` days, including today.
fn period(column: &ColumnRef, today: Date, days: i32) -> Option<ClarificationOption> {
    let start = day::plus_days(today, i64::from(1 - days))?;
    Some(ClarificationOption {
        id: format!("last_{days}_days"),
        label: format!("the last {days} days"),
        description: format!("{} or later", day::text(start)),
        binding: OptionBinding::TimeRange {
            column: column.clone(),
            range: DateRange { start: Some(day::text(start)), end: None },
        },
        confidence: None,
    })
}
