//! G09 whole-row: a whole row or a system column used as a value.
//!
//! why: it exposes columns that the catalog does not list.
//! wrong: `SELECT u FROM users u`
//! right: `SELECT u.name FROM users u`

use crate::Code;
use crate::lint::Rule;

pub(super) static RULE: Rule = Rule::of_guard("G09", "whole-row", Code::WholeRow);
