//! The proxy: reads a catalog, runs sessions headless, lists stored values and executes checked SQL.

mod caller;
pub mod catalog;
pub mod config;
pub mod database;
pub mod driver;
mod export;
mod headers;
pub mod model;
pub mod problem;
mod request;
pub mod routes;
pub mod server;
pub mod source;
pub mod start;
pub mod state;
pub mod store;
pub mod values;
