//! Renders the reply of a model for users: statement, questions, failure.

use super::question::Question;
use super::statement::Refusal;
use super::{Assumption, ExecutionFailure, Note, NoteKind, ProblemView, View};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::ColumnRef;
use crate::clarification::{
    Clarification, ClarificationOption, Decision, OptionBinding, Relation, clarify,
};
use crate::text::Span;
use crate::writing::{Writer, WrittenOption, WrittenQuestion, WrittenStatement};

/// Shows the statement of a model, and the answers to its questions.
pub(super) fn show_statement(view: &mut View, question: &Question, statement: &WrittenStatement) {
    view.writer = Writer::Model;
    view.mode = statement.mode;
    view.confirmation = Some(statement.explanation.clone());
    view.stated.clone_from(&statement.assumptions);
    view.sub_questions.clone_from(&statement.steps);
    let answered = answered(question, &view.assumptions);
    view.assumptions.extend(answered);
}

/// Decisions that are not yet shown: answers to questions of the model.
fn answered(question: &Question, shown: &[Assumption]) -> Vec<Assumption> {
    let choices = &question.choices;
    let is_shown = |id: &String| shown.iter().any(|known| known.id == *id);
    let answered = choices.decisions().iter().filter(|made| !is_shown(&made.id));
    let answered = answered.filter_map(|made| {
        let clarification = choices.seen.get(&made.id)?.clone();
        let chosen = clarification.options.iter().find(|option| option.binding == made.binding);
        let chosen = chosen?.clone();
        Some(Assumption {
            id: made.id.clone(),
            phrase: clarification.phrase.clone(),
            span: clarification.span,
            meaning: chosen.label.clone(),
            source: made.source,
            from_memory: None,
            clarification,
            chosen: Some(chosen),
        })
    });
    answered.collect()
}

/// Notes on a statement of a model: its origin, doubts, fixes and assumptions.
pub(super) fn notes(statement: &WrittenStatement) -> Vec<Note> {
    let note = |text: String| Note { kind: NoteKind::Model, text };
    let taken = statement.assumptions.iter();
    let taken =
        taken.map(|stated| note(format!("It interpreted “{}” as {}.", stated.term, stated.value)));
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
    questions.iter().map(|question| clarification(text, question, by_model)).collect()
}

fn clarification(text: &str, question: &WrittenQuestion, by_model: bool) -> Clarification {
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
            custom: None,
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
