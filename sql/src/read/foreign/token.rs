//! Token rewrites for syntax that the parser reads differently from PostgreSQL.
//!
//! Unsupported constructs are passed through the parser in marker words. These start with a control character, which
//! the lexer rejects in SQL text.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::super::tokens::is_keyword;

/// Marker name for the `*` of `(value).*`.
pub(in super::super) const STAR: &str = "\u{1}star";
/// Marker argument name for VARIADIC.
pub(in super::super) const VARIADIC: &str = "\u{1}variadic";
/// Marker alias for a missing alias before column definitions.
pub(in super::super) const NAMELESS: &str = "\u{1}nameless";
/// Prefix of the name of a table after ONLY.
pub(in super::super) const ONLY: char = '\u{2}';
/// Marker output column for the `*` that `TABLE name` implies.
pub(in super::super) const TABLE: &str = "\u{1}table";
/// Marker name of a CTE that is inserted only to make the parser expect a query.
pub(in super::super) const QUERY: &str = "\u{1}query";
/// Marker right operand of IS DISTINCT FROM, for IS DOCUMENT.
pub(in super::super) const DOCUMENT: &str = "\u{1}document";
/// Prefix of the name of a collation that is the right operand of an inserted `^`.
pub(in super::super) const COLLATION: char = '\u{3}';
/// Prefix of the name of a type before a string literal.
pub(in super::super) const TYPED: char = '\u{5}';
/// Prefix of a join alias that is passed as the last USING column.
pub(in super::super) const JOIN_ALIAS: char = '\u{4}';

/// Rewrites tokens for the parser.
pub(super) fn respell(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    if !(0..tokens.len()).any(|at| may_be_respelled(&tokens, at)) {
        return tokens;
    }
    let mut respelled: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut index = 0;
    // For each open parenthesis, whether it contains a SELECT so far: FROM inside EXTRACT is not followed by tables.
    let mut selects = vec![true];
    while let Some(token) = tokens.get(index) {
        match &token.token {
            Token::LParen => selects.push(false),
            Token::RParen if selects.len() > 1 => drop(selects.pop()),
            Token::Word(word) if is_keyword(word, "SELECT") => {
                if let Some(innermost) = selects.last_mut() {
                    *innermost = true;
                }
            }
            _ => {}
        }
        let in_select = selects.last() == Some(&true);
        let rest = &tokens[index..];
        if let Some(rewrite) = rewrite(&respelled, rest, in_select) {
            index += rewrite.read;
            respelled.truncate(respelled.len().saturating_sub(rewrite.dropped));
            let written = rewrite.written.into_iter();
            respelled.extend(written.map(|written| TokenWithSpan::new(written, token.span)));
        } else {
            index += 1;
            respelled.push(token.clone());
        }
    }
    respelled
}

/// Replacement of the next tokens.
struct Rewrite {
    /// Number of tokens to remove from the end of those already written.
    dropped: usize,
    /// Number of tokens that are replaced.
    read: usize,
    written: Vec<Token>,
}

impl Rewrite {
    fn of(read: usize, written: impl Into<Vec<Token>>) -> Self {
        Self { dropped: 0, read, written: written.into() }
    }
}

/// The rewrite for the tokens at the start of `rest`; `before` are the tokens already written.
fn rewrite(before: &[TokenWithSpan], rest: &[TokenWithSpan], in_select: bool) -> Option<Rewrite> {
    let next = rest.get(1).map(|next| &next.token);
    match (&rest.first()?.token, next) {
        // `(value).*`: the parser supports a star only after names.
        (Token::Mul, _) if ends_with(before, &[Token::RParen, Token::Period]) => {
            Some(Rewrite::of(1, [sentinel(STAR)]))
        }
        // `table *` includes inheriting tables, as the table name alone does.
        (Token::Mul, _) if in_select && ends_source(before) => Some(Rewrite::of(1, [])),
        (Token::Word(word), Some(Token::Word(next))) => {
            rewrite_words(before, word, next, in_select)
                .or_else(|| rewrite_word(before, word, rest))
        }
        (Token::Word(word), _) => rewrite_word(before, word, rest),
        _ => None,
    }
}

/// The rewrite for a word before another word; in most cases a marker.
fn rewrite_words(
    before: &[TokenWithSpan],
    word: &Word,
    next: &Word,
    in_select: bool,
) -> Option<Rewrite> {
    if is_keyword(word, "ONLY") && in_select && starts_source(before) {
        Some(Rewrite::of(2, [marked(ONLY, next)]))
    } else if is_keyword(word, "TABLE") && starts_query(before) {
        Some(Rewrite::of(1, [sentinel("SELECT"), sentinel(TABLE), sentinel("FROM")]))
    } else if is_keyword(word, "COLLATE") && ends_in_cast(before) {
        // The parser does not support COLLATE after a cast.
        Some(Rewrite::of(2, [Token::Caret, marked(COLLATION, next)]))
    } else if is_keyword(word, "AS") && closes_using(before) {
        let written = vec![Token::Comma, marked(JOIN_ALIAS, next), Token::RParen];
        Some(Rewrite { dropped: 1, read: 2, written })
    } else {
        None
    }
}

