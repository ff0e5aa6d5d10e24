//! Renders the reply of a model for users: statement, questions, failure.

use super::question::Question;
use super::statement::Refusal;
use super::{Assumption, ExecutionFailure, Note, NoteKind, ProblemView, View};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{Catalog, ColumnRef};
use crate::clarification::{
    AssumptionSource, Clarification, ClarificationOption, CustomInput, Decision, OptionBinding,
    Relation, clarify,
};
use crate::narration::Describer;
use crate::text::Span;
use crate::writing::{StatedAssumption, Writer, WrittenOption, WrittenQuestion, WrittenStatement};

/// Shows the statement of a model, the answers to its questions, and what it assumed.
pub(super) fn show_statement(
    catalog: &Catalog,
    view: &mut View,
    question: &mut Question,
    statement: &WrittenStatement,
) {
    view.writer = Writer::Model;
    view.mode = statement.mode;
    view.confirmation = Some(statement.explanation.clone());
    view.stated.clone_from(&statement.assumptions);
    view.sub_questions.clone_from(&statement.steps);
    let answered = answered(catalog, question, &view.assumptions);
    view.assumptions.extend(answered);
    for stated in &statement.assumptions {
        let assumed = assumed(&question.asked.text, stated, statement.table.as_deref());
        let known = |id: &String| {
            question.choices.is_decided(id) || view.assumptions.iter().any(|it| it.id == *id)
        };
        if let Some(assumed) = assumed.filter(|assumed| !known(&assumed.id)) {
            question.choices.see(&assumed.clarification);
            view.assumptions.push(assumed);
        }
    }
}

/// An assumption of the model, which can be changed to another of its options, or to a condition in the user's words;
/// `None` if its words are no part of the question and it has no options.
fn assumed(text: &str, stated: &StatedAssumption, table: Option<&str>) -> Option<Assumption> {
    let asked = WrittenQuestion {
        phrase: stated.term.clone(),
        reason: stated.reason.clone(),
        options: stated.options.clone(),
    };
    if stated.options.is_empty() && place(text, &stated.term).is_none() {
        return None;
    }
    let words = table.map(|table| CustomInput::Text {
        placeholder: String::new(),
        table: table.to_owned(),
        parameter: None,
    });
    let custom = if stated.options.is_empty() { Some(words?) } else { None };
    let mut clarification = clarification(text, &asked, true, custom);
    let chosen = clarification.options.first().cloned();
    clarification.recommended = chosen.as_ref().map(|option| option.id.clone());
    Some(Assumption {
        id: clarification.id.clone(),
        phrase: clarification.phrase.clone(),
        span: clarification.span,
        meaning: stated.value.clone(),
        source: AssumptionSource::Model,
        from_memory: None,
        clarification,
        chosen,
    })
}

/// Decisions that are not yet shown: answers to questions of the model.
fn answered(catalog: &Catalog, question: &Question, shown: &[Assumption]) -> Vec<Assumption> {
    let choices = &question.choices;
    let is_shown = |id: &String| shown.iter().any(|known| known.id == *id);
    let answered = choices.decisions().iter().filter(|made| !is_shown(&made.id));
    let answered = answered.filter_map(|made| {
        let clarification = choices.seen.get(&made.id)?.clone();
        let chosen = clarification.options.iter().find(|option| option.binding == made.binding);
        let meaning = match (chosen, &made.binding) {
            (Some(option), _) => option.label.clone(),
            (None, OptionBinding::Predicate { predicate }) => {
                Describer { catalog }.predicate(predicate)
            }
            (None, _) => return None,
        };
        let chosen = chosen.cloned();
        Some(Assumption {
            id: made.id.clone(),
            phrase: clarification.phrase.clone(),
            span: clarification.span,
            meaning,
            source: made.source,
            from_memory: None,
            clarification,
            chosen,
        })
    });
    answered.collect()
}

