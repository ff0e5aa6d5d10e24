//! The call of a tool.

use rmcp::service::{RequestContext, RoleServer};

use crate::caller::Caller;
use crate::state::AppState;

/// A tool call, with its caller and transport.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    /// State of the process.
    pub(super) state: &'a AppState,
    /// The caller and its data source.
    pub(super) caller: &'a Caller,
    /// Whether the call was received on standard input.
    pub(super) is_local: bool,
    /// Capabilities of the client, and the connection to it.
    pub(super) context: &'a RequestContext<RoleServer>,
}