/// The rewrite for a word that needs no specific next token, or precedes a parenthesis or a string.
fn rewrite_word(before: &[TokenWithSpan], word: &Word, rest: &[TokenWithSpan]) -> Option<Rewrite> {
    let next = rest.get(1).map(|next| &next.token);
    match next {
        Some(next)
            if is_keyword(word, "VARIADIC") && !matches!(next, Token::Comma | Token::RParen) =>
        {
            Some(Rewrite::of(1, [sentinel(VARIADIC), Token::RArrow]))
        }
        // The parser reads `(VALUES (…))` as a call.
        Some(Token::LParen)
            if is_keyword(word, "VALUES") && ends_with(before, &[Token::LParen]) =>
        {
            Some(Rewrite::of(
                1,
                [
                    sentinel("WITH"),
                    sentinel(QUERY),
                    sentinel("AS"),
                    Token::LParen,
                    sentinel("SELECT"),
                    Token::Number("1".to_owned(), false),
                    Token::RParen,
                    Token::Word(word.clone()),
                ],
            ))
        }
        _ if is_keyword(word, "DOCUMENT") && after_is(before) => {
            Some(Rewrite::of(1, ["DISTINCT", "FROM", DOCUMENT].map(sentinel)))
        }
        // In `TRIM(LEADING FROM text)`, FROM is a noise word.
        _ if is_keyword(word, "FROM") && in_trim(before) => Some(Rewrite::of(1, [])),
        Some(Token::LParen)
            if is_keyword(word, "AS")
                && defines_columns(before, rest.get(2).map(|after| &after.token)) =>
        {
            Some(Rewrite::of(1, [Token::Word(word.clone()), sentinel(NAMELESS)]))
        }
        // `type 'text'` with a type that the parser does not know.
        Some(text @ (Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_)))
            if is_type_name(word) && !ends_with(before, &[Token::Period]) =>
        {
            Some(Rewrite::of(
                2,
                [
                    sentinel("CAST"),
                    Token::LParen,
                    text.clone(),
                    sentinel("AS"),
                    marked(TYPED, word),
                    Token::RParen,
                ],
            ))
        }
        _ => None,
    }
}

/// A word token for an identifier with this prefix.
fn marked(prefix: char, word: &Word) -> Token {
    let value = format!("{prefix}{}", word.value);
    Token::Word(Word { value, keyword: Keyword::NoKeyword, ..word.clone() })
}

/// Keywords that can start a rewrite.
const RESPELLED: [&str; 8] =
    ["COLLATE", "DOCUMENT", "ONLY", "TABLE", "TRIM", "USING", "VALUES", "VARIADIC"];

/// Fast check whether a token can start a rewrite; most statements have none.
fn may_be_respelled(tokens: &[TokenWithSpan], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| &token.token);
    let next = tokens.get(at + 1).map(|token| &token.token);
    match tokens.get(at).map(|token| &token.token) {
        // `(value).*` and `table *`. The star of a select list follows SELECT, a parenthesis, a comma or the period
        // after a source.
        Some(Token::Mul) => match before {
            Some(Token::Word(word)) => {
                !["ALL", "DISTINCT", "SELECT"].iter().any(|start| is_keyword(word, start))
            }
            Some(Token::Period) => at >= 2 && matches!(tokens[at - 2].token, Token::RParen),
            _ => false,
        },
        Some(Token::Word(word)) => {
            RESPELLED.iter().any(|start| is_keyword(word, start))
                || is_keyword(word, "AS") && next == Some(&Token::LParen)
                || matches!(
                    next,
                    Some(Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_))
                )
        }
        _ => false,
    }
}

/// An unquoted word.
pub(in super::super) fn sentinel(value: &str) -> Token {
    Token::make_word(value, None)
}

fn ends_with(tokens: &[TokenWithSpan], ending: &[Token]) -> bool {
    let start = tokens.len().checked_sub(ending.len());
    start.is_some_and(|start| {
        tokens[start..].iter().zip(ending).all(|(token, wanted)| token.token == *wanted)
    })
}

/// Whether a query can start after these tokens.
fn starts_query(before: &[TokenWithSpan]) -> bool {
    match before.last().map(|token| &token.token) {
        None | Some(Token::LParen | Token::RParen) => true,
        Some(Token::Word(word)) => ["ALL", "DISTINCT", "EXCEPT", "INTERSECT", "UNION"]
            .iter()
            .any(|keyword| is_keyword(word, keyword)),
        _ => false,
    }
}

