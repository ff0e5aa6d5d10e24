//! G02 select-only: anything but a query at the root: SHOW, PRAGMA, COPY, CALL, EXPLAIN.
//!
//! wrong: `EXPLAIN SELECT id FROM users`
//! right: `SELECT id FROM users`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G02", "select-only", Code::SelectOnly);
