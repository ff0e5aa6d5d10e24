//! R01 syntax: a text that is no SQL of the data source's dialect, nor of another that is read.
//!
//! wrong: `SELECT name FROM users WHERE`
//! right: `SELECT name FROM users`

use crate::sql::Code;
use crate::sql::lint::rule::Check;
use crate::sql::lint::{Rule, Severity};

pub(super) static RULE: Rule =
    Rule { id: "R01", name: "syntax", severity: Severity::Error, check: Check::Guard(Code::Syntax) };
