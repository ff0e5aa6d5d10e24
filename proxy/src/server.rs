//! Listening, serving, and stopping in time.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;

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
    let hosts = AllowedHosts::new(&config.allow_host);
    let routes = router(state.clone(), hosts, config.static_files.as_deref());
    let upkeep = keep_up(config, state);
    listening(address);
    let (stopping, mut stopped) = tokio::sync::watch::channel(false);
    let serve = axum::serve(listener, routes).with_graceful_shutdown(async move {
        stop_signal().await;
        tracing::info!("stopping");
        let _ = stopping.send(true);
    });
    let result = tokio::select! {
        result = std::future::IntoFuture::into_future(serve) => result,
        () = async {
            let _ = stopped.wait_for(|stopped| *stopped).await;
            tokio::time::sleep(GRACE).await;
        } => {
            tracing::warn!("requests under way were cut off");
            Ok(())
        }
    };
    upkeep.abort();
    Ok(result?)
}

/// Ends when the process is told to stop, by the keyboard or by the system.
async fn stop_signal() {
    let keyboard = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = keyboard => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = keyboard.await;
}
