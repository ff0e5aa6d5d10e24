//! R02 unsupported: a construct that the reader does not support.
//!
//! why: what cannot be read cannot be checked, so the statement does not run.
//! wrong: `SELECT name FROM users TABLESAMPLE system (10)`
//! right: `SELECT name FROM users LIMIT 10`

use crate::Code;
use crate::lint::rule::Check;
use crate::lint::{Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "R02",
    name: "unsupported",
    severity: Severity::Error,
    check: Check::Guard(Code::Unsupported),
};
