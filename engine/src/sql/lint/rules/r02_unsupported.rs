//! R02 unsupported: a construct that is not read.
//!
//! wrong: `SELECT name FROM users TABLESAMPLE system (10)`
//! right: `SELECT name FROM users LIMIT 10`

use crate::sql::Code;
use crate::sql::lint::rule::Check;
use crate::sql::lint::{Rule, Severity};

pub(super) static RULE: Rule =
    Rule { id: "R02", name: "unsupported", severity: Severity::Error, check: Check::Guard(Code::Unsupported) };
