//! Who owns each character of a question: a clause, or a way of reading the rest.

use super::{Remainder, RemainderKind};
use crate::text::Span;

/// What a character belongs to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Owner {
    /// The clause at a position.
    Clause(usize),
    /// No clause.
    Rest(RemainderKind),
}

/// Spans of a text with their owners, the more important ones first.
pub(super) type Claims = Vec<(Span, Owner)>;

/// Gives each character of `text` that is not a space to the first claim that covers it.
///
/// Characters that nothing claims are punctuation, or `unclaimed` if they are letters or digits. Returns runs of
/// characters of one claim, in order; they do not overlap and lie on character boundaries.
pub(super) fn shared_out(text: &str, claims: &Claims, unclaimed: RemainderKind) -> Claims {
    let mut runs: Vec<(Span, Owner, Option<usize>)> = Vec::new();
    for (start, character) in text.char_indices() {
        let span = Span::new(start, start + character.len_utf8());
        if character.is_whitespace() {
            continue;
        }
        let claim = claims.iter().position(|(claimed, _)| claimed.contains(span));
        let owner = match claim {
            Some(claim) => claims[claim].1,
            None if character.is_alphanumeric() => Owner::Rest(unclaimed),
            None => Owner::Rest(RemainderKind::Punctuation),
        };
        match runs.last_mut() {
            Some((last, known, by))
                if *known == owner
                    && *by == claim
                    && (claim.is_some() || last.end == span.start) =>
            {
                last.end = span.end;
            }
            _ => runs.push((span, owner, claim)),
        }
    }
    runs.into_iter().map(|(span, owner, _)| (span, owner)).collect()
}

/// The runs that belong to no clause.
pub(super) fn remainders(runs: &Claims) -> Vec<Remainder> {
    let rest = runs.iter().filter_map(|(span, owner)| match owner {
        Owner::Rest(reading) => Some(Remainder { span: *span, reading: *reading }),
        Owner::Clause(_) => None,
    });
    rest.collect()
}
