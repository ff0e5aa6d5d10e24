//! R03 unprintable: a construct that the data source's dialect cannot express.
//!
//! wrong: `SELECT DISTINCT ON (city) name FROM users` on SQLite
//! right: `SELECT city, min(name) FROM users GROUP BY city` on SQLite

use crate::sql::Code;
use crate::sql::lint::rule::Check;
use crate::sql::lint::{Rule, Severity};

pub(super) static RULE: Rule =
    Rule { id: "R03", name: "unprintable", severity: Severity::Error, check: Check::Guard(Code::Unprintable) };
