//! Constructs with their own grammar, such as XMLTABLE, which are cut out before parsing.
//!
//! A marker word, which cannot occur in SQL text, takes their place. The reader replaces it with the original tokens,
//! which are printed but never interpreted.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use sqlparser::ast;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Word};

use crate::foreign::Part;
use crate::tree::{Expr, Identifier};
use crate::words::entries;

use super::super::tokens::is_keyword;
use super::super::{Converted, Reader, unsupported};
use super::lexeme::part;
use super::token::sentinel;

/// First character of marker words; the lexer rejects it in SQL text.
const MARK: char = '\u{1}';

static CALLS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| entries(include_str!("../../../data/own_syntax_calls.txt")).collect());
static MARKS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| entries(include_str!("../../../data/own_syntax_words.txt")).collect());

/// Cut-out token sequences, in order.
pub(in super::super) type Asides = Vec<Vec<Part>>;

/// Words other than function names that can start a cut-out sequence.
const STARTS: [&str; 11] = [
    "COLLATION",
    "CYCLE",
    "DELETE",
    "GROUPING",
    "INSERT",
    "LATERAL",
    "MERGE",
    "OVER",
    "ROWS",
    "SEARCH",
    "UPDATE",
];

/// Replaces sequences that the parser has no grammar for with marker words.
pub(in super::super) fn set_aside(tokens: Vec<TokenWithSpan>) -> (Vec<TokenWithSpan>, Asides) {
    if !(0..tokens.len()).any(|at| may_start(&tokens, at)) {
        return (tokens, Asides::new());
    }
    let mut left = Vec::with_capacity(tokens.len());
    let mut asides = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let rest = &tokens[index..];
        let found = stretch(rest, &left).and_then(|(skipped, length)| {
            Some((skipped, length, parts(rest.get(skipped..length)?)?))
        });
        let Some((skipped, length, aside)) = found else {
            left.push(token.clone());
            index += 1;
            continue;
        };
        index += length;
        left.extend(rest.iter().take(skipped).cloned());
        if !(aside.first().is_some_and(is_clause) && mark_table(&mut left, asides.len())) {
            // A data-modifying statement is replaced with a SELECT of the marker.
            if aside.first().is_some_and(is_change) {
                left.push(word("SELECT", token.span));
            }
            left.push(word(&format!("{MARK}{}", asides.len()), token.span));
        }
        asides.push(aside);
    }
    (left, asides)
}

/// Fast check whether a sequence to cut out can start at a token; most statements have none.
fn may_start(tokens: &[TokenWithSpan], at: usize) -> bool {
    let Some(Token::Word(word)) = tokens.get(at).map(|token| &token.token) else { return false };
    word.quote_style.is_none()
        && (STARTS.iter().any(|start| word.value.eq_ignore_ascii_case(start))
            || is(tokens, at + 1, &Token::LParen)
                && CALLS.contains(word.value.to_ascii_lowercase().as_str()))
}

/// A sequence to cut out at the start of `rest`: the number of tokens to keep before it, and the index where it ends.
fn stretch(rest: &[TokenWithSpan], before: &[TokenWithSpan]) -> Option<(usize, usize)> {
    let first = keyword(rest, 0)?;
    let opens = |at: usize| is(rest, at, &Token::LParen);
    match first.as_str() {
        "OVER" if opens(1) => {
            let end = closing(rest, 1)?;
            has_foreign_frame(&rest[1..end]).then_some((1, end))
        }
        "GROUPING" if keyword(rest, 1)? == "SETS" && opens(2) => {
            let end = closing(rest, 2)?;
            let inner = rest.get(3..end)?;
            let nests = (0..inner.len()).any(|at| {
                keyword(inner, at).is_some_and(|word| ["CUBE", "ROLLUP", "SETS"].contains(&&*word))
            });
            nests.then_some((0, end))
        }
        "ROWS" if keyword(rest, 1)? == "FROM" && opens(2) => {
            let end = closing(rest, 2)?;
            let ordinality = keyword(rest, end).is_some_and(|word| word == "WITH")
                && keyword(rest, end + 1).is_some_and(|word| word == "ORDINALITY");
            Some((0, if ordinality { end + 2 } else { end }))
        }
        "COLLATION" if keyword(rest, 1)? == "FOR" && opens(2) => Some((0, closing(rest, 2)?)),
        "INSERT" | "UPDATE" | "DELETE" | "MERGE" => {
            let opened = before.last().is_some_and(|token| token.token == Token::LParen);
            let named = before.iter().rev().nth(1).is_some_and(|token| {
                matches!(&token.token, Token::Word(word)
                    if is_keyword(word, "AS") || is_keyword(word, "MATERIALIZED"))
            });
            (opened && named).then_some((0, inner_end(rest)))
        }
        "CYCLE" | "SEARCH" if before.last().is_some_and(|token| token.token == Token::RParen) => {
            let end = clause_end(rest)?;
            Some((0, end))
        }
        "LATERAL" if is(rest, 2, &Token::LParen) => {
            let call = keyword(rest, 1)?.to_ascii_lowercase();
            let end = closing(rest, 2)?;
            (CALLS.contains(call.as_str()) && has_marks(rest.get(3..end)?)).then_some((0, end))
        }
        _ if opens(1) && CALLS.contains(first.to_ascii_lowercase().as_str()) => {
            let end = closing(rest, 1)?;
            has_marks(rest.get(2..end)?).then_some((0, end))
        }
        _ => None,
    }
}

