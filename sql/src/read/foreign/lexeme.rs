//! Re-tokenization of numbers and operators by PostgreSQL's lexical rules.

use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Tokenizer};

use crate::foreign::Part;

/// Re-tokenizes numbers and operators by PostgreSQL's rules.
pub(super) fn relex(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    operators(numbers(tokens))
}

/// Merges adjacent tokens that PostgreSQL reads as one number, such as `0b101`.
fn numbers(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let is_zero = |token: &TokenWithSpan| matches!(&token.token, Token::Number(digits, false) if digits == "0");
    if !tokens.iter().any(is_zero) {
        return tokens;
    }
    let mut joined: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if let Some(last) = joined.last_mut()
            && last.span.end == token.span.start
            && let Token::Number(digits, false) = &last.token
            && digits == "0"
            && let Token::Word(word) = &token.token
            && word.quote_style.is_none()
            && word.value.starts_with(['b', 'B', 'o', 'O', 'x', 'X'])
        {
            let text = format!("0{}", word.value);
            *last = TokenWithSpan::new(Token::Number(text, false), last.span.union(&token.span));
        } else {
            joined.push(token);
        }
    }
    joined
}

/// Splits runs of operator characters by PostgreSQL's rules.
fn operators(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    if !tokens.windows(2).any(may_run) {
        return tokens;
    }
    let mut divided: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut index = 0;
    while let Some(first) = tokens.get(index) {
        let mut run = operator(first).unwrap_or_default();
        let mut end = index + 1;
        while !run.is_empty()
            && let Some(next) = tokens.get(end)
            && tokens[end - 1].span.end == next.span.start
            && let Some(text) = operator(next)
        {
            run.push_str(&text);
            end += 1;
        }
        let lexemes = lexemes(&run);
        let same = lexemes.len() == end - index
            && lexemes
                .iter()
                .zip(&tokens[index..end])
                .all(|(lexeme, token)| operator(token).as_deref() == Some(*lexeme));
        if run.is_empty() || same {
            divided.extend(tokens[index..end].iter().cloned());
        } else {
            let lexemes = lexemes.iter().map(|lexeme| known(lexeme));
            divided.extend(lexemes.map(|token| TokenWithSpan::new(token, first.span)));
        }
        index = end;
    }
    divided
}

/// Whether two tokens can belong to one run of operator characters, or one of them is a custom operator.
fn may_run(pair: &[TokenWithSpan]) -> bool {
    let [first, second] = pair else { return false };
    let is_own = |token: &TokenWithSpan| matches!(token.token, Token::CustomBinaryOperator(_));
    is_own(first)
        || is_own(second)
        || first.span.end == second.span.start
            && operator(first).is_some()
            && operator(second).is_some()
}

/// The parser's token for an operator; a custom operator if it has none.
fn known(lexeme: &str) -> Token {
    let found = Tokenizer::new(&PostgreSqlDialect {}, lexeme).tokenize().unwrap_or_default();
    match found.as_slice() {
        [token] if token.to_string() == lexeme => token.clone(),
        [Token::Neq] => Token::Neq,
        _ => Token::CustomBinaryOperator(lexeme.to_owned()),
    }
}

/// Text of a token that consists of operator characters.
fn operator(token: &TokenWithSpan) -> Option<String> {
    if matches!(
        token.token,
        Token::Word(_)
            | Token::Number(..)
            | Token::Placeholder(_)
            | Token::SingleQuotedString(_)
            | Token::LParen
            | Token::RParen
            | Token::Comma
            | Token::Period
            | Token::EOF
    ) {
        return None;
    }
    let text = token.token.to_string();
    let is_operator = text.chars().all(|c| "+-*/<>=~!@#%^&|`?".contains(c));
    (is_operator && !text.is_empty()).then_some(text)
}

/// Splits a run of operator characters. A multi-character operator can end in `+` or `-` only if it contains one of
/// `~!@#%^&|` or a backtick or question mark.
fn lexemes(run: &str) -> Vec<&str> {
    let mut lexemes = Vec::new();
    let mut rest = run;
    while !rest.is_empty() {
        if let Some(comment) = rest.strip_prefix("/*")
            && let Some((_, after)) = comment.split_once("*/")
        {
            rest = after;
            continue;
        }
        let mut length = rest.find("/*").unwrap_or(rest.len());
        if !rest[..length].contains(|c| "~!@#%^&|`?".contains(c)) {
            let stem = rest[..length].trim_end_matches(['+', '-']).len();
            length = stem.max(1);
        }
        let (lexeme, after) = rest.split_at(length);
        lexemes.push(lexeme);
        rest = after;
    }
    lexemes
}

/// A token as a part of a foreign node.
pub(super) fn part(token: &Token) -> Option<Part> {
    Some(match token {
        Token::Word(word) => match word.quote_style {
            None => Part::Word(word.value.clone()),
            Some('"') => Part::Quoted(word.value.clone()),
            Some(_) => return None,
        },
        Token::Number(text, false) => Part::Number(text.clone()),
        Token::SingleQuotedString(text)
        | Token::EscapedStringLiteral(text)
        | Token::UnicodeStringLiteral(text) => Part::String(text.clone()),
        Token::DollarQuotedString(text) => Part::String(text.value.clone()),
        Token::LParen
        | Token::RParen
        | Token::LBracket
        | Token::RBracket
        | Token::Comma
        | Token::Period
        | Token::Colon
        | Token::DoubleColon
        | Token::Assignment
        | Token::RArrow => Part::Symbol(token.to_string()),
        other => {
            let span = TokenWithSpan::new(other.clone(), Span::empty());
            Part::Symbol(operator(&span)?)
        }
    })
}
