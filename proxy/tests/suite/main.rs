//! Tests of every route, option and limit over HTTP and on real databases, linked into one program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod attacks;
mod catalog;
mod catalog_export;
mod cells;
mod cross_site;
mod dialogue;
mod doctor;
#[cfg(unix)]
mod duckdb;
mod execution;
mod explain;
mod exports;
mod files;
mod flags;
mod history;
mod hostile;
mod large;
mod login;
mod mcp;
mod memory;
mod model;
mod mysql;
mod openapi;
mod operating;
mod options;
mod outage;
mod overdue;
mod processes;
mod progress;
mod reported;
mod requests;
mod resumed;
mod rounds;
mod sign_in;
mod start;
mod store;
mod support;
mod tokens;
mod values;
mod wire;
