//! Processing before parsing: size limits, strict lexing, and two token rewrites.

use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Tokenizer, Whitespace, Word};

use crate::diagnostic::{Code, Diagnostic};
use crate::tree::SqlSpan;

use super::dialect::ReadDialect;
use super::span::LineIndex;

/// Maximum length of a text, in bytes.
const MAX_BYTES: usize = 32 * 1024;
/// Maximum number of tokens, without white space and comments.
const MAX_TOKENS: usize = 8_000;
/// Maximum nesting of parentheses, brackets and CASE.
const MAX_NESTING: usize = 200;
/// Maximum nesting of parentheses after a word, such as calls.
const MAX_CALL_NESTING: usize = 20;
/// Maximum nesting of parenthesized joins, which the parser does not limit: each takes 120 kB of stack.
const MAX_JOIN_NESTING: usize = 4;
/// Typical number of bytes per token, including white space; used to reserve capacity.
const BYTES_OF_TOKEN: usize = 3;
/// Maximum number of tokens at one level without a comma, because chains of operators make deep trees.
const MAX_RUN: usize = 2_000;

/// Rejects text that servers could interpret differently.
pub(super) fn check_text(sql: &str, dialect: ReadDialect) -> Result<(), Diagnostic> {
    if sql.len() > MAX_BYTES {
        return Err(limit(format!("the statement is longer than {MAX_BYTES} bytes")));
    }
    if let Some(at) = sql.find(is_strange) {
        let character = sql[at..].chars().next().unwrap_or_default();
        let end = at + character.len_utf8();
        let message = format!("the character U+{:04X} is not allowed", character as u32);
        return Err(lexical(message, SqlSpan { start: at as u32, end: end as u32 }));
    }
    if dialect == ReadDialect::Mysql
        && let Some(at) = sql.find("/*!").or_else(|| sql.find("/*+"))
    {
        let place = SqlSpan { start: at as u32, end: at as u32 + 3 };
        return Err(lexical("comments that the server executes are not allowed", place));
    }
    Ok(())
}

/// The tokens of a text that consists of one statement and starts like a query.
pub(super) fn tokenize(
    sql: &str,
    dialect: ReadDialect,
    lines: &LineIndex<'_>,
) -> Result<Vec<TokenWithSpan>, Diagnostic> {
    let mut tokens = Vec::with_capacity(sql.len() / BYTES_OF_TOKEN);
    Tokenizer::new(dialect.parser(), sql).tokenize_with_location_into_buf(&mut tokens).map_err(
        |error| {
            let at = lines.offset(error.location) as u32;
            let mut message = error.message;
            message.make_ascii_lowercase();
            Diagnostic::new(Code::Lexical, message, SqlSpan { start: at, end: at })
        },
    )?;
    for token in &tokens {
        if let Some(what) = refused_token(&token.token, dialect) {
            return Err(lexical(what, lines.span(token.span)));
        }
    }
    tokens.retain(|token| !matches!(token.token, Token::Whitespace(_)));
    if tokens.len() > MAX_TOKENS {
        return Err(limit(format!("the statement has more than {MAX_TOKENS} tokens")));
    }
    check_nesting(&tokens, lines)?;
    check_start(&tokens, dialect, lines)?;
    Ok(tokens)
}

/// Control characters, and non-ASCII spaces and marks that some servers ignore.
fn is_strange(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        _ if character.is_control() => true,
        _ => {
            !character.is_ascii() && character.is_whitespace()
                || matches!(character, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}')
                || matches!(character, '\u{2060}'..='\u{2069}' | '\u{FEFF}')
        }
    }
}

fn refused_token(token: &Token, dialect: ReadDialect) -> Option<&'static str> {
    match token {
        Token::Backslash => Some("a backslash outside a string is not allowed"),
        Token::UnicodeStringLiteral(_) if dialect != ReadDialect::Postgres => {
            Some("strings with Unicode escapes are not allowed")
        }
        Token::Whitespace(Whitespace::MultiLineComment(text)) if text.starts_with(['!', '+']) => {
            Some("comments that the server executes are not allowed")
        }
        Token::Whitespace(Whitespace::SingleLineComment { comment, .. })
            if comment.trim_end_matches(['\r', '\n']).contains('\r') =>
        {
            Some("a comment must not contain a carriage return")
        }
        Token::EscapedStringLiteral(text)
        | Token::SingleQuotedString(text)
        | Token::UnicodeStringLiteral(text)
            if text.contains('\0') =>
        {
            Some("a string literal contains a zero byte")
        }
        _ => None,
    }
}