/// Whether the tokens end in a `::` cast to a one-word type or an array.
fn ends_in_cast(before: &[TokenWithSpan]) -> bool {
    let stem = match before.split_last() {
        Some((TokenWithSpan { token: Token::RBracket, .. }, _)) => return true,
        Some((TokenWithSpan { token: Token::Word(_), .. }, stem)) => stem,
        _ => return false,
    };
    ends_with(stem, &[Token::DoubleColon])
}

/// Whether the tokens end in IS or IS NOT.
fn after_is(before: &[TokenWithSpan]) -> bool {
    let keyword = |back: usize, keyword: &str| {
        before.iter().rev().nth(back).is_some_and(
            |token| matches!(&token.token, Token::Word(word) if is_keyword(word, keyword)),
        )
    };
    keyword(0, "IS") || keyword(0, "NOT") && keyword(1, "IS")
}

/// Whether the tokens end in `USING (…)`.
fn closes_using(before: &[TokenWithSpan]) -> bool {
    if !ends_with(before, &[Token::RParen]) {
        return false;
    }
    let mut depth = 0_usize;
    let open = before.iter().rposition(|token| {
        match token.token {
            Token::RParen => depth += 1,
            Token::LParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    open.and_then(|open| before.get(open.checked_sub(1)?))
        .is_some_and(|token| matches!(&token.token, Token::Word(word) if is_keyword(word, "USING")))
}

/// Whether the tokens end in `TRIM(` and a side.
fn in_trim(before: &[TokenWithSpan]) -> bool {
    let [.., trim, open, side] = before else { return false };
    let is = |token: &TokenWithSpan, keywords: &[&str]| {
        matches!(&token.token, Token::Word(word)
            if keywords.iter().any(|keyword| is_keyword(word, keyword)))
    };
    is(trim, &["TRIM"]) && open.token == Token::LParen && is(side, &["BOTH", "LEADING", "TRAILING"])
}

/// Whether a source comes after these tokens.
fn starts_source(before: &[TokenWithSpan]) -> bool {
    match before.last().map(|token| &token.token) {
        Some(Token::Word(word)) => is_keyword(word, "FROM") || is_keyword(word, "JOIN"),
        Some(Token::Comma) => true,
        _ => false,
    }
}

/// Whether the tokens end in the complete name of a table after FROM or JOIN.
fn ends_source(before: &[TokenWithSpan]) -> bool {
    let mut rest = before;
    loop {
        let Some((TokenWithSpan { token: Token::Word(_), .. }, head)) = rest.split_last() else {
            return false;
        };
        match head.split_last() {
            Some((TokenWithSpan { token: Token::Period, .. }, more)) => rest = more,
            Some((TokenWithSpan { token: Token::Word(word), .. }, more)) => {
                return is_keyword(word, "JOIN")
                    || is_keyword(word, "FROM") && starts_from_clause(more);
            }
            _ => return false,
        }
    }
}

/// Whether FROM after these tokens starts a clause of a query; in `IS DISTINCT FROM` and in
/// `substring(a FROM b)` it is followed by an expression.
fn starts_from_clause(before: &[TokenWithSpan]) -> bool {
    let is =
        |token: &Token, keyword| matches!(token, Token::Word(word) if is_keyword(word, keyword));
    if before.last().is_some_and(|last| is(&last.token, "DISTINCT")) {
        return false;
    }
    let mut closed = 0_usize;
    for TokenWithSpan { token, .. } in before.iter().rev() {
        match token {
            Token::RParen => closed += 1,
            Token::LParen if closed == 0 => return false,
            Token::LParen => closed -= 1,
            _ if closed == 0 && is(token, "SELECT") => return true,
            _ => {}
        }
    }
    false
}

/// Whether `AS (` starts the column definitions of a function in FROM rather than the query of a CTE.
fn defines_columns(before: &[TokenWithSpan], after: Option<&Token>) -> bool {
    let Some(Token::Word(column)) = after else { return false };
    let starts_query = ["DELETE", "INSERT", "MERGE", "SELECT", "TABLE", "UPDATE", "VALUES", "WITH"]
        .iter()
        .any(|keyword| is_keyword(column, keyword));
    ends_with(before, &[Token::RParen]) && !starts_query
}

/// Whether a word before a string can only be a type name.
fn is_type_name(word: &Word) -> bool {
    let is_uescape = is_keyword(word, "UESCAPE");
    !is_uescape && (word.keyword == Keyword::NoKeyword || is_keyword(word, "NAME"))
}
