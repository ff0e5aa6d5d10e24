//! G01 one-statement: a text that is not exactly one statement.
//!
//! wrong: `SELECT id FROM users; SELECT id FROM orders`
//! right: `SELECT id FROM users;`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G01", "one-statement", Code::OneStatement);
