//! Values of parameters in a question.

use std::ops::Range;

use super::confidence::ParameterSource;
use super::index::Known;
use super::question::{TemplateQuestion, Usage};
use super::words::{stems, stems_of};
use crate::catalog::{ParameterType, Pattern, RelativeDay, TemplateParameter};
use crate::confidence::Method;
use crate::day;
use crate::intent::DateRange;
use crate::reading::Part;
use crate::text::letters_of;
use wherefore_sql::tree::{BinaryOperator, Literal};

/// Maximum length of a stored value that is searched for, in tokens.
const LONGEST: usize = 8;
/// Maximum number of stored values that words may match.
const NEAR: usize = 5;
/// Confidence of a default (`docs/spec.md` §2.1).
pub(super) const DEFAULT: f64 = 0.7;
/// Words for the person that a default stands for.
pub(super) const ASKER: &str = "the person who asks";

/// What a parameter is bound to.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// One of several stored values.
    Near(Near),
    /// The question does not mention the parameter; the user has to be asked.
    Missing,
    /// The question gives a value that does not match the pattern; the user has to be asked.
    Unfit(Unfit),
    /// A value.
    Value(Value),
}

/// Words that stand for a value which does not match the pattern of the parameter.
#[derive(Clone, Debug)]
pub(super) struct Unfit {
    /// Tokens of the words.
    pub(super) tokens: Range<usize>,
    /// Whether they are a stored value of the parameter's column.
    pub(super) stored: bool,
    /// Values that a model offers instead.
    pub(super) others: Vec<String>,
}

/// A value of a parameter.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Literal in the statement.
    pub(super) literal: Literal,
    /// The value, as text.
    pub(super) text: String,
    /// The value in the sentence about the answer.
    pub(super) shown: String,
    /// Where the value comes from.
    pub(super) source: ParameterSource,
    /// Confidence, 0 to 1.
    pub(super) score: f64,
    /// How the words match a stored value; `None` if the value is not stored.
    pub(super) method: Option<Method>,
    /// Tokens of the value; empty for a default.
    pub(super) tokens: Range<usize>,
    /// Whether the words are also a value of another column.
    pub(super) rivalled: bool,
    /// Other values that a model takes the words for.
    pub(super) others: Vec<String>,
}

/// Stored values that are similar to some words.
#[derive(Clone, Debug)]
pub(super) struct Near {
    /// Tokens of the words.
    pub(super) tokens: Range<usize>,
    /// The values, in order.
    pub(super) values: Vec<String>,
    /// Whether the words are also a value of another column.
    pub(super) rivalled: bool,
}

/// The longest run of tokens that equals a stored or allowed value, with what it binds the parameter to.
pub(super) fn exact(
    question: &TemplateQuestion<'_>,
    usage: &Usage,
    known: &Known,
) -> Option<(Range<usize>, Place)> {
    let count = question.tokens.len();
    for length in (1..=LONGEST.min(count)).rev() {
        for start in 0..=count - length {
            let tokens = start..start + length;
            if !usage.is_free(&tokens) || !tokens.clone().any(|at| usage.weighs(at)) {
                continue;
            }
            let key = question.letters(tokens.clone());
            let stored = known.values.with_letters(&key).cloned().or_else(|| {
                let column = known.column?;
                let mut found = question.found.by_letters(&key);
                found.find(|(other, _)| *other == column).map(|(_, value)| value.clone())
            });
            if let Some(stored) = stored {
                let place = if known.admits(&stored) {
                    Place::Value(Value {
                        literal: Literal::String(stored.clone()),
                        text: stored.clone(),
                        shown: stored,
                        source: ParameterSource::Stated,
                        score: Method::ValueExact.base(),
                        method: Some(Method::ValueExact),
                        tokens: tokens.clone(),
                        rivalled: false,
                        others: Vec::new(),
                    })
                } else {
                    Place::Unfit(Unfit { tokens: tokens.clone(), stored: true, others: Vec::new() })
                };
                return Some((tokens, place));
            }
        }
    }
    None
}

/// Stored values that contain the words of `tokens` consecutively, in any inflection; `None` if there are too many.
pub(super) fn near(
    question: &TemplateQuestion<'_>,
    tokens: Range<usize>,
    known: &Known,
) -> Option<Place> {
    let words: Vec<String> = question.tokens[tokens.clone()].iter().flat_map(stems_of).collect();
    let first = question.tokens.get(tokens.start)?;
    let holds = |stems: &[String]| stems.windows(words.len().max(1)).any(|run| run == words);
    let mut values: Vec<String> = known
        .values
        .with_stem(words.first()?)
        .filter(|value| holds(&stems(value)))
        .cloned()
        .collect();
    for (column, value) in question.found.by_word(&first.folded) {
        if Some(*column) == known.column && !values.contains(value) && holds(&stems(value)) {
            values.push(value.clone());
        }
    }
    let any = !values.is_empty();
    values.retain(|value| known.admits(value));
    if any && values.is_empty() {
        return Some(Place::Unfit(Unfit { tokens, stored: true, others: Vec::new() }));
    }
    if values.is_empty() || values.len() > NEAR {
        return None;
    }
    let rivalled = is_rivalled(question, tokens.clone(), known);
    Some(Place::Near(Near { tokens, values, rivalled }))
}

/// Whether tokens are a value of another column.
pub(super) fn is_rivalled(
    question: &TemplateQuestion<'_>,
    tokens: Range<usize>,
    known: &Known,
) -> bool {
    let key = question.letters(tokens);
    [question.values, question.found]
        .iter()
        .flat_map(|index| index.by_letters(&key))
        .any(|(column, _)| Some(*column) != known.column)
}

