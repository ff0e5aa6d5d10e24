//! Values of text parameters that no column lists: words of the question that match the pattern of the parameter.

use std::ops::Range;

use super::confidence::ParameterSource;
use super::index::Known;
use super::parameter::{Place, Unfit, Value, is_rivalled};
use super::question::{TemplateQuestion, Usage};
use crate::catalog::QueryTemplate;
use crate::confidence::Method;
use crate::text::TokenKind;
use wherefore_sql::tree::Literal;

/// Maximum length of a value, in tokens.
const LONGEST: usize = 8;

/// The longest part of the runs of unused words that matches the parameter's pattern as a whole.
pub(super) fn formed(
    question: &TemplateQuestion<'_>,
    usage: &Usage,
    known: &Known,
    runs: &[Range<usize>],
) -> Option<Value> {
    let pattern = known.pattern.as_ref().filter(|_| known.free)?;
    for length in (1..=LONGEST).rev() {
        for run in runs.iter().filter(|run| run.len() >= length) {
            for start in run.start..=run.end - length {
                let tokens = start..start + length;
                let Some(text) = written(question, &tokens) else { continue };
                if usage.is_free(&tokens) && pattern.admits(text) {
                    return Some(Value {
                        literal: Literal::String(text.to_owned()),
                        text: text.to_owned(),
                        shown: text.to_owned(),
                        source: ParameterSource::Stated,
                        score: Method::Exact.base(),
                        method: None,
                        rivalled: is_rivalled(question, tokens.clone(), known),
                        tokens,
                        others: Vec::new(),
                    });
                }
            }
        }
    }
    None
}

/// Binds the only run of words that the template does not know to the only parameter that lacks a text; returns its
/// tokens.
pub(super) fn unfit(
    template: &QueryTemplate,
    parameters: &[Known],
    runs: &[Range<usize>],
    places: &mut [Option<Place>],
) -> Option<Range<usize>> {
    let [tokens] = runs else { return None };
    let mut lacking = template
        .parameters
        .iter()
        .zip(parameters)
        .zip(places)
        .filter(|((_, known), place)| place.is_none() && known.free && known.pattern.is_some());
    let (Some((_, place)), None) = (lacking.next(), lacking.next()) else { return None };
    *place =
        Some(Place::Unfit(Unfit { tokens: tokens.clone(), stored: false, others: Vec::new() }));
    Some(tokens.clone())
}

/// Text of tokens as written, without quotation marks; `None` if they are only a part of a written word.
fn written<'q>(question: &TemplateQuestion<'q>, tokens: &Range<usize>) -> Option<&'q str> {
    let range = question.tokens.get(tokens.clone())?;
    if let [token] = range
        && token.kind == TokenKind::Quoted
    {
        return Some(&token.raw);
    }
    let span = range.first()?.span.union(range.last()?.span);
    let before = question.text.get(..span.start as usize)?.chars().next_back();
    let after = question.text.get(span.end as usize..)?.chars().next();
    let apart = |letter: char| letter.is_whitespace() || "?!.,;:()\"'“”‘’".contains(letter);
    (before.is_none_or(apart) && after.is_none_or(apart)).then(|| span.of(question.text))
}
