//! Load generators over kept-alive HTTP connections, and histograms of their latencies.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use futures_util::future::try_join_all;
use hdrhistogram::Histogram;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// Timeout of a request; a request that exceeds it fails the measurement.
const PATIENCE: Duration = Duration::from_mins(1);

/// An HTTP request that is sent repeatedly.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// `HOST:PORT`.
    pub(crate) authority: String,
    /// Path and query.
    pub(crate) path: String,
    /// Value of the `Authorization` header.
    pub(crate) key: Option<String>,
    /// JSON body to POST; without one the request is a GET.
    pub(crate) body: Option<Bytes>,
}

/// A kept-alive connection.
pub(crate) struct Connection(SendRequest<Full<Bytes>>);

impl Connection {
    /// Connects to `HOST:PORT`.
    pub(crate) async fn open(authority: &str) -> Result<Self> {
        let stream = TcpStream::connect(authority).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(Self(sender))
    }

    /// Sends a request and reads the whole response; any status but 200 is an error.
    pub(crate) async fn send(&mut self, call: &Call) -> Result<Bytes> {
        tokio::time::timeout(PATIENCE, self.reply(call)).await.context("a request hangs")?
    }

    async fn reply(&mut self, call: &Call) -> Result<Bytes> {
        let method = if call.body.is_some() { Method::POST } else { Method::GET };
        let mut request = Request::builder()
            .method(method)
            .uri(&call.path)
            .header("host", &call.authority)
            .header("content-type", "application/json");
        if let Some(key) = &call.key {
            request = request.header("authorization", key);
        }
        let request = request.body(Full::new(call.body.clone().unwrap_or_default()))?;
        self.0.ready().await?;
        let reply = self.0.send_request(request).await?;
        let status = reply.status();
        let body = reply.into_body().collect().await?.to_bytes();
        if status != 200 {
            bail!("{} replied {status}: {}", call.path, String::from_utf8_lossy(&body));
        }
        Ok(body)
    }
}

/// Histogram of latencies in microseconds.
#[derive(Clone, Debug)]
pub(crate) struct Times(Histogram<u64>);

impl Times {
    /// An empty histogram.
    pub(crate) fn new() -> Result<Self> {
        Ok(Self(Histogram::new(3)?))
    }

    /// Records a latency.
    pub(crate) fn note(&mut self, time: Duration) -> Result<()> {
        Ok(self.0.record(u64::try_from(time.as_micros())?)?)
    }

    /// Latency in milliseconds at the quantile `share` (0 to 1).
    pub(crate) fn within_ms(&self, share: f64) -> f64 {
        self.0.value_at_quantile(share) as f64 / 1_000.0
    }

    /// Number of recorded requests.
    pub(crate) fn count(&self) -> u64 {
        self.0.len()
    }
}

/// Parameters of a closed-loop load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed {
    /// Number of connections.
    pub(crate) connections: u32,
    /// Connections start evenly over this time; latencies are recorded after it.
    pub(crate) ramp: Duration,
    /// Time during which latencies are recorded.
    pub(crate) length: Duration,
}

/// Closed loop: each connection sends its next request as soon as it has read the previous response.
pub(crate) async fn closed(call: &Call, load: Closed) -> Result<Times> {
    let start = Instant::now();
    let noted_from = start + load.ramp;
    let end = noted_from + load.length;
    let workers = (0..load.connections).map(|number| {
        let call = call.clone();
        tokio::spawn(async move {
            let mut connection = Connection::open(&call.authority).await?;
            let begin = start + load.ramp * number / load.connections;
            tokio::time::sleep_until(begin.into()).await;
            let mut times = Vec::new();
            while Instant::now() < end {
                let sent = Instant::now();
                connection.send(&call).await?;
                if sent >= noted_from {
                    times.push(sent.elapsed());
                }
            }
            anyhow::Ok(times)
        })
    });
    let mut all = Times::new()?;
    for times in try_join_all(workers).await? {
        for time in times? {
            all.note(time)?;
        }
    }
    Ok(all)
}

/// Open loop: requests start at a fixed rate, and latency is measured from the time when the request was due.
///
/// A dedicated thread keeps the rate, since tokio's timers have a resolution of a millisecond.
pub(crate) async fn open(call: &Call, a_second: u32, length: Duration) -> Result<Times> {
    let runtime = tokio::runtime::Handle::current();
    let idle: Arc<Mutex<Vec<Connection>>> = Arc::default();
    let call = Arc::new(call.clone());
    let requests = tokio::task::spawn_blocking(move || {
        let start = Instant::now();
        let number = (length.as_secs_f64() * f64::from(a_second)) as u32;
        let requests = (0..number).map(|number| {
            let due = start + Duration::from_secs(1) * number / a_second;
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let (call, idle) = (Arc::clone(&call), Arc::clone(&idle));
            runtime.spawn(async move {
                let kept = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let mut connection = match kept {
                    Some(connection) => connection,
                    None => Connection::open(&call.authority).await?,
                };
                connection.send(&call).await?;
                let time = due.elapsed();
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
                anyhow::Ok(time)
            })
        });
        requests.collect::<Vec<_>>()
    });
    let mut times = Times::new()?;
    for request in requests.await? {
        times.note(request.await??)?;
    }
    Ok(times)
}