/// Notes on a statement of a model: its origin, doubts, fixes and assumptions.
pub(super) fn notes(statement: &WrittenStatement) -> Vec<Note> {
    let note = |text: String| Note { kind: NoteKind::Model, text };
    let taken = statement.assumptions.iter();
    let taken = taken.map(|stated| {
        let sure = stated.confidence.map(|sure| format!("{:.0} % sure", sure * 100.0));
        let reason = Some(stated.reason.clone()).filter(|reason| !reason.is_empty());
        let why: Vec<String> = reason.into_iter().chain(sure).collect();
        let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join("; ")) };
        note(format!("It interpreted “{}” as {}{why}.", stated.term, stated.value))
    });
    let by_model = "A model wrote this query: read it before you rely on it.".to_owned();
    let mended = statement.corrected.iter().map(|made| note(format!("It was corrected: {made}.")));
    let doubted = statement.doubts.iter().map(|doubt| note(format!("It may be wrong: {doubt}.")));
    std::iter::once(note(by_model)).chain(doubted).chain(mended).chain(taken).collect()
}

/// The refusal of the question, combined with the failure of the model.
pub(super) fn problem(refusal: Refusal, failure: ExecutionFailure) -> ProblemView {
    let message = format!("a model is needed for this, and {}", failure.message);
    let refused = refusal.problem;
    if failure.retryable {
        let hint = "try again in a moment".to_owned();
        return ProblemView { message, retryable: true, hint, code: failure.code, ..refused };
    }
    ProblemView { message, retryable: false, ..refused }
}

/// Clarifications of questions that a model asks, or that differing drafts raise.
pub(super) fn clarifications(
    text: &str,
    questions: &[WrittenQuestion],
    by_model: bool,
) -> Vec<Clarification> {
    questions.iter().map(|question| clarification(text, question, by_model, None)).collect()
}

fn clarification(
    text: &str,
    question: &WrittenQuestion,
    by_model: bool,
    custom: Option<CustomInput>,
) -> Clarification {
    let option = |option: &WrittenOption| {
        let WrittenOption { label, table, column, value, figure } = option.clone();
        let (id, binding) = match (column, value) {
            (Some(column), _) if let Some(function) = figure => {
                let id = format!("{column} {label}");
                (id, OptionBinding::Aggregate { function })
            }
            (None, _) => (table.clone(), OptionBinding::Table { table }),
            (Some(column), None) => {
                let column = ColumnRef { table, column };
                (column.to_string(), OptionBinding::Column { column })
            }
            (Some(column), Some(value)) => {
                let column = ColumnRef { table, column };
                (format!("{column}={value}"), OptionBinding::Value { column, value })
            }
        };
        ClarificationOption { id, label, description: String::new(), binding, confidence: None }
    };
    let options: Vec<ClarificationOption> = question.options.iter().map(option).collect();
    let span = place(text, &question.phrase);
    clarify(
        text,
        Decision {
            kind: match options.first().map(|option| &option.binding) {
                Some(OptionBinding::Aggregate { .. }) => AmbiguityKind::Aggregation,
                Some(OptionBinding::Column { .. }) => AmbiguityKind::Column,
                Some(OptionBinding::Value { .. }) => AmbiguityKind::Value,
                None => AmbiguityKind::VagueTerm,
                _ => AmbiguityKind::Table,
            },
            severity: Severity::Important,
            phrase: span.map_or(question.phrase.as_str(), |span| span.of(text)).to_owned(),
            span,
            relation: Relation::Means,
            reason: if question.reason.is_empty() {
                "the language model asks this".to_owned()
            } else if by_model {
                format!("the language model asks: {}", question.reason)
            } else {
                question.reason.clone()
            },
            options,
            recommended: None,
            custom,
        },
    )
}

/// Span of words in a question, ignoring case; `None` if they do not occur.
fn place(question: &str, words: &str) -> Option<Span> {
    let words = words.trim();
    if words.is_empty() {
        return None;
    }
    question.char_indices().find_map(|(start, _)| {
        let end = start + words.len();
        let same = question.get(start..end)?.eq_ignore_ascii_case(words);
        same.then(|| Span::new(start, end))
    })
}
