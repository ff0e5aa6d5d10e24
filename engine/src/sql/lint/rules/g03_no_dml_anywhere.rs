//! G03 no-dml-anywhere: INSERT, UPDATE, DELETE or MERGE, at the root or in a common table.
//!
//! wrong: `WITH gone AS (DELETE FROM users RETURNING id) SELECT id FROM gone`
//! right: `SELECT id FROM users`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G03", "no-dml-anywhere", Code::DataModification);
