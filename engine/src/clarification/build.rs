//! Builds clarifications: id, options, and plain text.

use std::borrow::Cow;
use std::fmt::Write;

use super::wording::{Asked, question};
use super::{Clarification, ClarificationOption, CustomInput, Decision, OptionBinding};
use crate::ambiguity::AmbiguityKind;

/// Builds the clarification of a decision.
pub(crate) fn clarify(text: &str, decision: Decision) -> Clarification {
    let Decision { kind, severity, span, phrase, relation, reason, options, recommended, custom } =
        decision;
    let id = clarification_id(text, kind, &phrase, span.map_or(0, |span| span.start));
    let undefined = kind == AmbiguityKind::VagueTerm
        && options.iter().all(|option| option.binding == OptionBinding::Ignore);
    // A value that may be left out is asked about by the value alone.
    let left_out = |option: &ClarificationOption| option.binding == OptionBinding::Ignore;
    let told = |option: &&ClarificationOption| {
        let value = matches!(kind, AmbiguityKind::Value | AmbiguityKind::Threshold);
        !(undefined || value && left_out(option))
    };
    let mut labels: Vec<&str> =
        options.iter().filter(told).map(|option| option.label.as_str()).collect();
    // Among values, "all of them" comes last in a sentence, even where it is recommended.
    let first = recommended.filter(|_| kind != AmbiguityKind::Value);
    if let Some(first) = first.and_then(|position| labels.get_mut(..=position)) {
        first.rotate_right(1);
    }
    let asked = question(Asked {
        kind,
        relation,
        phrase: &phrase,
        missing: span.is_none(),
        labels: &labels,
    });
    let mut plain_text = asked.clone();
    for (number, option) in options.iter().enumerate() {
        let _ = write!(plain_text, "\n{}. {}", number + 1, option.label);
        if !option.description.is_empty() {
            let _ = write!(plain_text, " ({})", option.description);
        }
    }
    if let Some(custom) = &custom {
        let _ = write!(plain_text, "\n{}. {}", options.len() + 1, custom_words(custom));
    }
    if !options.is_empty() {
        plain_text.push_str("\nOr: use the best guess.");
    }
    let recommended =
        recommended.and_then(|position| options.get(position)).map(|option| option.id.clone());
    Clarification {
        id,
        ambiguity: kind,
        severity,
        span,
        phrase,
        question: asked,
        reason,
        options,
        custom,
        recommended,
        understood: Vec::new(),
        plain_text,
    }
}

fn custom_words(custom: &CustomInput) -> Cow<'static, str> {
    match custom {
        CustomInput::DateRange { .. } => "Another range: first and last day".into(),
        CustomInput::Number { .. } => "Another number".into(),
        CustomInput::Text { parameter: Some(input), .. } => {
            format!("Something else: {}", input.expected()).into()
        }
        CustomInput::Text { .. } => "Something else".into(),
    }
}

/// Id of a clarification: `q_` and 16 hexadecimal digits of an FNV-1a hash of question, kind, phrase and position.
pub(crate) fn clarification_id(
    question: &str,
    kind: AmbiguityKind,
    phrase: &str,
    start: u32,
) -> String {
    let text = format!("{}\u{1f}{kind:?}\u{1f}{phrase}\u{1f}{start}", question.trim());
    let hash = crate::text::hash(&text);
    format!("q_{hash:016x}")
}
