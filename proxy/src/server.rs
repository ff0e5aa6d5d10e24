//! Listening, serving, and stopping in time.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::routes::{AllowedHosts, router};
use crate::start::{StartError, keep_up, start};

/// Time that requests under way get to end when the proxy stops.
const GRACE: Duration = Duration::from_secs(10);

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
    let result = serve(listener, routes, stopping, told_to_stop).await;
    upkeep.abort();
    Ok(result?)
}

/// Serves until told to stop, and then for as long as requests under way take, up to a grace.
///
/// From then on no connection is taken, and `stopping` is cancelled, by which event streams end.
pub async fn serve(
    listener: TcpListener,
    routes: Router,
    stopping: CancellationToken,
    told_to_stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let signal = stopping.clone();
    // Small parts of a stream must not wait until the client has acknowledged those before.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "small parts of a stream may wait");
        }
    });
    let routes = routes.into_make_service_with_connect_info::<SocketAddr>();
    let serve = axum::serve(listener, routes).with_graceful_shutdown(async move {
        told_to_stop.await;
        tracing::info!("stopping");
        signal.cancel();
    });
    tokio::select! {
        result = std::future::IntoFuture::into_future(serve) => result,
        () = async {
            stopping.cancelled().await;
            tokio::time::sleep(GRACE).await;
        } => {
            tracing::warn!("requests under way were cut off");
            Ok(())
        }
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
