//! Values of a template's parameters that a model took out of a question, checked against the rules of the parameters.

use serde::{Deserialize, Serialize};

use crate::catalog::{Catalog, Coverage, ParameterType, TemplateParameter};
use crate::clarification::ParameterInput;
use crate::text::fold;

/// Confidence of a value that passes the rules of its parameter (`docs/spec.md` §2.1).
const VALID: f64 = 0.75;
/// Confidence of a value that no rule applies to.
const UNCHECKED: f64 = 0.65;
/// Confidence of a value that breaks a rule.
const INVALID: f64 = 0.30;
/// Maximum number of alternatives.
const ALTERNATIVES: usize = 4;
/// Maximum length of a value, in characters.
const LONGEST: usize = 256;

/// A parameter value that a model extracted from a question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ExtractedParameter {
    /// Name of the parameter.
    pub name: String,
    /// The value; spelled as stored if it is an allowed value.
    pub value: String,
    /// Alternative values that pass the rules of the parameter.
    #[serde(default)]
    pub alternatives: Vec<String>,
    /// Confidence, 0 to 1 (`docs/spec.md` §2.1): valid 0.75, nothing to validate against 0.65, invalid 0.30.
    pub confidence: f64,
}

impl ExtractedParameter {
    /// Rates a value and its alternatives by the rules of the parameter; `None` if there is no value.
    pub(crate) fn rated(
        catalog: &Catalog,
        template: &str,
        parameter: &TemplateParameter,
        said: &str,
        alternatives: &[String],
    ) -> Option<Self> {
        let rules = Rules { catalog, input: ParameterInput::of(template, parameter), parameter };
        let (value, confidence) = rules.rate(said)?;
        let mut others: Vec<String> = Vec::new();
        for (other, rating) in alternatives.iter().filter_map(|other| rules.rate(other)) {
            if rating > INVALID && other != value && !others.contains(&other) {
                others.push(other);
            }
        }
        others.truncate(ALTERNATIVES);
        Some(Self { name: parameter.name.clone(), value, alternatives: others, confidence })
    }

    /// Whether the value breaks a rule of its parameter.
    pub(crate) fn is_invalid(&self) -> bool {
        self.confidence <= INVALID
    }
}

/// What a value of a parameter must be.
struct Rules<'a> {
    catalog: &'a Catalog,
    input: ParameterInput,
    parameter: &'a TemplateParameter,
}

impl Rules<'_> {
    /// The value as it is bound, and its confidence; `None` if it is empty, too long or not of one line.
    fn rate(&self, said: &str) -> Option<(String, f64)> {
        let said = said.trim();
        let is_plain = said.chars().count() <= LONGEST && !said.chars().any(char::is_control);
        if said.is_empty() || !is_plain {
            return None;
        }
        let parameter = self.parameter;
        let stored =
            parameter.table.as_ref().zip(parameter.column.as_ref()).and_then(|(table, column)| {
                self.catalog.table(table)?.column(column)?.values.as_ref()
            });
        let (listed, complete) = match stored {
            Some(stored) => (&stored.values, stored.coverage == Coverage::Complete),
            None => (&parameter.allowed_values, !parameter.allowed_values.is_empty()),
        };
        let same = listed.iter().find(|value| fold(value) == fold(said));
        let is_text = matches!(parameter.parameter_type, ParameterType::String);
        let ruled = same.is_some() || complete || !is_text || parameter.pattern.is_some();
        let value = match same {
            Some(same) => self.input.value(same),
            None if complete => Err(String::new()),
            None => self.input.value(said),
        };
        Some(match value {
            Ok(value) if ruled => (value, VALID),
            Ok(value) => (value, UNCHECKED),
            Err(_) => (said.to_owned(), INVALID),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ExtractedParameter;
    use crate::catalog::{Catalog, ParameterType, TemplateParameter};

    fn rated(parameter: &TemplateParameter, said: &str) -> Option<(String, f64)> {
        let catalog = Catalog::default();
        let rated = ExtractedParameter::rated(&catalog, "t", parameter, said, &[])?;
        Some((rated.value, rated.confidence))
    }

    fn of(parameter_type: ParameterType) -> TemplateParameter {
        TemplateParameter { parameter_type, ..TemplateParameter::default() }
    }

    #[test]
    fn a_value_is_rated_by_the_rules_of_its_parameter() {
        let bounded = TemplateParameter { maximum: Some(50.0), ..of(ParameterType::Integer) };
        let formed =
            TemplateParameter { pattern: Some("[A-Z]+".to_owned()), ..of(ParameterType::String) };
        let listed = TemplateParameter {
            allowed_values: vec!["ASC".to_owned(), "DESC".to_owned()],
            ..of(ParameterType::Enum)
        };
        for (parameter, said, value, confidence) in [
            (&bounded, " 12 ", "12", 0.75),
            (&bounded, "51", "51", 0.3),
            (&bounded, "1; DROP TABLE orders", "1; DROP TABLE orders", 0.3),
            (&of(ParameterType::Date), "2026-02-29", "2026-02-29", 0.3),
            (&formed, "ABC", "ABC", 0.75),
            (&formed, "abc", "abc", 0.3),
            (&listed, "desc", "DESC", 0.75),
            (&listed, "up", "up", 0.3),
            (&of(ParameterType::String), "late parcels", "late parcels", 0.65),
        ] {
            assert_eq!(rated(parameter, said), Some((value.to_owned(), confidence)), "{said}");
        }
    }

    #[test]
    fn what_is_no_value_is_left_out() {
        for said in ["", "  ", "two\nlines", &"x".repeat(257)] {
            assert_eq!(rated(&of(ParameterType::String), said), None, "{said}");
        }
    }

    #[test]
    fn only_other_values_that_pass_are_alternatives() {
        let parameter = TemplateParameter { maximum: Some(50.0), ..of(ParameterType::Integer) };
        let others = ["12", "13", "51", "13", "", "1", "2", "3"].map(str::to_owned);
        let rated =
            ExtractedParameter::rated(&Catalog::default(), "t", &parameter, "12", &others).unwrap();
        assert_eq!(rated.alternatives, ["13", "1", "2", "3"]);
    }
}
