//! Values of parameters that a model took out of the words of a question that the template does not know.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::confidence::ParameterSource;
use super::index::Prepared;
use super::matching::runs;
use super::parameter::{Place, Unfit, Value, literal};
use super::question::{TemplateQuestion, Usage};
use super::words::{stems, stems_of};
use crate::catalog::{Catalog, QueryTemplate};
use crate::reading::Part;
use crate::writing::ExtractedParameter;

/// What a model took out of a question for one template.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Extraction {
    /// Name of the template.
    pub(crate) template: String,
    /// The values; none if the model found none, or failed.
    pub(crate) parameters: Vec<ExtractedParameter>,
}

/// Binds all words that the template does not know, as if a model took a value out of each run of them; returns the
/// tokens used, none if there are more runs than parameters without a value.
pub(super) fn lacking(
    prepared: &Prepared,
    question: &TemplateQuestion<'_>,
    usage: &mut Usage,
    places: &mut [Option<Place>],
) -> Vec<Range<usize>> {
    let Some(runs) = unknown(prepared, question, usage) else { return Vec::new() };
    let mut open: Vec<&mut Option<Place>> = places.iter_mut().filter(|it| it.is_none()).collect();
    if runs.len() > open.len() {
        return Vec::new();
    }
    for (run, place) in runs.iter().zip(&mut open) {
        usage.take(run);
        **place = Some(Place::Missing);
    }
    runs
}

/// Binds values of a model to the words that the template does not know; returns the tokens used.
///
/// Each run of words gets one value, first one that shares a word with it. Nothing is bound if words would be left, and
/// a value without words of the question is not used.
pub(super) fn extracted(
    catalog: &Catalog,
    prepared: &Prepared,
    template: &QueryTemplate,
    question: &TemplateQuestion<'_>,
    usage: &mut Usage,
    places: &mut [Option<Place>],
) -> Vec<Range<usize>> {
    let named = question.extracted.filter(|found| found.template == template.name);
    let Some(extraction) = named else { return Vec::new() };
    let lacking = template
        .parameters
        .iter()
        .enumerate()
        .filter(|(at, _)| places.get(*at).is_some_and(Option::is_none));
    let mut values: Vec<(usize, ExtractedParameter)> = lacking
        .filter_map(|(at, parameter)| {
            let said = extraction.parameters.iter().find(|found| found.name == parameter.name)?;
            let (value, others) = (&said.value, &said.alternatives);
            ExtractedParameter::rated(catalog, &template.name, parameter, value, others)
                .map(|rated| (at, rated))
        })
        .collect();
    let Some(mut runs) = unknown(prepared, question, usage) else { return Vec::new() };
    if runs.len() > values.len() {
        return Vec::new();
    }
    let mut used = Vec::new();
    for shared in [true, false] {
        runs.retain(|run| {
            let fits = |(_, found): &(usize, ExtractedParameter)| {
                !shared || shares_word(question, run, &found.value)
            };
            let Some(position) = values.iter().position(fits) else { return true };
            let (at, found) = values.remove(position);
            usage.take(run);
            used.push(run.clone());
            if let (Some(place), Some(parameter), Some(known)) =
                (places.get_mut(at), template.parameters.get(at), prepared.parameters.get(at))
            {
                let literal = literal(&found.value, parameter, known.pattern.as_ref());
                *place = Some(match literal.filter(|_| !found.is_invalid()) {
                    Some(literal) => Place::Value(Value {
                        literal,
                        text: found.value.clone(),
                        shown: found.value,
                        source: ParameterSource::Extracted,
                        score: found.confidence,
                        method: None,
                        tokens: run.clone(),
                        rivalled: false,
                        others: found.alternatives,
                    }),
                    None => Place::Unfit(Unfit {
                        tokens: run.clone(),
                        stored: false,
                        others: found.alternatives,
                    }),
                });
            }
            false
        });
    }
    used
}

/// Runs of words that the template does not know; `None` if one means something else, such as "not", a number or a
/// column, which must not be lost in a value.
fn unknown(
    prepared: &Prepared,
    question: &TemplateQuestion<'_>,
    usage: &Usage,
) -> Option<Vec<Range<usize>>> {
    let runs = runs(prepared, question, usage);
    let means_else = |at: usize| {
        let mut mentions = question.mentions.iter().zip(question.parts);
        usage.weighs(at)
            && mentions
                .any(|(mention, part)| *part != Part::Unknown && mention.tokens.contains(&at))
    };
    (!runs.iter().cloned().flatten().any(means_else)).then_some(runs)
}

fn shares_word(question: &TemplateQuestion<'_>, run: &Range<usize>, value: &str) -> bool {
    let words = stems(value);
    let tokens = question.tokens.get(run.clone()).unwrap_or_default();
    tokens.iter().flat_map(stems_of).any(|word| words.contains(&word))
}
