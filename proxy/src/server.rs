//! HTTP server: listening, serving and graceful shutdown.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::background::run_background_tasks;
use crate::config::Config;
use crate::hosts::AllowedHosts;
use crate::router::router;
use crate::startup::{StartError, start};

/// Grace period for requests in progress at shutdown.
const GRACE: Duration = Duration::from_secs(10);
/// Timeout of receiving a request head, per request on a kept-alive connection. It is longer than the idle timeout of
/// reverse proxies (nginx: 60 s).
const HEAD: Duration = Duration::from_secs(75);
/// Maximum size of a request head, and of the read buffer, in bytes.
const HEAD_BYTES: usize = 64 * 1024;

/// Starts the proxy, reports its address once it is ready, and serves until shutdown.
pub async fn run(config: Config, listening: impl FnOnce(SocketAddr)) -> Result<(), StartError> {
    let state = start(&config).await?;
    let failed = |source| StartError::Listen { address: config.listen, source };
    let listener = TcpListener::bind(config.listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let routes = router(state.clone(), hosts(&config), config.static_files.as_deref());
    let stopping = state.stopping.clone();
    let background = run_background_tasks(config, state);
    let told_to_stop = stop_signal()?;
    listening(address);
    serve(listener, routes, stopping, told_to_stop).await;
    background.abort();
    Ok(())
}

/// Serves HTTP/1 until shutdown, then waits for requests in progress up to the grace period.
///
/// At shutdown no connection is accepted, and `stopping` is cancelled, which ends event streams.
pub async fn serve(
    mut listener: TcpListener,
    routes: Router,
    stopping: CancellationToken,
    told_to_stop: impl Future<Output = ()> + Send + 'static,
) {
    let mut http = http1::Builder::new();
    // Closes connections that send their head too slowly (slowloris attacks).
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES);
    let connections = GracefulShutdown::new();
    let mut told_to_stop = std::pin::pin!(told_to_stop);
    loop {
        // `accept` waits if the process has no file descriptors left, and ignores clients that are gone.
        let (stream, remote) = tokio::select! {
            accepted = Listener::accept(&mut listener) => accepted,
            () = &mut told_to_stop => break,
        };
        // Small parts of a stream must not wait for acknowledgements (Nagle's algorithm).
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY; small chunks may be delayed");
        }
        let routes = routes.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo::<SocketAddr>(remote));
            routes.clone().oneshot(request)
        });
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection was lost");
            }
        });
    }
    tracing::info!("stopping");
    drop(listener);
    stopping.cancel();
    if tokio::time::timeout(GRACE, connections.shutdown()).await.is_err() {
        tracing::warn!("running requests were aborted at shutdown");
    }
}

/// Allowed host names: the configured ones, and the listening address.
fn hosts(config: &Config) -> AllowedHosts {
    let mut names = config.allow_host.clone();
    match config.listen.ip() {
        address if address.is_unspecified() => {
            if names.is_empty() {
                tracing::warn!(
                    "only requests for localhost are answered; allow other host names with --allow-host NAME"
                );
            }
        }
        std::net::IpAddr::V4(address) => names.push(address.to_string()),
        std::net::IpAddr::V6(address) => names.push(format!("[{address}]")),
    }
    AllowedHosts::new(&names)
}

/// Completes on SIGINT or SIGTERM.
///
/// Signals are caught from the call on, before the future is first polled.
#[cfg(unix)]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut keyboard = signal(SignalKind::interrupt())?;
    let mut system = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = keyboard.recv() => {}
            _ = system.recv() => {}
        }
    })
}

/// Completes on Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "cannot wait for the shutdown signal");
        }
    })
}
