//! The program: reads options, starts logging, and prints one line when it is ready.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use wherefore_proxy::config::{self, Action, ReadError};
#[cfg(unix)]
use wherefore_proxy::database::adbc;
use wherefore_proxy::{
    catalog_commands, doctor, explain_command, key_commands, logging, mcp, server,
};

/// Takes a sixth less memory than glibc's allocator under many model calls, and returns it when they end; its settings
/// stand in `.cargo/config.toml`.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    #[cfg(unix)]
    if arguments.get(1).is_some_and(|action| action == adbc::COMMAND) {
        return adbc::run_driver();
    }
    let is_check = arguments.get(1).is_some_and(|action| action == "check");
    let cli = match config::read(arguments) {
        Ok(cli) => cli,
        Err(ReadError::Usage(error)) => error.exit(),
        Err(error) if is_check => {
            print_line(doctor::unreadable(&error));
            return ExitCode::FAILURE;
        }
        Err(error) => return failed(&error),
    };
    logging::start(cli.config().log_format);
    let result = match cli.action {
        None => match server::run(cli.config, announce).await {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => return failed(&error),
        },
        Some(Action::Check(config)) => {
            let findings = doctor::examine(&config).await;
            for finding in &findings {
                print_line(finding);
            }
            return if findings.iter().any(doctor::Finding::has_failed) {
                ExitCode::FAILURE
            } else {
                ExitCode::SUCCESS
            };
        }
        Some(Action::Mcp(config)) => match mcp::run(*config).await {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => return failed(&error),
        },
        Some(Action::Catalog(action)) => {
            catalog_commands::run(action).await.map_err(|error| error.to_string())
        }
        Some(Action::Explain(explain)) => {
            explain_command::run(*explain).await.map_err(|error| error.to_string())
        }
        Some(Action::Key(action)) => {
            key_commands::run(action).await.map_err(|error| error.to_string())
        }
    };
    match result {
        Ok(lines) => {
            print_line(lines.trim_end());
            ExitCode::SUCCESS
        }
        Err(error) => failed(&error),
    }
}

fn failed(error: impl std::fmt::Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

fn announce(address: std::net::SocketAddr) {
    print_line(format!("listening on http://{address}"));
}

/// Writes a line to standard output. That its reader is gone, such as `head`, is no error.
fn print_line(line: impl std::fmt::Display) {
    let mut output = std::io::stdout().lock();
    match writeln!(output, "{line}").and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            tracing::warn!(%error, "cannot write to standard output");
        }
        _ => {}
    }
}
