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
mod execution;
mod exports;
mod flags;
mod history;
mod hostile;
mod large;
mod login;
mod mcp;
mod memory;
mod model;
mod openapi;
mod operating;
mod options;
mod outage;
mod overdue;
mod processes;
mod progress;
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
