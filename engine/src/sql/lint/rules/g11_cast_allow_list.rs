//! G11 cast-allow-list: a cast or a collation that is not on the list; some types look names up in system catalogs.
//!
//! wrong: `SELECT name COLLATE "xx_XX" FROM users`
//! right: `SELECT id::text FROM users`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G11", "cast-allow-list", Code::Type);
