//! D02 dialect-syntax: syntax of another database: TOP, LIMIT a, b, backticks, brackets, ==, QUALIFY.
//!
//! Autocorrection translates the whole statement into the data source's dialect.
//!
//! why: the data source rejects the syntax, or silently reads it as something else.
//! wrong: `SELECT TOP 5 name FROM users ORDER BY name`
//! right: `SELECT name FROM users ORDER BY name LIMIT 5`

use crate::Dialect;
use crate::lint::{Finding, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("D02", "dialect-syntax", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for at in 0..statement.tokens.len() {
        let Some(what) = foreign(statement, at) else { continue };
        let Some(span) = statement.tokens.get(at).copied() else { continue };
        let message = format!("{what} is not valid in {}", statement.dialect);
        found.push(Finding::new(&RULE, message, span));
        return;
    }
}

/// Names the syntax of another database that starts at a token and that the reader nevertheless accepts.
fn foreign(statement: &Statement<'_>, at: usize) -> Option<&'static str> {
    let token = statement.token(at);
    let is = |at: usize, words: &[&str]| words.iter().any(|word| statement.is_word(at, word));
    let before = |back: usize| at.checked_sub(back);
    let is_number =
        |at: usize| statement.token(at).starts_with(|first: char| first.is_ascii_digit());
    let postgres = statement.dialect == Dialect::Postgres;
    if is(at, &["top"])
        && before(1).is_some_and(|it| is(it, &["select", "distinct", "all"]))
        && (is_number(at + 1) || statement.token(at + 1) == "(" && is_number(at + 2))
    {
        return Some("TOP");
    }
    if is(at, &["minus"]) && is(at + 1, &["select", "all"]) {
        return Some("MINUS between queries");
    }
    if postgres {
        let opens_name = token == "["
            && before(1).is_none_or(|it| {
                is(
                    it,
                    &[
                        "select", "distinct", "from", "join", "by", "and", "or", "on", "where",
                        "as", "not",
                    ],
                ) || matches!(statement.token(it), "." | "=" | "<" | ">" | "(")
            });
        let limit_pair = token == "," && before(2).is_some_and(|it| is(it, &["limit"]));
        let bare_interval = is(at, &["interval"]) && is_number(at + 1);
        return match token {
            "==" => Some("the operator =="),
            "<=>" => Some("the operator <=>"),
            "&&" => Some("the operator &&"),
            _ if token.starts_with('`') => Some("a name in backticks"),
            _ if opens_name => Some("a name in square brackets"),
            _ if limit_pair => Some("LIMIT with a comma"),
            _ if bare_interval => Some("an interval without quotes"),
            _ if is(at, &["regexp", "rlike", "glob"]) && is_operator(statement, at) => {
                Some("this operator")
            }
            _ => None,
        };
    }
    let quoted_next = statement.token(at + 1).starts_with('\'');
    match token {
        "::" => Some("the cast operator ::"),
        _ if is(at, &["ilike"]) => Some("ILIKE"),
        _ if is(at, &["interval"]) && (quoted_next || is_number(at + 1)) => {
            Some("an interval literal")
        }
        _ if is(at, &["date", "timestamp"]) && quoted_next => Some("a typed literal"),
        _ if is(at, &["extract"]) && statement.token(at + 1) == "(" => Some("EXTRACT"),
        _ if is(at, &["fetch"]) && is(at + 1, &["first", "next"]) => Some("FETCH FIRST"),
        _ => None,
    }
}

/// Whether a word is used as a binary operator.
fn is_operator(statement: &Statement<'_>, at: usize) -> bool {
    at > 0 && statement.token(at + 1).starts_with('\'')
}