/// An open bracket.
struct Bracket {
    /// Number of call levels that the bracket counts as.
    calls: usize,
    /// Number of tokens at the enclosing level so far.
    run: usize,
    /// Whether the bracket encloses joins.
    holds_joins: bool,
}

/// Rejects tokens that the parser or the destructor of its tree would need too much stack for.
pub(crate) fn check_nesting(
    tokens: &[TokenWithSpan],
    lines: &LineIndex<'_>,
) -> Result<(), Diagnostic> {
    let mut open: Vec<Bracket> = Vec::new();
    let mut calls = 0;
    let mut joins = 0;
    let mut cases = 0;
    let mut run = 0;
    let mut after_word = false;
    for (index, token) in tokens.iter().enumerate() {
        run += 1;
        match &token.token {
            Token::LParen | Token::LBracket | Token::LBrace => {
                let in_joins = open.last().is_some_and(|bracket| bracket.holds_joins);
                let holds_joins = opens_joins(tokens, index, in_joins);
                joins += usize::from(holds_joins);
                calls += usize::from(after_word);
                open.push(Bracket { calls: usize::from(after_word), run, holds_joins });
                run = 0;
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                if let Some(bracket) = open.pop() {
                    calls -= bracket.calls;
                    joins -= usize::from(bracket.holds_joins);
                    run = bracket.run;
                }
            }
            // The parser recurses twice for a named argument.
            Token::RArrow => {
                if let Some(bracket) = open.last_mut().filter(|bracket| bracket.calls < 2) {
                    bracket.calls += 1;
                    calls += 1;
                }
            }
            Token::Comma => run = 0,
            Token::Word(word) if is_keyword(word, "CASE") => cases += 1,
            Token::Word(word) if is_keyword(word, "END") => cases = usize::max(cases, 1) - 1,
            _ => {}
        }
        after_word = matches!(token.token, Token::Word(_));
        let too_deep = open.len() + cases > MAX_NESTING
            || calls > MAX_CALL_NESTING
            || joins > MAX_JOIN_NESTING;
        if too_deep || run > MAX_RUN {
            let what = if too_deep {
                "the statement is nested too deeply"
            } else {
                "the statement has too many operators in a row"
            };
            return Err(Diagnostic::new(Code::Limit, what, lines.span(token.span)));
        }
    }
    Ok(())
}

/// Whether a parenthesis is in the position of a source and does not start a query.
fn opens_joins(tokens: &[TokenWithSpan], index: usize, in_joins: bool) -> bool {
    let is_any = |at: usize, keywords: &[&str]| {
        tokens.get(at).is_some_and(|token| {
            matches!(&token.token, Token::Word(word)
                if keywords.iter().any(|keyword| is_keyword(word, keyword)))
        })
    };
    let Some(before) = index.checked_sub(1) else { return false };
    let is_source = match tokens[before].token {
        Token::Comma | Token::LParen => in_joins,
        _ => is_any(before, &["FROM", "JOIN"]),
    };
    is_source && !is_any(index + 1, &["SELECT", "VALUES", "WITH"])
}

