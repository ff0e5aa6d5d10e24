//! SELECT statements as a tree: read, linted, guarded, explained and printed for several dialects.
//!
//! ```
//! # let json = r#"{ "name": "shop", "tables": [{ "name": "users", "columns": [
//! #     { "name": "name" }, { "name": "city" }] }] }"#;
//! # let catalog: wherefore_catalog::Catalog = serde_json::from_str(json).unwrap();
//! use wherefore_sql::{Dialect, GuardLimits, ReadDialect, Target, check_text, lint::lint, transpile};
//!
//! let sql = "SELECT name FROM users WHERE city = NULL";
//! assert_eq!(lint(sql, &catalog, None)[0].rule.name, "null-compare");
//! let checked = check_text(sql, ReadDialect::Sqlite, &catalog, Dialect::Sqlite, &GuardLimits::default()).unwrap();
//! assert_eq!(checked.sql(), "SELECT name\nFROM users\nWHERE city = NULL");
//! let tsql = transpile("SELECT name FROM users LIMIT 5", ReadDialect::Sqlite, Target::Tsql).unwrap();
//! assert_eq!(tsql, "SELECT TOP (5) name\nFROM users");
//! ```
//!
//! - [`read()`] turns text into the tree of [`tree::Query`]; [`print()`] turns the tree into text of a dialect.
//! - [`check_text`] is the guard: default deny. A statement passes if every table, column and function in it is known
//!   and allowed. The result is a [`CheckedSql`], which has no other constructor, so that code that takes one cannot
//!   run unchecked SQL.
//! - [`lint`](mod@lint) finds mistakes, [`repair`] applies the safe fixes, [`explain`](mod@explain) says in English what
//!   a statement does, [`transpile`] rewrites it for another dialect.
//!
//! [`ddl`] reads definitions of tables into plain structs; the query tree represents SELECT statements only.
//!
//! Feature `read` (on by default) adds everything that needs a parser. Without it the tree, the guard and the printer
//! remain, for programs that build statements themselves. Feature `typescript` derives type declarations for
//! JavaScript.
#![cfg_attr(
    not(feature = "read"),
    allow(dead_code, unused_imports, reason = "the reader's helpers are not all gated")
)]

mod affix;
#[cfg(feature = "read")]
#[doc(hidden)]
pub mod bind;
#[cfg(feature = "read")]
pub mod ddl;
mod default_name;
mod diagnostic;
#[cfg(feature = "read")]
mod dialects;
#[cfg(feature = "read")]
pub mod explain;
pub mod foreign;
pub mod guard;
#[cfg(not(feature = "read"))]
mod held;
#[cfg(feature = "read")]
pub mod lint;
mod names;
mod nesting;
#[doc(hidden)]
pub mod packed;
#[cfg(feature = "read")]
mod place;
pub mod print;
#[cfg(feature = "read")]
pub mod read;
#[cfg(feature = "read")]
pub mod repair;
mod suggest;
pub mod tree;
mod types;
#[doc(hidden)]
pub mod walk;
mod words;

pub use affix::{Affixed, affixed};
pub use diagnostic::{Code, Diagnostic};
#[cfg(feature = "read")]
pub use dialects::{
    Adopted, Doubt, MysqlServer, NativeColumn, NativeSql, Translated, adopt, print_for, read_for,
    translate, transpile,
};
#[cfg(feature = "read")]
pub use guard::check_text;
pub use guard::{CheckedSql, GuardLimits, OutputColumn, check, check_bound};
pub use print::{Target, Unprintable, print, print_identifier, print_string};
#[cfg(feature = "read")]
#[doc(hidden)]
pub use read::read_with_tokens;
#[cfg(feature = "read")]
pub use read::{ReadDialect, read, read_plain};
pub use wherefore_catalog::Dialect;
