//! G04 no-into-lock: SELECT INTO, or a row-locking clause such as FOR UPDATE.
//!
//! why: SELECT INTO creates a table, and row locks block other sessions.
//! wrong: `SELECT id FROM users FOR UPDATE`
//! right: `SELECT id FROM users`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G04", "no-into-lock", Code::IntoOrLock);
