//! G03 no-dml-anywhere: INSERT, UPDATE, DELETE or MERGE, at the top level or in a common table expression.
//!
//! why: queries must not change data.
//! wrong: `WITH gone AS (DELETE FROM users RETURNING id) SELECT id FROM gone`
//! right: `SELECT id FROM users`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G03", "no-dml-anywhere", Code::DataModification);
