//! Spans of expressions and clauses in the text.

use crate::place::leaves;
use crate::tree::{Expr, SqlSpan};

/// The tokens of a text, with matching brackets.
pub(super) struct Places<'a> {
    text: &'a str,
    tokens: &'a [SqlSpan],
    /// Index of the matching bracket; for any other token, its own index.
    partners: Vec<usize>,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [SqlSpan]) -> Self {
        let mut partners: Vec<usize> = (0..tokens.len()).collect();
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match text.get(token.start as usize..token.end as usize) {
                Some("(" | "[") => open.push(at),
                Some(")" | "]") => {
                    if let Some(first) = open.pop() {
                        partners[first] = at;
                        partners[at] = first;
                    }
                }
                _ => {}
            }
        }
        Self { text, tokens, partners }
    }

    /// Text of a span.
    pub(super) fn text_of(&self, span: SqlSpan) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Span of an expression: its leaves, extended to balance brackets.
    pub(super) fn of(&self, expr: &Expr) -> SqlSpan {
        leaves(expr).map_or_else(SqlSpan::default, |span| self.widened(span, expr))
    }

    /// Span of several expressions.
    pub(super) fn of_all<'e>(&self, list: impl IntoIterator<Item = &'e Expr>) -> SqlSpan {
        list.into_iter().map(|expr| self.of(expr)).fold(SqlSpan::default(), joined)
    }

    /// Span of the select list before a source's FROM, for SELECT *.
    pub(super) fn star_before(&self, source: SqlSpan) -> SqlSpan {
        let mut at = self.token_at(source.start);
        while at > 0 && !self.is_word(at, "from") {
            at -= 1;
        }
        let mut first = at;
        while first > 0 && !self.is_word(first, "select") {
            first -= 1;
        }
        if at == 0 || first + 1 >= at {
            return SqlSpan::default();
        }
        self.between(first + 1, at - 1)
    }

    fn token(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |span| self.text_of(*span))
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        self.token(at).eq_ignore_ascii_case(word)
    }

    fn token_at(&self, byte: u32) -> usize {
        self.tokens.partition_point(|token| token.end <= byte)
    }

    fn between(&self, first: usize, last: usize) -> SqlSpan {
        match (self.tokens.get(first), self.tokens.get(last)) {
            (Some(first), Some(last)) => SqlSpan { start: first.start, end: last.end },
            _ => SqlSpan::default(),
        }
    }

    fn widened(&self, span: SqlSpan, expr: &Expr) -> SqlSpan {
        let mut first = self.token_at(span.start);
        let mut last = self.token_at(span.end.saturating_sub(1));
        if matches!(self.token(last + 1), "(") && !self.is_keyword(last) {
            last = self.partners[last + 1];
        }
        let mut at = first;
        while at <= last && at < self.partners.len() {
            let partner = self.partners[at];
            if partner > last {
                last = partner;
            } else if partner < first {
                first = partner;
            }
            at += 1;
        }
        if self.token(first) == "(" && first > 0 && has_own_syntax(self.token(first - 1)) {
            first -= 1;
        }
        match expr {
            Expr::Case { .. } => {
                while first > 0 && !self.is_word(first, "case") {
                    first -= 1;
                }
                while last + 1 < self.tokens.len() && !self.is_word(last, "end") {
                    last += 1;
                }
            }
            Expr::IsNull { .. } => {
                let end = (last + 4).min(self.tokens.len());
                if let Some(null) = (last + 1..end).find(|at| self.is_word(*at, "null")) {
                    last = null;
                }
            }
            Expr::Exists { negated, .. } => {
                let is_outer = |at: usize| self.is_word(at, "exists") || self.token(at) == "(";
                while first > 0 && !self.is_word(first, "exists") && !is_outer(first - 1) {
                    first -= 1;
                }
                while first > 0 && !self.is_word(first, "exists") && is_outer(first - 1) {
                    first -= 1;
                }
                if *negated && first > 0 && self.is_word(first - 1, "not") {
                    first -= 1;
                }
                last = self.closed(first, last);
            }
            Expr::InQuery { .. } | Expr::Subquery(_) => {
                while first > 0
                    && matches!(expr, Expr::Subquery(_))
                    && self.token(first) != "("
                    && self.partners.get(first - 1).is_some()
                {
                    first -= 1;
                }
                last = self.closed(first, last);
            }
            _ => {}
        }
        self.between(first, last)
    }

    /// The last token of a run, or the last bracket that closes one opened in it.
    fn closed(&self, first: usize, last: usize) -> usize {
        let partners = self.partners.iter().take(last + 1).skip(first);
        partners.copied().max().unwrap_or(last).max(last)
    }

    fn is_keyword(&self, at: usize) -> bool {
        ["in", "and", "or", "over", "exists"].iter().any(|word| self.is_word(at, word))
    }
}

/// The smallest span that covers both spans; a zero-length span at 0 counts as absent.
pub(super) fn joined(one: SqlSpan, other: SqlSpan) -> SqlSpan {
    let nowhere = SqlSpan::default();
    if one == nowhere {
        other
    } else if other == nowhere {
        one
    } else {
        SqlSpan { start: one.start.min(other.start), end: one.end.max(other.end) }
    }
}

/// Keywords that are followed by parentheses without being function names.
fn has_own_syntax(word: &str) -> bool {
    ["cast", "extract", "substring", "trim", "position", "ceil", "floor", "exists", "array"]
        .iter()
        .any(|own| word.eq_ignore_ascii_case(own))
}
