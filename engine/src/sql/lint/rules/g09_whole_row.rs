//! G09 whole-row: a whole row or a column that the server adds, used as a value.
//!
//! wrong: `SELECT u FROM users u`
//! right: `SELECT u.name FROM users u`

use crate::sql::Code;
use crate::sql::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G09", "whole-row", Code::WholeRow);
