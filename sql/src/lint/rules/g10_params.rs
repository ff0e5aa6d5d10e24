//! G10 params: a placeholder without a value.
//!
//! why: the statement cannot run until the placeholder is bound.
//! wrong: `SELECT name FROM users WHERE id = $1`
//! right: `SELECT name FROM users WHERE id = 1`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G10", "params", Code::Parameter);