fn check_start(
    tokens: &[TokenWithSpan],
    dialect: ReadDialect,
    lines: &LineIndex<'_>,
) -> Result<(), Diagnostic> {
    let Some(first) = tokens.iter().find(|token| token.token != Token::LParen) else {
        return Err(Diagnostic::new(
            Code::OneStatement,
            "the text contains no statement",
            SqlSpan::default(),
        ));
    };
    let place = lines.span(first.span);
    match &first.token {
        Token::EOF => {
            Err(Diagnostic::new(Code::OneStatement, "the text contains no statement", place))
        }
        Token::Word(word)
            if ["SELECT", "VALUES", "WITH"].iter().any(|start| is_keyword(word, start)) =>
        {
            Ok(())
        }
        Token::Word(word) if dialect == ReadDialect::Duckdb && is_keyword(word, "FROM") => Ok(()),
        // `TABLE name` becomes a foreign node, which the guard rejects.
        Token::Word(word) if dialect == ReadDialect::Postgres && is_keyword(word, "TABLE") => {
            Ok(())
        }
        Token::Word(word) if is_data_modification(word) => {
            let message =
                format!("{} is not allowed: it changes data", word.value.to_ascii_uppercase());
            Err(Diagnostic::new(Code::DataModification, message, place))
        }
        Token::Word(word) => {
            let message =
                format!("a query cannot start with {:?}", word.value.to_ascii_lowercase());
            Err(Diagnostic::new(Code::SelectOnly, message, place))
        }
        Token::SemiColon => Err(Diagnostic::new(
            Code::OneStatement,
            "the text starts with an empty statement",
            place,
        )),
        other => {
            let message = format!("a query cannot start with {other}");
            Err(Diagnostic::new(Code::SelectOnly, message, place))
        }
    }
}

/// Rewrites two forms that PostgreSQL accepts and the parser does not: `FETCH FIRST (5) ROWS`, and `IN ((SELECT …),
/// …)`, which gets a unary plus that the reader removes again.
pub(super) fn repair(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let opens = |at: usize| tokens.get(at).is_some_and(|token| token.token == Token::LParen);
    let starts = |at: usize| match &tokens[at].token {
        Token::Word(word) => {
            is_keyword(word, "FETCH") || is_keyword(word, "IN") && opens(at + 1) && opens(at + 2)
        }
        _ => false,
    };
    if !(0..tokens.len()).any(starts) {
        return tokens;
    }
    let mut repaired = Vec::with_capacity(tokens.len());
    let mut skipped = None;
    for (index, token) in tokens.iter().enumerate() {
        if skipped == Some(index) {
            continue;
        }
        let before = |back: usize| {
            index.checked_sub(back).and_then(|at| match &tokens[at].token {
                Token::Word(word) => Some(word),
                _ => None,
            })
        };
        let is = |word: Option<&Word>, keyword| word.is_some_and(|word| is_keyword(word, keyword));
        if token.token == Token::LParen {
            let in_fetch = is(before(2), "FETCH")
                && (is(before(1), "FIRST") || is(before(1), "NEXT"))
                && matches!(tokens.get(index + 1).map(|next| &next.token), Some(Token::Number(..)))
                && tokens.get(index + 2).map(|next| &next.token) == Some(&Token::RParen);
            if in_fetch {
                skipped = Some(index + 2);
                continue;
            }
            let first_in_list = is(before(2), "IN")
                && index.checked_sub(1).map(|at| &tokens[at].token) == Some(&Token::LParen);
            if first_in_list && closes_before_comma(&tokens[index..]) {
                repaired.push(TokenWithSpan::new(Token::Plus, Span::empty()));
            }
        }
        repaired.push(token.clone());
    }
    repaired
}

/// Whether the parenthesis that opens a slice closes directly before a comma.
fn closes_before_comma(tokens: &[TokenWithSpan]) -> bool {
    let is_query = tokens.get(1).is_some_and(|token| {
        matches!(&token.token, Token::Word(word)
            if is_keyword(word, "SELECT") || is_keyword(word, "WITH"))
    });
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let next = tokens.get(index + 1).map(|next| &next.token);
            return is_query && next == Some(&Token::Comma);
        }
    }
    false
}

/// Whether a word is this keyword; a quoted word never is.
pub(crate) fn is_keyword(word: &Word, keyword: &str) -> bool {
    word.quote_style.is_none() && word.value.eq_ignore_ascii_case(keyword)
}

fn is_data_modification(word: &Word) -> bool {
    ["DELETE", "INSERT", "MERGE", "REPLACE", "TRUNCATE", "UPDATE"]
        .iter()
        .any(|keyword| is_keyword(word, keyword))
}

fn limit(message: String) -> Diagnostic {
    Diagnostic::new(Code::Limit, message, SqlSpan::default())
}

fn lexical(message: impl Into<String>, place: SqlSpan) -> Diagnostic {
    Diagnostic::new(Code::Lexical, message, place)
}
