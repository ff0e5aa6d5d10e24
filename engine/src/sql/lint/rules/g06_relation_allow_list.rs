//! G06 relation-allow-list: a relation that is no table of the data source, such as a system catalog.
//!
//! wrong: `SELECT rolname FROM pg_catalog.pg_authid`
//! right: `SELECT name FROM users`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G06", "relation-allow-list", Code::Relation);
