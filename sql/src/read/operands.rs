//! Set operations in parentheses whose first operand is in parentheses too, as in `= ((SELECT …) UNION (SELECT …))`.
//! Where an expression is expected, the parser reads `((SELECT …)` as a nested expression; a common table expression
//! in front, which the reader drops, makes it read a query.

use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::foreign::{QUERY, sentinel};
use super::tokens::is_keyword;

/// Keywords after which the parser expects a query.
const BEFORE_QUERIES: [&str; 5] = ["EXISTS", "FROM", "IN", "JOIN", "LATERAL"];
const OPERATORS: [&str; 4] = ["EXCEPT", "INTERSECT", "MINUS", "UNION"];

/// Inserts the common table expressions.
pub(super) fn mark(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let places = places(&tokens);
    if places.is_empty() {
        return tokens;
    }
    let mut marked = Vec::with_capacity(tokens.len() + places.len() * 7);
    for (index, token) in tokens.into_iter().enumerate() {
        marked.push(token);
        if places.binary_search(&index).is_ok() {
            let one = Token::Number("1".to_owned(), false);
            let (with, name, as_, select) =
                (sentinel("WITH"), sentinel(QUERY), sentinel("AS"), sentinel("SELECT"));
            let inserted = [with, name, as_, Token::LParen, select, one, Token::RParen];
            marked.extend(inserted.map(|token| TokenWithSpan::new(token, Span::empty())));
        }
    }
    marked
}

/// Indices of the parentheses after which one is needed, in ascending order.
fn places(tokens: &[TokenWithSpan]) -> Vec<usize> {
    let is_any = |at: usize, keywords: &[&str]| {
        tokens.get(at).is_some_and(|token| {
            matches!(&token.token, Token::Word(word)
                if keywords.iter().any(|keyword| is_keyword(word, keyword)))
        })
    };
    let opens = |at: usize| tokens.get(at).is_some_and(|token| token.token == Token::LParen);
    let mut found = Vec::new();
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.token {
            Token::LParen => open.push(index),
            Token::RParen => {
                let Some(start) = open.pop() else { continue };
                let Some(outer) = start.checked_sub(1).filter(|outer| opens(*outer)) else {
                    continue;
                };
                let first = (start..tokens.len()).find(|at| !opens(*at)).unwrap_or(start);
                let expected = outer.checked_sub(1).is_none_or(|at| is_any(at, &BEFORE_QUERIES));
                if is_any(index + 1, &OPERATORS)
                    && is_any(first, &["SELECT", "VALUES", "WITH"])
                    && !expected
                {
                    found.push(outer);
                }
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found
}
