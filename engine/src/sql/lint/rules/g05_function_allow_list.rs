//! G05 function-allow-list: a function that is not on the list of those a query may call.
//!
//! wrong: `SELECT pg_sleep(10)`
//! right: `SELECT lower(name) FROM users`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G05", "function-allow-list", Code::Function);
