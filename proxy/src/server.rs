//! HTTP server: listening, serving and graceful shutdown.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::{Request, header};
use futures_util::future::Abortable;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::io;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::background::run_background_tasks;
use crate::config::Config;
use crate::connections::{Connection, Connections, Lingering, Peer, Watched, room_for};
use crate::hosts::AllowedHosts;
use crate::router::router;
use crate::startup::{StartError, start};

/// Grace period for requests in progress at shutdown.
const GRACE: Duration = Duration::from_secs(10);
/// Time after which an idle connection is closed. It is longer than the idle timeout of reverse proxies (nginx: 60 s).
const IDLE: Duration = Duration::from_secs(75);
/// Maximum size of a request head, and of the read buffer, in bytes.
const HEAD_BYTES: usize = 64 * 1024;
/// Maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 4_096;
/// Unsent bytes of a connection above which the kernel takes no more. It bounds the time for which a slow reader seems
/// to have stalled.
#[cfg(target_os = "linux")]
const UNSENT_BYTES: u32 = 128 * 1024;
/// Time after which a warning that would repeat is logged again.
const WARNED: Duration = Duration::from_mins(1);
/// Pause after a failed `accept`.
const PAUSE: Duration = Duration::from_millis(20);

/// Starts the proxy, reports its address once it is ready, and serves until shutdown.
pub async fn run(config: Config, listening: impl FnOnce(SocketAddr)) -> Result<(), StartError> {
    let state = start(&config).await?;
    let failed = |source| StartError::Listen { address: config.listen, source };
    let listener = listen(config.listen).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let routes = router(state.clone(), hosts(&config), config.static_files.as_deref());
    let stopping = state.stopping.clone();
    let wanted = config.limits.open_connections as usize;
    let stalled = Duration::from_secs(u64::from(config.limits.stalled_seconds));
    let most = room_for(wanted, config.connections);
    let connections = Connections::new(most, stalled, Arc::clone(&state.metrics));
    let background = run_background_tasks(config, state);
    let told_to_stop = stop_signal()?;
    listening(address);
    serve(listener, routes, connections, stopping, told_to_stop).await;
    background.abort();
    Ok(())
}

/// Listens at an address.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    let listener = socket.listen(BACKLOG)?;
    // Accepted sockets inherit it.
    #[cfg(target_os = "linux")]
    socket2::SockRef::from(&listener).set_tcp_notsent_lowat(UNSENT_BYTES)?;
    Ok(listener)
}

/// Serves HTTP/1 until shutdown, then waits for requests in progress up to the grace period.
///
/// At shutdown no connection is accepted, and `stopping` is cancelled, which ends event streams.
pub async fn serve(
    listener: TcpListener,
    routes: Router,
    connections: Arc<Connections>,
    stopping: CancellationToken,
    told_to_stop: impl Future<Output = ()> + Send + 'static,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(IDLE).max_buf_size(HEAD_BYTES);
    let graceful = GracefulShutdown::new();
    let watching = tokio::spawn({
        let connections = Arc::clone(&connections);
        async move { connections.watch().await }
    });
    let mut told_to_stop = std::pin::pin!(told_to_stop);
    let mut warned = Rarely::default();
    loop {
        let (stream, remote) = tokio::select! {
            accepted = accept(&listener, &connections, &mut warned) => accepted,
            () = &mut told_to_stop => break,
        };
        if !connections.has_room() {
            tracing::debug!("a connection was refused: all are in use");
            continue;
        }
        // Small parts of a stream must not wait for acknowledgements (Nagle's algorithm).
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY; small chunks may be delayed");
        }
        let state = Arc::new(Connection::new(Peer::new(remote.ip())));
        let watched = Watched::new(stream, Arc::clone(&state), reset);
        let (routes, served) = (routes.clone(), Arc::clone(&state));
        let service = service_fn(move |request: Request<Incoming>| {
            served.head_read();
            let is_awaited = request.headers().contains_key(header::EXPECT);
            let mut request = request.map(|body| Lingering::new(body, is_awaited));
            request.extensions_mut().insert(ConnectInfo::<SocketAddr>(remote));
            request.extensions_mut().insert(Arc::clone(&served));
            let (routes, served) = (routes.clone(), Arc::clone(&served));
            async move {
                let response = routes.oneshot(request).await;
                served.answered();
                response
            }
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(watched), service));
        let (entry, registration) = connections.add(state);
        let connection = Abortable::new(connection, registration);
        tokio::spawn(async move {
            if let Ok(Err(error)) = connection.await {
                tracing::debug!(%error, "a connection was lost");
            }
            drop(entry);
        });
    }
    tracing::info!("stopping");
    drop(listener);
    stopping.cancel();
    connections.stop();
    if tokio::time::timeout(GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("running requests were aborted at shutdown");
    }
    watching.abort();
}

/// Lets the next close of a connection send a reset (RST), so that its client sees that the response is incomplete.
fn reset(stream: &TcpStream) {
    if let Err(error) = socket2::SockRef::from(stream).set_linger(Some(Duration::ZERO)) {
        tracing::debug!(%error, "cannot set SO_LINGER; a connection ends without a reset");
    }
}

/// A warning that is logged at most once in [`WARNED`].
#[derive(Default)]
struct Rarely(Option<Instant>);

impl Rarely {
    /// Whether the warning is due, which this call counts as logged.
    fn is_due(&mut self, now: Instant) -> bool {
        let is_due = self.0.is_none_or(|last| now.duration_since(last) >= WARNED);
        if is_due {
            self.0 = Some(now);
        }
        is_due
    }
}

/// The next connection.
///
/// If the process has no file descriptors left, waiting connections are closed, so that others can be accepted.
async fn accept(
    listener: &TcpListener,
    connections: &Connections,
    warned: &mut Rarely,
) -> (TcpStream, SocketAddr) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error)
                if [ConnectionAborted, ConnectionRefused, ConnectionReset]
                    .contains(&error.kind()) => {}
            Err(error) => {
                if warned.is_due(Instant::now()) {
                    tracing::warn!(%error, "cannot accept a connection; closing some that wait");
                }
                connections.shrink();
                tokio::time::sleep(PAUSE).await;
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_that_repeats_is_logged_once_a_minute() {
        let (start, mut warned) = (Instant::now(), Rarely::default());
        let due = |after: Duration, warned: &mut Rarely| warned.is_due(start + after);
        assert!(due(Duration::ZERO, &mut warned));
        assert!(!due(Duration::from_secs(59), &mut warned));
        assert!(due(Duration::from_mins(1), &mut warned));
        assert!(!due(Duration::from_secs(90), &mut warned));
    }
}
