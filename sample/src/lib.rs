//! Built-in data source with generated rows: a wholesale distributor and a wound clinic.
//!
//! Every name and number is invented. Rows depend only on a fixed seed and on the date that the caller passes in.

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

/// Catalog pack that describes the tables, in TOML.
pub const PACK: &str = include_str!("../pack.toml");
