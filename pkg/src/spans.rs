//! Converts spans from UTF-8 bytes to UTF-16 code units, the unit of JavaScript strings.

use wherefore_engine::clarification::Clarification;
use wherefore_engine::session::{
    Assumption, Completion, Preview, ProblemView, Understanding, View,
};
use wherefore_engine::text::Span;

/// Converts every span of a view: spans of explained steps refer to the SQL, all others to the question.
pub(crate) fn view_to_utf16(view: &mut View) {
    let text = std::mem::take(&mut view.question);
    understanding(&mut view.understanding, &text);
    clarifications(&mut view.clarifications, &text);
    assumptions(&mut view.assumptions, &text);
    problem(view.problem.as_mut(), &text);
    view.question = text;
    if let (Some(result), Some(sql)) = (&mut view.result, &view.sql) {
        for step in &mut result.explained {
            step.span = step.span.to_utf16(sql);
        }
    }
}

/// Converts every span of a preview of `text`.
pub(crate) fn preview_to_utf16(preview: &mut Preview, text: &str) {
    understanding(&mut preview.understanding, text);
    clarifications(&mut preview.clarifications, text);
    assumptions(&mut preview.assumptions, text);
    problem(preview.problem.as_mut(), text);
}

/// Converts every span of completions of `text`.
pub(crate) fn completions_to_utf16(completions: &mut [Completion], text: &str) {
    for completion in completions {
        completion.span = completion.span.to_utf16(text);
    }
}

/// The byte of a text at a place in UTF-16 code units; the end for one that is beyond it.
pub(crate) fn byte_at(text: &str, place: u32) -> usize {
    let mut units = 0;
    let found = text.char_indices().find(|(_, character)| {
        let is_here = units >= place as usize;
        units += character.len_utf16();
        is_here
    });
    found.map_or(text.len(), |(byte, _)| byte)
}

fn understanding(understanding: &mut Understanding, text: &str) {
    let mentions = understanding.mentions.iter_mut().map(|mention| &mut mention.span);
    let doubts = understanding.doubts.iter_mut().filter_map(|doubt| doubt.span.as_mut());
    let account = &mut understanding.account;
    let clauses = account.clauses.iter_mut().flat_map(|clause| &mut clause.spans);
    let rest = account.rest.iter_mut().map(|rest| &mut rest.span);
    let account = clauses.chain(rest);
    for span in mentions.chain(&mut understanding.unread).chain(doubts).chain(account) {
        *span = span.to_utf16(text);
    }
}

fn clarifications<'a>(all: impl IntoIterator<Item = &'a mut Clarification>, text: &str) {
    for clarification in all {
        optional(clarification.span.as_mut(), text);
    }
}

fn assumptions(all: &mut [Assumption], text: &str) {
    for assumption in all {
        optional(assumption.span.as_mut(), text);
        clarifications([&mut assumption.clarification], text);
    }
}

fn problem(problem: Option<&mut ProblemView>, text: &str) {
    optional(problem.and_then(|problem| problem.span.as_mut()), text);
}

fn optional(span: Option<&mut Span>, text: &str) {
    if let Some(span) = span {
        *span = span.to_utf16(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_engine::session::{MentionKind, MentionView};
    use wherefore_engine::{Remainder, RemainderKind};

    #[test]
    fn a_cursor_in_code_units_is_a_byte() {
        let text = "🍷 é";
        let bytes: Vec<usize> = [0, 2, 3, 4, 99].map(|place| byte_at(text, place)).to_vec();
        assert_eq!(bytes, [0, 4, 5, 7, 7]);
    }

    #[test]
    fn every_span_of_a_view_counts_code_units() {
        let text = "🍷 sales";
        let span = Span::new(5, 10);
        let mut view = View { question: text.to_owned(), ..View::default() };
        view.understanding.unread.push(span);
        view.understanding.account.rest.push(Remainder { span, reading: RemainderKind::Unread });
        view.understanding.mentions.push(MentionView {
            span,
            phrase: "sales".to_owned(),
            kind: MentionKind::Table,
            meaning: "sales".to_owned(),
            confidence: 1.0,
            reason: String::new(),
            rivals: Vec::new(),
        });
        view_to_utf16(&mut view);
        assert_eq!(view.understanding.unread, [Span::new(3, 8)]);
        assert_eq!(view.understanding.mentions[0].span, Span::new(3, 8));
        assert_eq!(view.understanding.account.rest[0].span, Span::new(3, 8));
        assert_eq!(view.question, text);
    }
}
