//! G06 relation-allow-list: a relation that is not in the catalog of the data source, such as a system catalog.
//!
//! why: system catalogs reveal users, settings and other people's queries.
//! wrong: `SELECT rolname FROM pg_catalog.pg_authid`
//! right: `SELECT name FROM users`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G06", "relation-allow-list", Code::Relation);
