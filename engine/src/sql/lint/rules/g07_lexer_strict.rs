//! G07 lexer-strict: characters that servers read in different ways: control characters, spaces beyond ASCII, open quotes.
//!
//! wrong: `SELECT 'Paris FROM users`
//! right: `SELECT 'Paris' AS city FROM users`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G07", "lexer-strict", Code::Lexical);
