//! The built-in data source: a wholesale distributor and a wound clinic, drawn from a fixed seed.
//!
//! Every name and number is invented; dates lie relative to the day that the caller passes in.

mod dataset;
mod ddl;
mod error;
mod generate;
mod load;
mod schema;
mod value;
mod words;

pub use dataset::{Dataset, Rows};
pub use error::{Error, Result};
pub use generate::generate;
pub use load::{
    Progress, Summary, TableSummary, load_postgres, load_postgres_with, load_sqlite,
    load_sqlite_with,
};
pub use schema::{ColumnSchema, Schema, TableSchema, schema};
pub use value::{Decimal, Value};

/// The catalog pack that describes the tables, as TOML text.
pub const PACK: &str = include_str!("../pack.toml");