/// The only unused number within the bounds; `None` if there are several.
pub(super) fn number(
    question: &TemplateQuestion<'_>,
    usage: &Usage,
    parameter: &TemplateParameter,
) -> Option<Value> {
    let mut mentions = question.free(Part::Number, usage);
    let (Some(mention), None) = (mentions.next(), mentions.next()) else { return None };
    let number = mention.number.as_ref()?;
    if number.ordinal || number.percent || number.currency.is_some() {
        return None;
    }
    let literal = number_literal(&number.value, parameter)?;
    Some(Value {
        literal,
        text: number.value.clone(),
        shown: number.value.clone(),
        source: ParameterSource::Stated,
        score: Method::Exact.base(),
        method: None,
        tokens: mention.tokens.clone(),
        rivalled: false,
        others: Vec::new(),
    })
}

/// Number literal of a text; `None` outside the parameter's bounds.
fn number_literal(text: &str, parameter: &TemplateParameter) -> Option<Literal> {
    if parameter.parameter_type == ParameterType::Integer {
        text.parse::<i64>().ok()?;
    }
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    let fits = parameter.minimum.is_none_or(|minimum| value >= minimum)
        && parameter.maximum.is_none_or(|maximum| value <= maximum);
    fits.then(|| Literal::Number(text.to_owned()))
}

/// The date that a comparison takes from a date range, and whether it covers the start and the end of the range.
pub(super) fn day_of(range: &DateRange, operator: BinaryOperator) -> Option<(String, bool, bool)> {
    let day = |text: &Option<String>| day::parse(text.as_ref()?);
    let (start, end) = (day(&range.start), day(&range.end));
    Some(match operator {
        BinaryOperator::GreaterOrEqual => (day::text(start?), true, false),
        BinaryOperator::Greater => (day::text(day::plus_days(start?, -1)?), true, false),
        BinaryOperator::Less => (day::text(end?), false, true),
        BinaryOperator::LessOrEqual => (day::text(day::plus_days(end?, -1)?), false, true),
        BinaryOperator::Equal if day::plus_days(start?, 1) == end => {
            (day::text(start?), true, true)
        }
        _ => return None,
    })
}

/// The default value of a parameter; that of a date may follow from the day of the question, that of a string from the
/// person who asks. `None` for a person who is not known, or whose name is no value of the parameter.
pub(super) fn default(
    parameter: &TemplateParameter,
    known: &Known,
    question: &TemplateQuestion<'_>,
) -> Option<Value> {
    let default = parameter.default.as_ref()?;
    let (text, shown) = match relative_day(default, parameter) {
        _ if parameter.is_current_user() => {
            let person = question.person?;
            let listed = known.values.with_letters(&letters_of(person)).cloned();
            let text =
                listed.or_else(|| known.values.all().is_empty().then(|| person.to_owned()))?;
            let shown = format!("{text}, {ASKER}, unless said otherwise");
            (text, shown)
        }
        Some(relative) => {
            let text = day::text(relative.on(question.today)?);
            let shown = format!("{text}, {}, unless said otherwise", relative.words());
            (text, shown)
        }
        None => (default.clone(), format!("{default} unless said otherwise")),
    };
    Some(Value {
        literal: literal(&text, parameter, known.pattern.as_ref())?,
        text,
        shown,
        source: ParameterSource::Default,
        score: DEFAULT,
        method: None,
        tokens: 0..0,
        rivalled: false,
        others: Vec::new(),
    })
}

/// The day that the default of a date is named by.
pub(super) fn relative_day(default: &str, parameter: &TemplateParameter) -> Option<RelativeDay> {
    RelativeDay::named(default).filter(|_| parameter.parameter_type == ParameterType::Date)
}

/// Literal of a text in the parameter's type; `None` if the text is not of this type, or does not match the pattern.
pub(super) fn literal(
    text: &str,
    parameter: &TemplateParameter,
    pattern: Option<&Pattern>,
) -> Option<Literal> {
    match parameter.parameter_type {
        ParameterType::Boolean => text.parse().ok().map(Literal::Boolean),
        ParameterType::Date => {
            let date = day::parse(text)?;
            Some(Literal::Date(day::text(date)))
        }
        ParameterType::Enum => parameter
            .allowed_values
            .iter()
            .find(|allowed| letters_of(allowed) == letters_of(text))
            .map(|allowed| Literal::String(allowed.clone())),
        ParameterType::Integer | ParameterType::Number => number_literal(text, parameter),
        ParameterType::String => pattern
            .is_none_or(|pattern| pattern.admits(text))
            .then(|| Literal::String(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::{BinaryOperator, DateRange, day_of};

    #[test]
    fn a_comparison_takes_the_end_of_the_range_that_it_bounds() {
        let range =
            DateRange { start: Some("2026-03-01".to_owned()), end: Some("2026-04-01".to_owned()) };
        let day = |operator| day_of(&range, operator).map(|(day, ..)| day);
        assert_eq!(day(BinaryOperator::GreaterOrEqual).as_deref(), Some("2026-03-01"));
        assert_eq!(day(BinaryOperator::Greater).as_deref(), Some("2026-02-28"));
        assert_eq!(day(BinaryOperator::Less).as_deref(), Some("2026-04-01"));
        assert_eq!(day(BinaryOperator::LessOrEqual).as_deref(), Some("2026-03-31"));
        assert_eq!(day(BinaryOperator::Equal), None, "a month is no day");
        let open = DateRange { end: None, ..range };
        assert_eq!(day_of(&open, BinaryOperator::Less), None);
    }
}
