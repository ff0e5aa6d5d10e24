//! Clarifications about the parameters of a template.

use super::index::Known;
use super::parameter::{Near, Unfit, literal};
use super::question::TemplateQuestion;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{Catalog, ColumnRef, ParameterType, TemplateParameter};
use crate::clarification::{
    ClarificationOption, CustomInput, Decision, OptionBinding, ParameterInput, Relation,
};
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

/// A parameter of a template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<'a> {
    /// Name of the template.
    pub(super) template: &'a str,
    /// The parameter.
    pub(super) parameter: &'a TemplateParameter,
    /// What is known of it.
    pub(super) known: &'a Known,
}

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

/// Asks for a value instead of words that do not match the pattern; `None` if nothing can be offered or entered.
pub(super) fn instead(
    catalog: &Catalog,
    question: &TemplateQuestion<'_>,
    slot: Slot<'_>,
    unfit: &Unfit,
) -> Option<Decision> {
    let Slot { parameter, known, .. } = slot;
    let tokens = question.tokens.get(unfit.tokens.clone())?;
    let span: Span = tokens.first()?.span.union(tokens.last()?.span);
    let mut options = offered(catalog, slot, &unfit.others);
    if options.is_empty() {
        options = fitting(catalog, parameter, known);
    }
    let custom = Some(typed(slot)).filter(|_| options.is_empty() || !unfit.others.is_empty());
    let name = words_of_identifier(&parameter.name).join(" ");
    let rule = match &parameter.pattern {
        Some(pattern) => format!("match {pattern}"),
        None if known.values.all().is_empty() => {
            format!("be {}", ParameterInput::of(slot.template, parameter).expected())
        }
        None => "be a value that is listed".to_owned(),
    };
    Some(Decision {
        kind: AmbiguityKind::Value,
        severity: Severity::Critical,
        span: Some(span),
        phrase: span.of(question.text).to_owned(),
        relation: Relation::Instead,
        reason: format!("the {name} must {rule}"),
        options,
        recommended: None,
        custom,
    })
}

/// Asks for a parameter that the question does not mention; `None` if nothing can be offered or entered.
pub(super) fn missing(catalog: &Catalog, today: Date, slot: Slot<'_>) -> Option<Decision> {
    let Slot { parameter, known, .. } = slot;
    let used = known.uses.first();
    let options: Vec<ClarificationOption> = if parameter.parameter_type == ParameterType::Date {
        let used = used.filter(|used| {
            matches!(used.operator, BinaryOperator::Greater | BinaryOperator::GreaterOrEqual)
        })?;
        PERIODS.iter().filter_map(|days| period(&used.column, today, *days)).collect()
    } else {
        fitting(catalog, parameter, known)
    };
    let custom = Some(typed(slot)).filter(|_| known.free || parameter.is_current_user());
    if options.is_empty() && custom.is_none() {
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
        custom,
    })
}

/// Field for a value of the parameter.
pub(super) fn typed(slot: Slot<'_>) -> CustomInput {
    let input = ParameterInput::of(slot.template, slot.parameter);
    CustomInput::Text {
        placeholder: input.expected(),
        table: String::new(),
        parameter: Some(input),
    }
}

/// Option that is a value of the parameter, labelled with the name of the parameter.
pub(super) fn labelled(catalog: &Catalog, slot: Slot<'_>, value: &str) -> ClarificationOption {
    let Slot { template, parameter, known } = slot;
    let name = words_of_identifier(&parameter.name).join(" ");
    let text = matches!(parameter.parameter_type, ParameterType::Enum | ParameterType::String);
    let stored = known.column.filter(|_| parameter.parameter_type == ParameterType::String);
    let binding = match stored {
        Some(column) => {
            OptionBinding::Value { column: catalog.reference(column), value: value.to_owned() }
        }
        None => OptionBinding::Parameter {
            template: template.to_owned(),
            parameter: parameter.name.clone(),
            value: value.to_owned(),
        },
    };
    ClarificationOption {
        id: value.to_owned(),
        label: if text { format!("{name} “{value}”") } else { format!("{name} {value}") },
        description: String::new(),
        binding,
        confidence: None,
    }
}

/// Options that are values which a model offers.
pub(super) fn offered(
    catalog: &Catalog,
    slot: Slot<'_>,
    values: &[String],
) -> Vec<ClarificationOption> {
    values.iter().map(|value| labelled(catalog, slot, value)).collect()
}

/// Options that are other listed values of the parameter.
pub(super) fn alternatives(
    catalog: &Catalog,
    slot: Slot<'_>,
    value: &str,
) -> Vec<ClarificationOption> {
    let Slot { parameter, known, .. } = slot;
    let truth = ["false", "true"].map(str::to_owned);
    let listed = match parameter.parameter_type {
        ParameterType::Boolean => &truth[..],
        ParameterType::Enum => &parameter.allowed_values,
        ParameterType::String => known.values.all(),
        ParameterType::Date | ParameterType::Integer | ParameterType::Number => &[],
    };
    listed
        .iter()
        .filter(|other| *other != value)
        .filter(|other| literal(other, parameter, known.pattern.as_ref()).is_some())
        .take(VALUES - 1)
        .map(|other| labelled(catalog, slot, other))
        .collect()
}

/// Options that are the first listed values of the parameter; none if it is compared with no column.
fn fitting(
    catalog: &Catalog,
    parameter: &TemplateParameter,
    known: &Known,
) -> Vec<ClarificationOption> {
    let stored = known.column.map(|column| catalog.reference(column));
    let compared = || known.uses.first().map(|used| used.column.clone());
    let Some(column) = stored.or_else(compared) else { return Vec::new() };
    let listed = known.values.all().iter();
    let fitting =
        listed.filter(|value| literal(value, parameter, known.pattern.as_ref()).is_some());
    options(catalog, &column, fitting.take(VALUES))
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
