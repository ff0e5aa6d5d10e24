//! Builds clarifications: id, question and plain text.

use std::fmt::Write;

use super::{Clarification, CustomInput, Decision, OptionBinding};
use crate::ambiguity::AmbiguityKind;

/// Builds the clarification of a decision.
pub(crate) fn clarify(question: &str, decision: Decision) -> Clarification {
    let Decision { kind, severity, span, phrase, reason, options, recommended, custom } = decision;
    let id = clarification_id(question, kind, &phrase, span.map_or(0, |span| span.start));
    let labels: Vec<&str> = options.iter().map(|option| option.label.as_str()).collect();
    let best = recommended.and_then(|position| labels.get(position)).or(labels.first());
    let undefined = kind == AmbiguityKind::VagueTerm
        && options.iter().all(|option| option.binding == OptionBinding::Ignore);
    let best = best.filter(|_| !undefined);
    let asked = ask(kind, &phrase, span.is_none(), best.copied(), &labels);
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
    plain_text.push_str("\nOr: use the best guess.");
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

fn custom_words(custom: &CustomInput) -> &'static str {
    match custom {
        CustomInput::DateRange { .. } => "Another range: first and last day",
        CustomInput::Number { .. } => "Another number",
        CustomInput::Text { .. } => "Something else",
    }
}

/// Text of a clarification, with the most likely reading first; `missing` if the phrase does not occur in the
/// question.
fn ask(
    kind: AmbiguityKind,
    phrase: &str,
    missing: bool,
    best: Option<&str>,
    labels: &[&str],
) -> String {
    let Some(best) = best else {
        return match kind {
            AmbiguityKind::Intent => "What should be shown?".to_owned(),
            _ => format!("What does “{phrase}” mean here?"),
        };
    };
    let others: Vec<&str> = labels.iter().copied().filter(|label| *label != best).collect();
    let rest = match others.as_slice() {
        [] => String::new(),
        [one] => format!(", or {one}"),
        [first, second] => format!(", or {first} or {second}"),
        _ => ", or something else".to_owned(),
    };
    match kind {
        AmbiguityKind::Intent => "What should be shown?".to_owned(),
        AmbiguityKind::UnknownTerm => {
            let several = phrase.contains("”, “");
            let (are, them) = if several { ("are", "them") } else { ("is", "it") };
            format!("“{phrase}” {are} not in this data. What should happen with {them}?")
        }
        AmbiguityKind::Aggregation
        | AmbiguityKind::Column
        | AmbiguityKind::Table
        | AmbiguityKind::Value
            if missing =>
        {
            format!("Which {phrase} is meant: {best}{rest}?")
        }
        AmbiguityKind::TimeWindow => format!("Which period is meant: {best}{rest}?"),
        _ => format!("It looks like “{phrase}” means {best}. Is that right{rest}?"),
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
