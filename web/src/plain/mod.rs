//! Plain logic of the page: no browser types, so it is tested natively.

pub mod cell_text;
pub mod draft;
pub mod keys;
pub mod marks;
pub mod problem;
pub mod sql_tokens;
pub mod words;
