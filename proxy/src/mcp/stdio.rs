//! MCP on standard input and output, for the user who started the program.

use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;

use super::server::McpServer;
use crate::background::run_background_tasks;
use crate::config::Config;
use crate::extract::BODY_BYTES;
use crate::identity::DEFAULT_TENANT;
use crate::identity::Identity;
use crate::startup::{StartError, start};

/// User name for history, memory and limits of the one who started the program.
const LOCAL_USER: &str = "local";

/// Starts the proxy and serves standard input until it ends.
///
/// Only protocol messages are written to standard output.
pub async fn run(config: Config) -> Result<(), StartError> {
    config.check_local()?;
    let state = start(&config).await?;
    if state.sources.get(DEFAULT_TENANT).is_none() {
        return Err(StartError::NoLocalTenant);
    }
    let background = run_background_tasks(config, state.clone());
    let user = Some(LOCAL_USER.to_owned());
    let local = Identity { tenant: DEFAULT_TENANT.to_owned(), user };
    let transport = AsyncRwTransport::new_server(tokio::io::stdin(), tokio::io::stdout())
        .with_max_line_length(BODY_BYTES);
    let result = match Box::pin(McpServer::new(state, Some(local)).serve(transport)).await {
        Ok(service) => service.waiting().await.map(drop).map_err(std::io::Error::other),
        Err(error) => Err(std::io::Error::other(error)),
    };
    background.abort();
    Ok(result?)
}
