//! G02 select-only: a statement that is not a query: SHOW, PRAGMA, COPY, CALL, EXPLAIN.
//!
//! why: such statements can read files, change settings or execute code.
//! wrong: `EXPLAIN SELECT id FROM users`
//! right: `SELECT id FROM users`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G02", "select-only", Code::SelectOnly);