/// Whether a window has a frame that the parser does not support: EXCLUDE, or a bound that is not a literal.
fn has_foreign_frame(window: &[TokenWithSpan]) -> bool {
    (0..window.len()).any(|at| match keyword(window, at).as_deref() {
        Some("EXCLUDE") => true,
        Some("FOLLOWING" | "PRECEDING") => at.checked_sub(1).is_some_and(|at| {
            let is_unbounded = keyword(window, at).is_some_and(|word| word == "UNBOUNDED");
            let is_literal =
                matches!(window[at].token, Token::Number(..) | Token::SingleQuotedString(_));
            !is_unbounded && !is_literal
        }),
        _ => false,
    })
}

/// Whether the arguments of a call are more than comma-separated expressions.
fn has_marks(arguments: &[TokenWithSpan]) -> bool {
    let mut depth = 0_usize;
    for token in arguments {
        match &token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            Token::Colon if depth == 0 => return true,
            Token::Word(word)
                if depth == 0
                    && word.quote_style.is_none()
                    && MARKS.contains(word.value.to_ascii_lowercase().as_str()) =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// End of a clause after a CTE: SEARCH … SET name, or CYCLE … SET name … USING name.
fn clause_end(rest: &[TokenWithSpan]) -> Option<usize> {
    let last = if keyword(rest, 0)? == "SEARCH" { "SET" } else { "USING" };
    let at = (1..rest.len()).find(|at| keyword(rest, *at).is_some_and(|word| word == last))?;
    Some(at + 2)
}

/// Index of the parenthesis that closes one opened before these tokens.
fn inner_end(rest: &[TokenWithSpan]) -> usize {
    let mut depth = 0_usize;
    for (index, token) in rest.iter().enumerate() {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen if depth == 0 => return index,
            Token::RParen => depth -= 1,
            _ => {}
        }
    }
    rest.len()
}

/// Index after the parenthesis that closes the one at `open`.
fn closing(rest: &[TokenWithSpan], open: usize) -> Option<usize> {
    let inner = rest.get(open + 1..)?;
    let end = open + 1 + inner_end(inner);
    (end < rest.len()).then_some(end + 1)
}

fn keyword(tokens: &[TokenWithSpan], at: usize) -> Option<String> {
    match &tokens.get(at)?.token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.value.to_ascii_uppercase()),
        _ => None,
    }
}

fn is(tokens: &[TokenWithSpan], at: usize, token: &Token) -> bool {
    tokens.get(at).is_some_and(|found| found.token == *token)
}

fn is_clause(part: &Part) -> bool {
    let Part::Word(word) = part else { return false };
    ["CYCLE", "SEARCH"].iter().any(|clause| word.eq_ignore_ascii_case(clause))
}

/// Appends a marker to the name of the CTE whose parenthesis has just closed.
fn mark_table(left: &mut [TokenWithSpan], index: usize) -> bool {
    let mut depth = 0_usize;
    for at in (0..left.len()).rev() {
        match &left[at].token {
            Token::RParen => depth += 1,
            Token::LParen => depth = depth.saturating_sub(1),
            Token::Word(word) if depth == 0 => {
                let is_noise = ["AS", "MATERIALIZED", "NOT"].iter().any(|it| is_keyword(word, it));
                if !is_noise {
                    let value = format!("{}{MARK}{index}", word.value);
                    left[at].token = Token::Word(Word { value, ..word.clone() });
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

fn is_change(part: &Part) -> bool {
    let Part::Word(word) = part else { return false };
    ["DELETE", "INSERT", "MERGE", "UPDATE"].iter().any(|change| word.eq_ignore_ascii_case(change))
}

fn word(value: &str, span: Span) -> TokenWithSpan {
    TokenWithSpan::new(sentinel(value), span)
}

/// The tokens as printable parts separated by spaces; `None` if one of them cannot be printed.
fn parts(tokens: &[TokenWithSpan]) -> Option<Vec<Part>> {
    let mut parts = Vec::with_capacity(tokens.len() * 2);
    for token in tokens {
        if !parts.is_empty() {
            parts.push(Part::Text(" "));
        }
        parts.push(part(&token.token)?);
    }
    Some(parts)
}

impl Reader<'_> {
    /// The sequence that a marker word stands for; `None` for other words.
    pub(in super::super) fn aside(&self, word: &str) -> Option<Vec<Part>> {
        let index: usize = word.strip_prefix(MARK)?.parse().ok()?;
        self.asides.get(index).cloned()
    }

    /// The cut-out expression that a marker word stands for.
    pub(in super::super) fn set_aside(&self, word: &ast::Ident) -> Converted<Expr> {
        let place = self.lines.span(word.span);
        let fault = unsupported("this syntax", place);
        let parts = self.aside(&word.value).ok_or_else(|| fault.clone())?;
        Ok(self.keep(fault)?.expr(parts))
    }

    /// The cut-out statement that a SELECT of a marker stands for.
    pub(in super::super) fn aside_statement(&self, select: &ast::Select) -> Option<Vec<Part>> {
        match select.projection.as_slice() {
            [ast::SelectItem::UnnamedExpr(ast::Expr::Identifier(word))] => {
                self.aside(&word.value).filter(|parts| parts.first().is_some_and(is_change))
            }
            _ => None,
        }
    }

    /// The sequence that a name stands for, if it is a single marker word.
    pub(in super::super) fn aside_of(&self, names: &[Identifier]) -> Option<Vec<Part>> {
        let [name] = names else { return None };
        self.aside(&name.name)
    }
}
