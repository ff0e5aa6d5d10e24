//! The protocol on standard input and output, for the one who started the program.

use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;

use super::McpServer;
use crate::caller::Identity;
use crate::config::Config;
use crate::request::BODY_BYTES;
use crate::start::{StartError, start};
use crate::state::DEFAULT_TENANT;
use crate::upkeep::keep_up;

/// User that the one who started the program is, to history, memory and limits.
const LOCAL_USER: &str = "local";

/// Starts, and answers what comes on standard input until it ends.
///
/// Nothing but the protocol is written to standard output.
pub async fn run(config: Config) -> Result<(), StartError> {
    let state = start(&config).await?;
    if state.source(DEFAULT_TENANT).is_none() {
        return Err(StartError::NoLocalTenant);
    }
    let upkeep = keep_up(config, state.clone());
    let user = Some(LOCAL_USER.to_owned());
    let local = Identity { tenant: DEFAULT_TENANT.to_owned(), user };
    let transport = AsyncRwTransport::new_server(tokio::io::stdin(), tokio::io::stdout())
        .with_max_line_length(BODY_BYTES);
    let result = match Box::pin(McpServer::new(state, Some(local)).serve(transport)).await {
        Ok(service) => service.waiting().await.map(drop).map_err(std::io::Error::other),
        Err(error) => Err(std::io::Error::other(error)),
    };
    upkeep.abort();
    Ok(result?)
}
