//! R03 unprintable: a construct that the data source's dialect cannot express.
//!
//! why: the data source rejects the statement.
//! wrong: `SELECT DISTINCT ON (city) name FROM users` on SQLite
//! right: `SELECT city, min(name) FROM users GROUP BY city` on SQLite

use crate::Code;
use crate::lint::rule::Check;
use crate::lint::{Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "R03",
    name: "unprintable",
    severity: Severity::Error,
    check: Check::Guard(Code::Unprintable),
};
