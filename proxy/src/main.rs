//! The program: options, log, one line on standard output once requests are taken.

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;
use wherefore_proxy::config::Config;
use wherefore_proxy::server;

#[tokio::main]
async fn main() -> ExitCode {
    let config = Config::parse();
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("warn,wherefore_proxy=info"));
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(filter)
        .with_target(false)
        .init();
    match server::run(config, announce).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "the address is what callers wait for")]
fn announce(address: std::net::SocketAddr) {
    println!("listening on http://{address}");
}
