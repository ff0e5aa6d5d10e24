//! Typed definitions: reads a text as a condition on the rows of a table.

use super::interpreter::Interpreter;
use super::linked::Linked;
use crate::ambiguity::Severity;
use crate::compose::{Composer, Decisions, Failure, compose, predicate_table};
use crate::failure::FailureCode;
use crate::intent::{Predicate, QueryTree};
use crate::linking::{Lexical, Named, TableId, ValueIndex, words_of_identifier};
use crate::reading::{Frame, Group, parse};
use crate::text::Span;

/// Maximum number of alternatives that a text is split into.
const ALTERNATIVES: usize = 8;

impl Interpreter<'_> {
    /// Reads a text as a condition on the rows of a table; the span of a failure refers to the text.
    pub(crate) fn definition(
        &self,
        text: &str,
        table: TableId,
        found: &ValueIndex,
    ) -> Result<Predicate, Failure> {
        let hint = "name a column and what holds for it";
        check_length(text, self.settings.question_bytes, hint)?;
        let whole = self.condition_of(text, table, found);
        let Err(refused) = whole else { return whole };
        let alternatives = self.alternatives(text, table, found);
        if alternatives.len() < 2 || alternatives.len() > ALTERNATIVES {
            return Err(refused);
        }
        let conditions: Result<Vec<Predicate>, Failure> = alternatives
            .into_iter()
            .map(|place| self.condition_of(place.of(text), table, found))
            .collect();
        match conditions {
            Ok(conditions) => Ok(Predicate::Any { conditions }),
            Err(_) => Err(refused),
        }
    }

    /// Spans between the words "or" of a text.
    fn alternatives(&self, text: &str, table: TableId, found: &ValueIndex) -> Vec<Span> {
        let linked = self.linked(text, found, false, Some(table));
        let mut places = Vec::new();
        let mut start = 0;
        for mention in linked.mentions.iter().filter(|mention| mention.is(Lexical::Or)) {
            places.push(Span { start, end: mention.span.start });
            start = mention.span.end;
        }
        places.push(Span { start, end: Span::new(0, text.len()).end });
        places.retain(|place| place.of(text).chars().any(char::is_alphanumeric));
        places
    }

    fn condition_of(
        &self,
        text: &str,
        table: TableId,
        found: &ValueIndex,
    ) -> Result<Predicate, Failure> {
        let name = words_of_identifier(&self.catalog.table_at(table).name);
        let lead = format!("{} where ", name.join(" "));
        let question = format!("{lead}{text}");
        let in_text = |failure: Failure| Failure {
            span: failure.span.and_then(|span| behind(span, lead.len())),
            ..failure
        };
        let Linked { mentions, parts, .. } = self.linked(&question, found, false, Some(table));
        let mut frame =
            parse(self.catalog, self.schema, self.lexicon, self.units, (&mentions, &parts), None);
        let (decisions, head) = (Decisions::new(), frame.head.map_or(0, |(_, at)| at));
        frame.head = Some((table, usize::MAX));
        let mut composer = self.composer(&question, &mentions, &decisions);
        refuse_other_than_conditions(&composer, &frame, head).map_err(in_text)?;
        let tree = compose(&mut composer, &frame).map_err(|failure| {
            in_text(Failure { code: FailureCode::DefinitionNotComposable, ..failure })
        })?;
        refuse_ambiguity(&composer).map_err(in_text)?;
        one_condition(tree)
    }
}

/// Rejects a text that is too long or has no word.
pub(super) fn check_length(text: &str, limit: u32, hint: &str) -> Result<(), Failure> {
    if text.len() > limit as usize {
        let message = format!("it is longer than the {limit} bytes that are read");
        let hint = "say it in fewer words";
        return Err(failure(FailureCode::DefinitionTooLong, message, hint, None));
    }
    if !text.chars().any(char::is_alphanumeric) {
        let message = "it holds no word".to_owned();
        return Err(failure(FailureCode::DefinitionEmpty, message, hint, None));
    }
    Ok(())
}

