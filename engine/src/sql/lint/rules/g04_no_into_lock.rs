//! G04 no-into-lock: SELECT INTO, and locks of rows.
//!
//! wrong: `SELECT id FROM users FOR UPDATE`
//! right: `SELECT id FROM users`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G04", "no-into-lock", Code::IntoOrLock);
