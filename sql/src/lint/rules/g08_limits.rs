//! G08 limits: a statement that is too long, nested too deeply or unbounded: recursion, generators, Cartesian products.
//!
//! why: such a statement can exhaust the time or memory of the server.
//! wrong: `SELECT n FROM generate_series(1, 10000000) AS n`
//! right: `SELECT n FROM generate_series(1, 100) AS n`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G08", "limits", Code::Limit);