/// Rejects a text that asks for anything but conditions on rows.
fn refuse_other_than_conditions(
    composer: &Composer<'_>,
    frame: &Frame,
    head: usize,
) -> Result<(), Failure> {
    let at = |at: usize| (at != head).then_some(at).and_then(|at| composer.span(at));
    if let Some(unread) = frame.unread.first() {
        let message = format!("“{}” is not in this data", composer.phrase(*unread));
        let hint = "use column names and stored values";
        return Err(failure(FailureCode::DefinitionUnread, message, hint, at(*unread)));
    }
    if let Some(blocked) = frame.blocked.first() {
        let message =
            format!("“{}” cannot be written: {}", composer.phrase(blocked.at), blocked.reason);
        let hint = "use simpler conditions, joined by “and” or “or”";
        return Err(failure(FailureCode::DefinitionNotComposable, message, hint, at(blocked.at)));
    }
    if let Some(term) = frame.vague.first() {
        let message = format!("“{}” needs a definition itself", composer.phrase(term.at));
        let hint = "use numbers, dates and values as they are stored";
        return Err(failure(FailureCode::DefinitionVague, message, hint, at(term.at)));
    }
    let groups = frame.groups.iter().map(|group| match group {
        Group::Thing(at) | Group::Table(_, at) | Group::Period { at, .. } => *at,
    });
    let other = frame
        .measures
        .iter()
        .map(|measure| measure.at)
        .chain(groups)
        .chain(frame.superlative.iter().map(|superlative| superlative.at))
        .chain(frame.order.iter().filter_map(|order| order.at))
        .chain(frame.limit.iter().map(|(_, at)| *at))
        .chain(frame.trend)
        .chain(frame.growth)
        .chain(frame.unit)
        .chain(frame.outputs.iter().copied())
        .chain(frame.output_tables.iter().map(|(_, at)| *at))
        .next();
    match other {
        Some(other) => {
            let message = format!("“{}” sets no condition", composer.phrase(other));
            let hint = "say what must hold, such as a comparison with a number";
            Err(failure(FailureCode::DefinitionNotACondition, message, hint, at(other)))
        }
        None => Ok(()),
    }
}

/// Rejects ambiguous words, because the answer to a clarification is not clarified again.
fn refuse_ambiguity(composer: &Composer<'_>) -> Result<(), Failure> {
    let open = composer.open.iter().find(|open| {
        open.decided.is_none()
            && open.clarification.severity != Severity::Minor
            && open.clarification.options.len() > 1
    });
    let Some(open) = open else { return Ok(()) };
    let labels: Vec<&str> =
        open.clarification.options.iter().map(|option| option.label.as_str()).collect();
    let message = format!("“{}” may mean {}", open.clarification.phrase, labels.join(" or "));
    let hint = "name the one that is meant";
    Err(failure(FailureCode::DefinitionAmbiguous, message, hint, open.clarification.span))
}

/// Combines the conditions of a query tree, if they all apply to rows of one table.
pub(super) fn one_condition(tree: QueryTree) -> Result<Predicate, Failure> {
    let mut conditions = tree.filters;
    let several = !tree.joins.is_empty()
        && conditions.iter().any(|condition| {
            predicate_table(condition) != conditions.first().and_then(predicate_table)
        });
    if several {
        let message = "it sets conditions on several tables at once".to_owned();
        let hint = "set conditions on one table";
        return Err(failure(FailureCode::DefinitionNotComposable, message, hint, None));
    }
    match (conditions.pop(), conditions.is_empty()) {
        (Some(one), true) => Ok(one),
        (Some(last), false) => {
            conditions.push(last);
            Ok(Predicate::All { conditions })
        }
        (None, _) => {
            let hint = "say what must hold, such as a comparison with a number";
            Err(failure(
                FailureCode::DefinitionNotACondition,
                "it sets no condition".to_owned(),
                hint,
                None,
            ))
        }
    }
}

/// The span relative to the end of a prefix of `lead` bytes; `None` if the span starts in the prefix.
fn behind(span: Span, lead: usize) -> Option<Span> {
    let lead = u32::try_from(lead).ok()?;
    Some(Span { start: span.start.checked_sub(lead)?, end: span.end.checked_sub(lead)? })
}

pub(super) fn failure(
    code: FailureCode,
    message: String,
    hint: &str,
    span: Option<Span>,
) -> Failure {
    Failure { code, message, hint: hint.to_owned(), span }
}
