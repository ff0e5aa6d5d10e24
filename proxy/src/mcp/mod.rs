//! The interface for models and their programs: the Model Context Protocol, over HTTP at `/mcp` and on standard input
//! and output.
//!
//! Over HTTP no session is kept: a question that asks back waits in the store, and its form travels with the answer to
//! the call, so that any proxy takes the next one.

mod catalog;
mod dialogue;
mod form;
mod stdio;
mod text;
mod tools;

use std::sync::{Arc, LazyLock};

use axum::http::request::Parts;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tracing::{Instrument, Span};

use crate::caller::{Caller, Identity};
use crate::problem::{Problem, REQUEST_ID};
use crate::request::BODY_BYTES;
use crate::state::AppState;

pub use stdio::run;

/// How to use the tools, for the model that gets them.
const INSTRUCTIONS: &str = include_str!("../../data/mcp/instructions.txt");

/// The tools, as they are listed.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../data/mcp/tools.json")).unwrap_or_default()
});

/// Answers the calls of one client.
#[derive(Clone)]
pub(crate) struct McpServer {
    state: AppState,
    /// Who asks on standard input; over HTTP each request says who it comes from.
    local: Option<Identity>,
    /// Span of the request over HTTP, whose calls are answered by a task of their own.
    span: Span,
    /// Id of the request over HTTP.
    request_id: String,
}

/// The protocol over HTTP; everything that stands around a request is added by the router.
pub(crate) fn service(state: AppState) -> StreamableHttpService<McpServer, NeverSessionManager> {
    // Hosts and origins are checked before, for all routes alike.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(BODY_BYTES);
    let server = move || Ok(McpServer::new(state.clone(), None));
    StreamableHttpService::new(server, Arc::default(), config)
}

impl McpServer {
    fn new(state: AppState, local: Option<Identity>) -> Self {
        let request_id = REQUEST_ID.try_with(Clone::clone).unwrap_or_default();
        Self { state, local, span: Span::current(), request_id }
    }

    /// Who calls; a request over HTTP is known by what the layer that authenticates found.
    fn caller(&self, context: &RequestContext<RoleServer>) -> Result<Caller, Problem> {
        if let Some(local) = &self.local {
            return Caller::found(&self.state, Some(local));
        }
        let parts = context.extensions.get::<Parts>();
        let parts = parts.ok_or_else(|| Problem::internal("a call came without its request"))?;
        Caller::found(&self.state, parts.extensions.get::<Identity>())
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_instructions(INSTRUCTIONS)
            .with_server_info(Implementation::new("wherefore", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        TOOLS.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let cancelled = context.ct.clone();
        let call = REQUEST_ID.scope(self.request_id.clone(), tools::call(self, request, &context));
        // Work ends with the wish for it: what is dropped is cancelled in the database too.
        tokio::select! {
            answer = call.instrument(self.span.clone()) => answer,
            () = cancelled.cancelled() => {
                Err(ErrorData::internal_error("the call was cancelled", None))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_only_reads_and_takes_nothing_unknown() {
        let names: Vec<_> = TOOLS.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["ask", "answer", "correct", "catalog", "check"]);
        for tool in TOOLS.iter() {
            let hints = tool.annotations.as_ref().unwrap();
            assert_eq!(hints.read_only_hint, Some(true), "{}", tool.name);
            assert_eq!(hints.destructive_hint, Some(false), "{}", tool.name);
            assert_eq!(hints.open_world_hint, Some(false), "{}", tool.name);
            assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
            assert!(tool.output_schema.is_some(), "{}", tool.name);
        }
    }
}
