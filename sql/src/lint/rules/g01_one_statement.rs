//! G01 one-statement: text that does not contain exactly one statement.
//!
//! why: a second statement could do anything, for example delete data (SQL injection).
//! wrong: `SELECT id FROM users; SELECT id FROM orders`
//! right: `SELECT id FROM users;`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G01", "one-statement", Code::OneStatement);
