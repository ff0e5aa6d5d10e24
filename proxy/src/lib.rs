//! The proxy: reads a catalog, runs sessions headless, lists stored values and executes checked SQL.

pub mod access;
mod admission;
pub mod caller;
pub mod catalog;
pub mod config;
pub mod database;
pub mod doctor;
mod driver;
pub mod experiment;
mod export;
mod headers;
pub mod key_commands;
pub mod limits;
pub mod logging;
pub mod metrics;
pub mod model;
pub mod problem;
mod request;
pub mod routes;
pub mod server;
pub mod source;
pub mod start;
pub mod state;
pub mod store;
mod turn;
pub mod values;
pub mod writer;
