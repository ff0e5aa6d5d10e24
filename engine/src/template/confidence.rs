//! Confidence of each parameter of a template, and what it decides (`docs/spec.md` §2.1).

use serde::{Deserialize, Serialize};

use super::ask::{Slot, alternatives, labelled, offered, typed};
use super::parameter::{ASKER, Value, relative_day};
use super::question::TemplateQuestion;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{Catalog, ParameterType, TemplateParameter};
use crate::clarification::{Decision, Relation};
use crate::linking::words_of_identifier;
use crate::text::Span;

/// Lowest confidence of a value that is used without mention.
const SILENT: f64 = 0.85;
/// Lowest confidence of a value that is used as an assumption; a lower one is asked about.
const ASSUMED: f64 = 0.6;
/// Lowest weight of a parameter.
const LEAST_WEIGHT: f64 = 0.3;

/// The value of a template's parameter, and how sure it is.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ParameterValue {
    /// Name of the parameter.
    pub name: String,
    /// The value, as text.
    pub value: String,
    /// Confidence, 0 to 1: that of the source, times the weight of the parameter.
    pub confidence: f64,
    /// Where the value comes from.
    pub source: ParameterSource,
}

/// Where the value of a parameter comes from.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ParameterSource {
    /// The user chose it, now or before.
    Chosen,
    /// The default of the template.
    Default,
    /// A language model took it out of the question.
    Extracted,
    /// The best option of a clarification that is open or may not be asked.
    Guessed,
    /// The question contains a part of it.
    Similar,
    /// The question contains it.
    Stated,
}

/// Confidence of a value with this base, 0 to 1, to three decimals.
pub(super) fn effective(base: f64, parameter: &TemplateParameter) -> f64 {
    let weight = parameter.weight.unwrap_or(1.0).clamp(LEAST_WEIGHT, 1.0);
    (base * weight * 1_000.0).round() / 1_000.0
}

/// The decision about a value that is not certain: minor for an assumption, important for a question; `None` for a
/// value that is certain enough.
pub(super) fn doubted(
    catalog: &Catalog,
    question: &TemplateQuestion<'_>,
    slot: Slot<'_>,
    value: &Value,
) -> Option<Decision> {
    let Slot { parameter, known, .. } = slot;
    let confidence = effective(value.score, parameter);
    if confidence >= SILENT {
        return None;
    }
    let severity = if confidence < ASSUMED { Severity::Important } else { Severity::Minor };
    let tokens = question.tokens.get(value.tokens.clone())?;
    let span: Option<Span> =
        tokens.first().zip(tokens.last()).map(|(first, last)| first.span.union(last.span));
    let name = words_of_identifier(&parameter.name).join(" ");
    let mut current = labelled(catalog, slot, &value.text);
    if span.is_none() && parameter.is_current_user() {
        ASKER.clone_into(&mut current.description);
    } else if span.is_none()
        && let Some(relative) =
            parameter.default.as_ref().and_then(|text| relative_day(text, parameter))
    {
        relative.words().clone_into(&mut current.description);
    }
    let mut options = vec![current];
    options.extend(offered(catalog, slot, &value.others));
    for other in alternatives(catalog, slot, &value.text) {
        if !options.iter().any(|known| known.id == other.id) {
            options.push(other);
        }
    }
    let stored = known.column.is_some() && parameter.parameter_type == ParameterType::String;
    let custom = (!stored || options.len() < 2).then(|| typed(slot));
    let percent = (confidence * 100.0).round();
    Some(Decision {
        kind: AmbiguityKind::Value,
        severity,
        phrase: span.map_or_else(|| name.clone(), |span| span.of(question.text).to_owned()),
        span,
        relation: Relation::Right,
        reason: match value.source {
            ParameterSource::Extracted => {
                format!("a language model took the {name} out of the question, {percent} % sure")
            }
            _ => format!("the {name} is only {percent} % sure"),
        },
        options,
        recommended: None,
        custom,
    })
}

#[cfg(test)]
mod tests {
    use super::effective;
    use crate::catalog::TemplateParameter;

    #[test]
    fn the_weight_lowers_the_confidence_down_to_a_limit() {
        let weighted = |weight| TemplateParameter { weight, ..TemplateParameter::default() };
        for (base, weight, confidence) in [
            (1.0, None, 1.0),
            (0.85, Some(1.0), 0.85),
            (0.7, Some(0.8), 0.56),
            (1.0, Some(0.1), 0.3),
            (1.0, Some(5.0), 1.0),
        ] {
            let found = effective(base, &weighted(weight));
            assert!((found - confidence).abs() < 1e-9, "{base} × {weight:?}: {found}");
        }
    }
}
