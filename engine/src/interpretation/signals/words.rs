//! Signals of the words of a question, and of what was read from them.

use super::{Evidence, Signals};
use crate::ambiguity::AmbiguityKind;
use crate::linking::Lexical;
use crate::reading::Part;

/// Kinds of ambiguity that are counted apart.
const KINDS: [(AmbiguityKind, &str); 6] = [
    (AmbiguityKind::Aggregation, "assumed: aggregation"),
    (AmbiguityKind::Column, "assumed: column"),
    (AmbiguityKind::Join, "assumed: join"),
    (AmbiguityKind::Table, "assumed: table"),
    (AmbiguityKind::UnknownTerm, "assumed: unknown term"),
    (AmbiguityKind::Value, "assumed: value"),
];

pub(super) fn add(signals: &mut Signals, evidence: &Evidence<'_>) {
    of_mentions(signals, evidence);
    of_frame(signals, evidence);
    let Evidence { question, open, .. } = evidence;
    let sentences = question.trim_end_matches(['.', '?', '!', ' ']);
    signals.flag("two sentences", sentences.contains(". ") || sentences.contains("? "));
    signals.count("assumptions", open.len(), 5);
    for (kind, name) in KINDS {
        let of_kind = open.iter().filter(|place| place.clarification.ambiguity == kind);
        signals.count(name, of_kind.count(), 3);
    }
    let others = open.iter().map(|place| place.clarification.options.len().saturating_sub(1));
    signals.count("other options", others.sum(), 8);
}

fn of_mentions(signals: &mut Signals, evidence: &Evidence<'_>) {
    let Evidence { question, mentions, .. } = evidence;
    let words = question.split_whitespace().count();
    signals.count("words in threes", words / 3, 13);
    signals.count("things named", evidence.parts(|part| *part == Part::Schema), 8);
    signals.count("numbers", evidence.parts(|part| *part == Part::Number), 3);
    signals.count("times", evidence.parts(|part| *part == Part::Time), 2);
    signals.count("unknown words", evidence.parts(|part| *part == Part::Unknown), 4);
    let vague = evidence.parts(|part| matches!(part, Part::Vague(_) | Part::Concept(_)));
    signals.count("vague words", vague, 2);
    let structure = evidence.parts(|part| *part == Part::Lexical);
    signals.count("share of structure words", structure * 100 / mentions.len().max(1) / 8, 12);
    signals.flag("negation", evidence.says(&[Lexical::Not, Lexical::Without]));
    signals.flag("both", evidence.says(&[Lexical::Both]));
    signals.flag("or", evidence.says(&[Lexical::Or]));
    signals.flag("and", evidence.says(&[Lexical::And]));
    signals.flag("each", evidence.says(&[Lexical::Distributive]));
    signals.flag("per", evidence.says(&[Lexical::Group]));
    signals.flag("distinct", evidence.says(&[Lexical::Distinct]));
    signals.flag("how many", evidence.says(&[Lexical::Count, Lexical::CountNoun]));
    signals.flag("sum or average", evidence.says(&[Lexical::Sum, Lexical::Average]));
    signals.flag("an order", evidence.says(&[Lexical::Order]));
    signals.flag("an end of an order", evidence.ranks());
    let first = mentions.first().map(|(mention, _)| mention);
    signals.flag("begins with a request", first.is_some_and(|first| first.is(Lexical::List)));
    let begin = question.split_whitespace().next().unwrap_or_default();
    signals.flag("begins with which", begin.eq_ignore_ascii_case("which"));
}

fn of_frame(signals: &mut Signals, evidence: &Evidence<'_>) {
    let frame = evidence.frame;
    signals.count("verbs that link", frame.linking.len(), 3);
    signals.count("verbs left out by their class", frame.by_class.len(), 2);
    signals.count("nouns that classify", frame.classifying.len(), 2);
    signals.count("outputs named", frame.outputs.len() + frame.output_tables.len(), 5);
    signals.count("measures named", frame.measures.len(), 3);
    signals.count("groups named", frame.groups.len(), 3);
    signals.count("conditions named", frame.conditions.len(), 5);
    signals.count("related tables", frame.related.len(), 4);
    signals.flag("a head named", frame.head.is_some());
    signals.flag("a superlative", frame.superlative.is_some());
    let by = frame.superlative.as_ref().is_some_and(|superlative| superlative.by.is_some());
    signals.flag("a superlative of a measure", by);
    signals.flag("several listed", frame.coordination.is_some());
    signals.flag("spread over rows", frame.distribution.is_some());
}
