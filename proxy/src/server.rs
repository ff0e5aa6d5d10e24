//! Listening, serving, and stopping in time.

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

use crate::config::Config;
use crate::routes::{AllowedHosts, router};
use crate::start::{StartError, start};
use crate::upkeep::keep_up;

/// Time that requests under way get to end when the proxy stops.
const GRACE: Duration = Duration::from_secs(10);
/// Longest time until the head of a request is there, counted anew for each on a connection that is kept; longer than
/// reverse proxies keep connections that nobody uses (nginx: 60 s).
const HEAD: Duration = Duration::from_secs(75);
/// Most bytes of a head, and of a part of a body that is held.
const HEAD_BYTES: usize = 64 * 1024;

/// Starts, tells the address once requests are taken, and serves until the process is told to stop.
pub async fn run(config: Config, listening: impl FnOnce(SocketAddr)) -> Result<(), StartError> {
    let state = start(&config).await?;
    let failed = |source| StartError::Listen { address: config.listen, source };
    let listener = TcpListener::bind(config.listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let routes = router(state.clone(), hosts(&config), config.static_files.as_deref());
    let stopping = state.stopping.clone();
    let upkeep = keep_up(config, state);
    let told_to_stop = stop_signal()?;
    listening(address);
    serve(listener, routes, stopping, told_to_stop).await;
    upkeep.abort();
    Ok(())
}

/// Serves HTTP/1 until told to stop, and then for as long as requests under way take, up to a grace.
///
/// From then on no connection is taken, and `stopping` is cancelled, by which event streams end.
pub async fn serve(
    mut listener: TcpListener,
    routes: Router,
    stopping: CancellationToken,
    told_to_stop: impl Future<Output = ()> + Send + 'static,
) {
    let mut http = http1::Builder::new();
    // A connection that sends its head byte by byte, or nothing, does not stay.
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES);
    let connections = GracefulShutdown::new();
    let mut told_to_stop = std::pin::pin!(told_to_stop);
    loop {
        // Waits where the process is out of file descriptors, and goes on where a client is gone already.
        let (stream, remote) = tokio::select! {
            accepted = Listener::accept(&mut listener) => accepted,
            () = &mut told_to_stop => break,
        };
        // Small parts of a stream must not wait until the client has acknowledged those before.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "small parts of a stream may wait");
        }
        let routes = routes.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo::<SocketAddr>(remote));
            routes.clone().oneshot(request)
        });
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke off");
            }
        });
    }
    tracing::info!("stopping");
    drop(listener);
    stopping.cancel();
    if tokio::time::timeout(GRACE, connections.shutdown()).await.is_err() {
        tracing::warn!("requests under way were cut off");
    }
}

/// Names that requests may be for: those of the options, and an address of this machine that is listened on.
fn hosts(config: &Config) -> AllowedHosts {
    let mut names = config.allow_host.clone();
    match config.listen.ip() {
        address if address.is_unspecified() => {
            if names.is_empty() {
                tracing::warn!(
                    "only requests for localhost are answered: --allow-host NAME adds the name that others use"
                );
            }
        }
        std::net::IpAddr::V4(address) => names.push(address.to_string()),
        std::net::IpAddr::V6(address) => names.push(format!("[{address}]")),
    }
    AllowedHosts::new(&names)
}

/// Ends when the process is told to stop, by the keyboard or by the system.
///
/// Signals are taken from the call on, before the future is first polled.
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

/// Ends when the process is told to stop by the keyboard.
#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
