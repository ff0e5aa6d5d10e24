//! Model Context Protocol (MCP): the interface for language models, over HTTP at `/mcp` and on standard input and
//! output.
//!
//! There are no sessions over HTTP: a question that needs clarification waits in the store, and its form is part of the
//! response to the call, so that any proxy can handle the next call.

mod call;
mod catalog;
mod dialogue;
mod form;
mod json_rpc;
mod server;
mod stdio;
mod text;
mod tools;

pub(crate) use json_rpc::router;
pub use stdio::run;
