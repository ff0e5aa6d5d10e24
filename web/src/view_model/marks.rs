//! Splits a question into spans to highlight.

use wherefore_engine::session::MentionKind;
use wherefore_engine::text::Span;

use crate::engine_client::{Clarification, Understanding};

/// Highlight of a span.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mark {
    /// Linked to something.
    Mention(MentionKind),
    /// Ambiguous: a clarification would ask about it.
    Open,
    /// Not highlighted.
    Plain,
    /// Not understood.
    Unread,
}

impl Mark {
    /// CSS class of the highlight.
    pub fn class(self) -> &'static str {
        match self {
            Self::Mention(kind) => mention_class(kind),
            Self::Open => "mark mark-open",
            Self::Plain => "",
            Self::Unread => "mark mark-unread",
        }
    }
}

/// CSS class of a kind of mention.
pub fn mention_class(kind: MentionKind) -> &'static str {
    match kind {
        MentionKind::Table => "mark mark-table",
        MentionKind::Column => "mark mark-column",
        MentionKind::Value | MentionKind::Number => "mark mark-value",
        MentionKind::Time => "mark mark-time",
        MentionKind::VagueTerm => "mark mark-open",
        _ => "mark mark-operation",
    }
}

/// Spans of a question in order, which cover the whole text.
///
/// Where spans overlap, ambiguous ones take precedence over linked ones, and those over unread ones. Spans outside the
/// text are ignored.
pub fn pieces<'a>(
    question: &'a str,
    understanding: &Understanding,
    clarifications: &[Clarification],
) -> Vec<(Mark, &'a str)> {
    let open = clarifications.iter().filter_map(|open| Some((Mark::Open, open.span?)));
    let tied =
        understanding.mentions.iter().map(|mention| (Mark::Mention(mention.kind), mention.span));
    let unread = understanding.unread.iter().map(|span| (Mark::Unread, *span));

    let mut kept: Vec<(Mark, Span)> = Vec::new();
    for (mark, span) in open.chain(tied).chain(unread) {
        let fits = !span.of(question).is_empty();
        if fits && !kept.iter().any(|(_, other)| other.overlaps(span)) {
            let place = kept.partition_point(|(_, other)| other.start < span.start);
            kept.insert(place, (mark, span));
        }
    }

    let mut pieces = Vec::new();
    let mut end = 0;
    for (mark, span) in kept {
        let start = span.start as usize;
        if start > end {
            pieces.push((Mark::Plain, &question[end..start]));
        }
        pieces.push((mark, span.of(question)));
        end = span.end as usize;
    }
    if end < question.len() {
        pieces.push((Mark::Plain, &question[end..]));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{Mark, pieces};
    use crate::engine_client::Understanding;
    use wherefore_engine::session::{MentionKind, MentionView};
    use wherefore_engine::text::Span;

    fn mention(kind: MentionKind, start: usize, end: usize) -> MentionView {
        MentionView {
            span: Span::new(start, end),
            phrase: String::new(),
            kind,
            meaning: String::new(),
            confidence: 1.0,
            reason: String::new(),
            rivals: Vec::new(),
        }
    }

    #[test]
    fn pieces_carry_their_mark_and_lose_no_text() {
        let question = "größte albums zyx";
        let understanding = Understanding {
            mentions: vec![
                mention(MentionKind::Table, 9, 15),
                mention(MentionKind::Ordering, 0, 8),
                mention(MentionKind::Column, 9, 12),
            ],
            unread: vec![Span::new(16, 19)],
            ..Understanding::default()
        };
        assert_eq!(
            pieces(question, &understanding, &[]),
            [
                (Mark::Mention(MentionKind::Ordering), "größte"),
                (Mark::Plain, " "),
                (Mark::Mention(MentionKind::Table), "albums"),
                (Mark::Plain, " "),
                (Mark::Unread, "zyx"),
            ]
        );
    }

    #[test]
    fn places_that_do_not_fit_are_left_out() {
        let question = "größe";
        let understanding = Understanding {
            mentions: vec![mention(MentionKind::Column, 3, 4), mention(MentionKind::Column, 5, 99)],
            ..Understanding::default()
        };
        assert_eq!(pieces(question, &understanding, &[]), [(Mark::Plain, "größe")]);
    }
}
