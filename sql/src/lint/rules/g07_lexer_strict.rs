//! G07 lexer-strict: characters that servers interpret differently: control characters, non-ASCII spaces, unclosed
//! quotes.
//!
//! why: text that the guard and the server split into different tokens can bypass every other check.
//! wrong: `SELECT 'Paris FROM users`
//! right: `SELECT 'Paris' AS city FROM users`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G07", "lexer-strict", Code::Lexical);
