//! Splits a text of statements, such as a dump, into the tokens of each.

use std::borrow::Cow;

use sqlparser::dialect::{Dialect as Syntax, GenericDialect};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use crate::read::LineIndex;
use crate::tree::SqlSpan;
use crate::{Code, Diagnostic};

/// The tokens of each statement in a text.
pub(super) struct Statements {
    /// Tokens without white space and comments; no statement is empty.
    pub(super) statements: Vec<Vec<TokenWithSpan>>,
    /// Whether only the parser's generic dialect, which knows the quotes of more databases, could split the text.
    pub(super) is_foreign: bool,
}

/// Splits a text at its semicolons.
pub(super) fn split(
    text: &str,
    own: &dyn Syntax,
    lines: &LineIndex<'_>,
) -> Result<Statements, Diagnostic> {
    let text = without_client_lines(text);
    let (tokens, is_foreign) = match Tokenizer::new(own, &text).tokenize_with_location() {
        Ok(tokens) if !tokens.iter().any(is_foreign_quote) => (tokens, false),
        Ok(tokens) => {
            let generic = Tokenizer::new(&GenericDialect {}, &text).tokenize_with_location();
            generic.map_or((tokens, false), |generic| (generic, true))
        }
        Err(error) => {
            let generic = Tokenizer::new(&GenericDialect {}, &text).tokenize_with_location();
            let at = lines.offset(error.location) as u32;
            let place = SqlSpan { start: at, end: at };
            let message = error.message.to_ascii_lowercase();
            (generic.map_err(|_| Diagnostic::new(Code::Lexical, message, place))?, true)
        }
    };
    let mut statements = Vec::new();
    let mut statement = Vec::new();
    for token in tokens {
        match token.token {
            Token::SemiColon => statements.push(std::mem::take(&mut statement)),
            Token::Whitespace(_) | Token::EOF => {}
            _ => statement.push(token),
        }
    }
    statements.push(statement);
    statements.retain(|statement| !statement.is_empty());
    for statement in &statements {
        check_start(&statement[0], lines)?;
    }
    Ok(Statements { statements, is_foreign })
}

/// Whether a token is a quote of MySQL, which other dialects take for a character of no meaning.
fn is_foreign_quote(token: &TokenWithSpan) -> bool {
    token.token == Token::Char('`')
}

/// Rejects text that is not SQL. Statements in the body of a trigger also start with a keyword.
fn check_start(first: &TokenWithSpan, lines: &LineIndex<'_>) -> Result<(), Diagnostic> {
    match &first.token {
        Token::Word(word) if word.keyword != Keyword::NoKeyword => Ok(()),
        Token::LParen => Ok(()),
        other => {
            let message = format!("expected an SQL statement, found: {other}");
            Err(Diagnostic::new(Code::Syntax, message, lines.span(first.span)))
        }
    }
}

/// Replaces what a dump contains for psql by spaces: its commands, such as `\connect`, and rows after `COPY … FROM stdin`.
fn without_client_lines(text: &str) -> Cow<'_, str> {
    if !text.starts_with('\\') && !text.contains("\n\\") {
        return text.into();
    }
    let mut kept = String::with_capacity(text.len());
    let mut is_row = false;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        if is_row || content.starts_with('\\') {
            is_row &= content != "\\.";
            kept.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        } else {
            is_row = starts_rows(content);
            kept.push_str(line);
        }
    }
    kept.into()
}

fn starts_rows(line: &str) -> bool {
    let start = line.get(..5).unwrap_or_default();
    let end = line.len().checked_sub(11).and_then(|at| line.get(at..)).unwrap_or_default();
    start.eq_ignore_ascii_case("COPY ") && end.eq_ignore_ascii_case("FROM stdin;")
}

#[cfg(test)]
mod tests {
    use super::without_client_lines;

    #[test]
    fn lines_for_the_client_become_spaces_of_the_same_length() {
        let text = "\\connect shop\nCOPY a (b) FROM stdin;\n1\tit's; é\n\\.\nSELECT 1;\n";
        let kept = without_client_lines(text);
        assert_eq!(kept.len(), text.len());
        assert_eq!(
            kept.split_whitespace().collect::<Vec<_>>().join(" "),
            "COPY a (b) FROM stdin; SELECT 1;"
        );
        assert_eq!(kept.find("SELECT"), text.find("SELECT"));
    }
}
