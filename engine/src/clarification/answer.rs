//! Checks an answer against its clarification.

use crate::ambiguity::AmbiguityKind;
use crate::day;

use super::{Answer, AssumptionSource, Clarification, CustomInput, OptionBinding, ParameterInput};
use crate::intent::{DateRange, Expression, Literal, Predicate};

/// The binding of an answer, and who decided; the error says why the answer is not accepted.
pub(crate) fn binding_of(
    clarification: &Clarification,
    answer: &Answer,
) -> Result<(OptionBinding, AssumptionSource), String> {
    match answer {
        Answer::BestGuess => {
            let recommended = clarification
                .recommended
                .as_ref()
                .and_then(|id| clarification.options.iter().find(|option| option.id == *id));
            // What an unknown word means is never guessed.
            let unknown = clarification.ambiguity == AmbiguityKind::UnknownTerm;
            let left_out = clarification
                .options
                .iter()
                .find(|option| unknown && option.binding == OptionBinding::Ignore);
            match recommended.or(left_out).or(clarification.options.first()) {
                Some(option) => Ok((option.binding.clone(), AssumptionSource::BestGuess)),
                None => Err("there is no option to guess from".to_owned()),
            }
        }
        Answer::Option { option_id } => clarification
            .options
            .iter()
            .find(|option| option.id == *option_id)
            .map(|option| (option.binding.clone(), AssumptionSource::User))
            .ok_or_else(|| format!("option {option_id} is not offered")),
        Answer::DateRange { start, end } => match &clarification.custom {
            Some(CustomInput::DateRange { column }) => {
                let range = range(start.as_deref(), end.as_deref())?;
                Ok((
                    OptionBinding::TimeRange { column: column.clone(), range },
                    AssumptionSource::User,
                ))
            }
            _ => Err("no date range is asked for".to_owned()),
        },
        Answer::Number { value } => match &clarification.custom {
            Some(CustomInput::Number { .. }) if !value.is_finite() => {
                Err("the number is not finite".to_owned())
            }
            Some(CustomInput::Number { minimum: Some(minimum), .. })
                if *value < 0.0 && *minimum >= 0.0 =>
            {
                Err("the number is negative, and no stored number is".to_owned())
            }
            Some(CustomInput::Number { column, operator, .. }) => {
                let predicate = Predicate::Compare {
                    left: Expression::Column { column: column.clone() },
                    operator: *operator,
                    right: Literal::Number { value: crate::intent::decimal(*value) },
                };
                Ok((OptionBinding::Predicate { predicate }, AssumptionSource::User))
            }
            Some(CustomInput::Text { parameter: Some(input), .. }) => {
                entered(input, &crate::intent::decimal(*value))
            }
            _ => Err("no number is asked for".to_owned()),
        },
        Answer::Text { text } => match &clarification.custom {
            Some(CustomInput::Text { parameter: Some(input), .. }) => entered(input, text),
            _ => Err("no text is asked for".to_owned()),
        },
    }
}

/// Binding of a value that was entered for a parameter.
fn entered(
    input: &ParameterInput,
    text: &str,
) -> Result<(OptionBinding, AssumptionSource), String> {
    let value = input.value(text)?;
    let (template, parameter) = (input.template.clone(), input.parameter.clone());
    Ok((OptionBinding::Parameter { template, parameter, value }, AssumptionSource::User))
}

/// Half-open date range of two inclusive dates, of which one may be missing.
fn range(start: Option<&str>, end: Option<&str>) -> Result<DateRange, String> {
    let day = |text: Option<&str>| {
        text.filter(|text| !text.is_empty())
            .map(|text| {
                day::parse(text)
                    .ok_or_else(|| format!("{text} is not a date of the form yyyy-mm-dd"))
            })
            .transpose()
    };
    let (start, end) = (day(start)?, day(end)?);
    if start.is_none() && end.is_none() {
        return Err("neither a first nor a last day is given".to_owned());
    }
    if let (Some(start), Some(end)) = (start, end)
        && end < start
    {
        return Err("the last day is before the first".to_owned());
    }
    let after = end.map(|end| day::plus_days(end, 1).unwrap_or(end));
    Ok(DateRange { start: start.map(day::text), end: after.map(day::text) })
}
