//! G10 params: a placeholder that has no value.
//!
//! wrong: `SELECT name FROM users WHERE id = $1`
//! right: `SELECT name FROM users WHERE id = 1`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G10", "params", Code::Parameter);
