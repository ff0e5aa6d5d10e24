//! G08 limits: too long, too deep, or without a bound: recursion, generators, tables that nothing joins.
//!
//! wrong: `SELECT n FROM generate_series(1, 10000000) AS n`
//! right: `SELECT n FROM generate_series(1, 100) AS n`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G08", "limits", Code::Limit);
