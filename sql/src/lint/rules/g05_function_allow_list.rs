//! G05 function-allow-list: a function that is not on the allow-list.
//!
//! why: functions can sleep, read files, write data or reveal server internals.
//! wrong: `SELECT pg_sleep(10)`
//! right: `SELECT lower(name) FROM users`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G05", "function-allow-list", Code::Function);
