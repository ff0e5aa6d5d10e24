//! Typed values of a template's parameter.

use serde::{Deserialize, Serialize};

use crate::catalog::{ParameterType, Pattern, TemplateParameter};
use crate::day;
use crate::text::letters_of;

/// The parameter of a template that a typed text gives the value of.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ParameterInput {
    /// Name of the template.
    pub template: String,
    /// Name of the parameter.
    pub parameter: String,
    /// Type of the value; a date is `yyyy-mm-dd`.
    #[serde(rename = "type")]
    pub value_type: ParameterType,
    /// Regular expression that a whole text must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Smallest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    /// Largest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    /// Values of an enum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_values: Vec<String>,
}

impl ParameterInput {
    /// What is asked for a parameter of a template.
    pub(crate) fn of(template: &str, parameter: &TemplateParameter) -> Self {
        Self {
            template: template.to_owned(),
            parameter: parameter.name.clone(),
            value_type: parameter.parameter_type,
            pattern: parameter.pattern.clone(),
            minimum: parameter.minimum,
            maximum: parameter.maximum,
            allowed_values: parameter.allowed_values.clone(),
        }
    }

    /// The value of a typed text; the error says what is expected instead.
    pub(crate) fn value(&self, text: &str) -> Result<String, String> {
        let text = text.trim();
        let value = match self.value_type {
            ParameterType::Boolean => text.parse::<bool>().ok().map(|value| value.to_string()),
            ParameterType::Date => day::parse(text).map(day::text),
            ParameterType::Enum => {
                let mut allowed = self.allowed_values.iter();
                allowed.find(|allowed| letters_of(allowed) == letters_of(text)).cloned()
            }
            ParameterType::Integer => {
                text.parse::<i64>().ok().filter(|_| self.is_within(text)).map(|_| text.to_owned())
            }
            ParameterType::Number => Some(text).filter(|_| self.is_within(text)).map(str::to_owned),
            ParameterType::String => self.is_formed(text).then(|| text.to_owned()),
        };
        value.ok_or_else(|| format!("“{text}” is not accepted: enter {}", self.expected()))
    }

    /// What may be entered, in words.
    pub(crate) fn expected(&self) -> String {
        match self.value_type {
            ParameterType::Boolean => "true or false".to_owned(),
            ParameterType::Date => "a date of the form yyyy-mm-dd".to_owned(),
            ParameterType::Enum => wherefore_english::or_list(&self.allowed_values),
            ParameterType::Integer | ParameterType::Number => {
                let kind = match self.value_type {
                    ParameterType::Integer => "a whole number",
                    _ => "a number",
                };
                match (self.minimum, self.maximum) {
                    (Some(least), Some(most)) => format!("{kind} from {least} to {most}"),
                    (Some(least), None) => format!("{kind} of at least {least}"),
                    (None, Some(most)) => format!("{kind} of at most {most}"),
                    (None, None) => kind.to_owned(),
                }
            }
            ParameterType::String => match &self.pattern {
                Some(pattern) => format!("a text that matches {pattern}"),
                None => "a text".to_owned(),
            },
        }
    }

    fn is_within(&self, text: &str) -> bool {
        text.parse().is_ok_and(|value: f64| {
            value.is_finite()
                && self.minimum.is_none_or(|least| value >= least)
                && self.maximum.is_none_or(|most| value <= most)
        })
    }

    fn is_formed(&self, text: &str) -> bool {
        let admits = |pattern: &String| Pattern::new(pattern).is_ok_and(|one| one.admits(text));
        !text.is_empty() && self.pattern.as_ref().is_none_or(admits)
    }
}

#[cfg(test)]
mod tests {
    use super::ParameterInput;
    use crate::catalog::{ParameterType, TemplateParameter};

    fn input(parameter_type: ParameterType) -> ParameterInput {
        let parameter = TemplateParameter { parameter_type, ..TemplateParameter::default() };
        ParameterInput::of("t", &parameter)
    }

    #[test]
    fn a_value_is_of_the_type_of_its_parameter() {
        for (parameter_type, text, value) in [
            (ParameterType::Boolean, " true ", Some("true")),
            (ParameterType::Boolean, "yes", None),
            (ParameterType::Date, "2026-02-28", Some("2026-02-28")),
            (ParameterType::Date, "2026-02-29", None),
            (ParameterType::Integer, "12", Some("12")),
            (ParameterType::Integer, "1.5", None),
            (ParameterType::Number, "1.5", Some("1.5")),
            (ParameterType::Number, "inf", None),
            (ParameterType::String, "  ", None),
        ] {
            assert_eq!(input(parameter_type).value(text).ok().as_deref(), value, "{text}");
        }
    }

    #[test]
    fn a_value_within_the_limits_is_accepted_and_another_is_told_why_not() {
        let number = ParameterInput {
            minimum: Some(1.0),
            maximum: Some(50.0),
            ..input(ParameterType::Integer)
        };
        assert_eq!(number.value("50").as_deref(), Ok("50"));
        assert_eq!(
            number.value("51").unwrap_err(),
            "“51” is not accepted: enter a whole number from 1 to 50"
        );
        let text =
            ParameterInput { pattern: Some("[A-Z]+".to_owned()), ..input(ParameterType::String) };
        assert_eq!(text.value("ABC").as_deref(), Ok("ABC"));
        assert_eq!(
            text.value("abc").unwrap_err(),
            "“abc” is not accepted: enter a text that matches [A-Z]+"
        );
        let choice = ParameterInput {
            allowed_values: vec!["ASC".to_owned(), "DESC".to_owned()],
            ..input(ParameterType::Enum)
        };
        assert_eq!(choice.value("desc").as_deref(), Ok("DESC"));
        assert_eq!(choice.value("up").unwrap_err(), "“up” is not accepted: enter ASC or DESC");
    }
}
