//! Checks the definition of a parameter before it is used.

use super::parameter::{literal, relative_day};
use crate::catalog::{CURRENT_USER, ParameterType, Pattern, RelativeDay, TemplateParameter};

/// Why the definition of a parameter is rejected.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ParameterFault {
    /// The faulty part.
    pub field: ParameterField,
    /// What is wrong and what is expected, in one sentence.
    pub reason: String,
}

/// A part of a parameter's definition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ParameterField {
    /// The allowed value with this index.
    AllowedValue(usize),
    /// The default.
    Default,
    /// The pattern.
    Pattern,
    /// The weight.
    Weight,
}

/// Checks the pattern and the weight of a parameter, and that its allowed values and its default are values of it.
pub fn check_parameter(parameter: &TemplateParameter) -> Result<(), ParameterFault> {
    let fault = |field, reason: String| Err(ParameterFault { field, reason });
    let name = &parameter.name;
    if let Some(weight) = parameter.weight.filter(|weight| !(0.3..=1.0).contains(weight)) {
        let reason = format!("weight must be between 0.3 and 1; got {weight}");
        return fault(ParameterField::Weight, reason);
    }
    let mut pattern = None;
    if let Some(text) = &parameter.pattern {
        if parameter.parameter_type != ParameterType::String {
            let reason = format!("only a parameter of type string has a pattern: {name}");
            return fault(ParameterField::Pattern, reason);
        }
        match Pattern::new(text) {
            Ok(compiled) => pattern = Some(compiled),
            Err(error) => return fault(ParameterField::Pattern, error.to_string()),
        }
    }
    if let Some(pattern) = &pattern {
        let mut allowed = parameter.allowed_values.iter().enumerate();
        if let Some((at, value)) = allowed.find(|(_, value)| !pattern.admits(value)) {
            let reason = format!("the allowed value “{value}” does not match the pattern");
            return fault(ParameterField::AllowedValue(at), reason);
        }
    }
    let listed =
        parameter.parameter_type != ParameterType::Enum || !parameter.allowed_values.is_empty();
    match &parameter.default {
        // The name of the person is compared with the pattern when a question is asked.
        _ if parameter.is_current_user() => Ok(()),
        Some(default) if default == CURRENT_USER && !parameter.allowed_values.contains(default) => {
            let reason =
                format!("only a parameter of type string has the default {CURRENT_USER}: {name}");
            fault(ParameterField::Default, reason)
        }
        Some(default)
            if listed
                && relative_day(default, parameter).is_none()
                && literal(default, parameter, pattern.as_ref()).is_none() =>
        {
            let mut reason =
                format!("the default “{default}” is not a value of the parameter {name}");
            if parameter.parameter_type == ParameterType::Date {
                let names = RelativeDay::ALL.map(RelativeDay::name).join(", ");
                reason = format!("{reason}; use a date of the form yyyy-mm-dd, or one of {names}");
            }
            fault(ParameterField::Default, reason)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{ParameterField, check_parameter};
    use crate::catalog::{ParameterType, TemplateParameter};

    fn fault(parameter: TemplateParameter) -> Option<ParameterField> {
        check_parameter(&parameter).err().map(|fault| fault.field)
    }

    #[test]
    fn a_pattern_is_well_formed_and_belongs_to_a_text() {
        let pattern = |pattern: &str| TemplateParameter {
            pattern: Some(pattern.to_owned()),
            ..TemplateParameter::default()
        };
        assert_eq!(fault(pattern("[A-Z]+")), None);
        assert_eq!(fault(pattern("[A-Z")), Some(ParameterField::Pattern));
        let number =
            TemplateParameter { parameter_type: ParameterType::Number, ..pattern("[0-9]+") };
        assert_eq!(fault(number), Some(ParameterField::Pattern));
        let listed = TemplateParameter {
            allowed_values: vec!["A".to_owned(), "b".to_owned()],
            ..pattern("[A-Z]+")
        };
        assert_eq!(fault(listed), Some(ParameterField::AllowedValue(1)));
    }

    #[test]
    fn a_weight_is_within_its_limits() {
        for (weight, fits) in
            [(0.3, true), (1.0, true), (0.29, false), (1.5, false), (f64::NAN, false)]
        {
            let parameter =
                TemplateParameter { weight: Some(weight), ..TemplateParameter::default() };
            assert_eq!(fault(parameter).is_none(), fits, "{weight}");
        }
    }

    #[test]
    fn a_default_is_a_value_of_its_parameter() {
        for (parameter_type, default, fits) in [
            (ParameterType::Boolean, "false", true),
            (ParameterType::Boolean, "no", false),
            (ParameterType::Date, "2026-11-20", true),
            (ParameterType::Date, "start_of_month", true),
            (ParameterType::Date, "next week", false),
            (ParameterType::String, "today", false),
            (ParameterType::Integer, "3", true),
            (ParameterType::Integer, "3.5", false),
            (ParameterType::Integer, "51", false),
            (ParameterType::String, "AB", true),
            (ParameterType::String, "ab", false),
            (ParameterType::String, "current_user", true),
            (ParameterType::Integer, "current_user", false),
            (ParameterType::Enum, "current_user", false),
        ] {
            let parameter = TemplateParameter {
                parameter_type,
                default: Some(default.to_owned()),
                maximum: Some(50.0),
                pattern: (parameter_type == ParameterType::String).then(|| "[A-Z]+".to_owned()),
                ..TemplateParameter::default()
            };
            assert_eq!(fault(parameter).is_none(), fits, "{default}");
        }
    }
}
