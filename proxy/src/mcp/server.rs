//! The MCP server.

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

use super::call::Call;
use super::{text, tools};
use crate::caller::Caller;
use crate::connections::Connection;
use crate::extract::BODY_BYTES;
use crate::identity::Identity;
use crate::problem::{Problem, REQUEST_ID, request_id};
use crate::rights::Rights;
use crate::state::AppState;

/// Instructions on the tools, for the language model.
const INSTRUCTIONS: &str = include_str!("../../data/mcp/instructions.txt");

/// Definitions of the tools.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../data/mcp/tools.json")).unwrap_or_else(|error| {
        tracing::error!(%error, "cannot parse the MCP tools");
        Vec::new()
    })
});

/// Handler of one client.
#[derive(Clone)]
pub(crate) struct McpServer {
    state: AppState,
    /// Identity of the caller on standard input; `None` over HTTP, where each request has one.
    local: Option<Identity>,
    /// Tracing span of the HTTP request, since calls run in tasks of their own.
    span: Span,
    /// Id of the HTTP request.
    request_id: String,
}

/// MCP over HTTP; middleware is added by the router.
pub(super) fn service(state: AppState) -> StreamableHttpService<McpServer, NeverSessionManager> {
    // Hosts and origins are checked by the middleware of all routes.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(BODY_BYTES);
    let server = move || Ok(McpServer::new(state.clone(), None));
    StreamableHttpService::new(server, Arc::default(), config)
}

impl McpServer {
    pub(super) fn new(state: AppState, local: Option<Identity>) -> Self {
        Self { state, local, span: Span::current(), request_id: request_id() }
    }

    /// Caller of a tool; over HTTP by the identity that the authentication middleware found.
    fn caller(&self, context: &RequestContext<RoleServer>) -> Result<Caller, Problem> {
        if let Some(local) = &self.local {
            return self.caller_of((Some(local), None), None);
        }
        let parts = context.extensions.get::<Parts>();
        let parts =
            parts.ok_or_else(|| Problem::internal("an MCP call without its HTTP request"))?;
        let who = (parts.extensions.get::<Identity>(), parts.extensions.get::<Rights>());
        self.caller_of(who, parts.extensions.get().cloned())
    }

    fn caller_of(
        &self,
        who: (Option<&Identity>, Option<&Rights>),
        connection: Option<Arc<Connection>>,
    ) -> Result<Caller, Problem> {
        Caller::found(&self.state.access, &self.state.sources, who, connection)
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
        let caller = match self.caller(&context) {
            Ok(caller) => caller,
            Err(problem) => return Ok(text::problem(&problem).into()),
        };
        let call = Call {
            state: &self.state,
            caller: &caller,
            is_local: self.local.is_some(),
            context: &context,
        };
        let call = REQUEST_ID.scope(self.request_id.clone(), tools::call(call, request));
        // Dropping the call cancels its statement in the database too.
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
