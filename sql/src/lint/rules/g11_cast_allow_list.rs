//! G11 cast-allow-list: a cast to a type, or a collation, that is not on the allow-list.
//!
//! why: casts to types such as regclass look names up in the system catalogs.
//! wrong: `SELECT name COLLATE "xx_XX" FROM users`
//! right: `SELECT id::text FROM users`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G11", "cast-allow-list", Code::Type);
