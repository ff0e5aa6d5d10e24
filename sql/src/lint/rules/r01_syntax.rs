//! R01 syntax: text that does not parse in the data source's dialect or in any other supported one.
//!
//! why: the data source rejects the statement.
//! wrong: `SELECT name FROM users WHERE`
//! right: `SELECT name FROM users`

use crate::Code;
use crate::lint::rule::Check;
use crate::lint::{Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "R01",
    name: "syntax",
    severity: Severity::Error,
    check: Check::Guard(Code::Syntax),
};
