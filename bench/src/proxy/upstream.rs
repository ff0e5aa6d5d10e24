//! A model server that streams a fixed response after a delay, in a process of its own.

use std::convert::Infallible;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{Response, header};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use futures_util::stream;
use serde_json::{Value, json};

/// Fixed response of the model server, the same for all requests.
const ANSWER: &str = r#"{"relevant": true, "confidence": 0.9, "columns": ["status", "ordered_at"], "why": "the orders and what became of them"}"#;
/// Characters in one event of the stream.
const PIECE: usize = 7;
const LISTENING: &str = "listening on ";

/// A running server; dropping it kills the process.
#[derive(Debug)]
pub(crate) struct Upstream {
    server: Child,
    /// `HOST:PORT`.
    pub(crate) authority: String,
}

impl Upstream {
    /// Starts a server that responds after `delay`.
    pub(crate) fn start(delay: Duration) -> Result<Self> {
        let mut server = Command::new(std::env::current_exe()?)
            .args(["upstream", &delay.as_millis().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = server.stdout.take().context("the server has no output")?;
        let line = BufReader::new(stdout).lines().map_while(Result::ok).next();
        let authority = line.and_then(|line| line.strip_prefix(LISTENING).map(str::to_owned));
        let authority = authority.context("the model's server did not start")?;
        Ok(Self { server, authority })
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

struct Server {
    delay: Duration,
    events: Vec<Bytes>,
    last: Mutex<Bytes>,
    connections: AtomicU64,
}

/// Serves until it is killed: `/v1/chat/completions`; at `/last` the body of the last request; at `/connections` the
/// number of connections accepted so far.
pub(crate) fn serve_upstream(delay: Duration) -> Result<()> {
    let server = Arc::new(Server {
        delay,
        events: events(),
        last: Mutex::default(),
        connections: AtomicU64::new(0),
    });
    let counted = Arc::clone(&server);
    let routes = Router::new()
        .route("/v1/chat/completions", post(complete))
        .route("/v1/models", get(|| async { Json(json!({ "data": [] })) }))
        .route("/last", get(last))
        .route("/connections", get(connections))
        .with_state(server);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        writeln!(std::io::stdout(), "{LISTENING}{}", listener.local_addr()?)?;
        let listener = listener.tap_io(move |stream| {
            counted.connections.fetch_add(1, Ordering::Relaxed);
            let _ = stream.set_nodelay(true);
        });
        Ok(axum::serve(listener, routes).await?)
    })
}

async fn complete(State(server): State<Arc<Server>>, body: Bytes) -> Response<Body> {
    *server.last.lock().unwrap_or_else(PoisonError::into_inner) = body;
    if !server.delay.is_zero() {
        tokio::time::sleep(server.delay).await;
    }
    let events = server.events.clone().into_iter().map(Ok::<_, Infallible>);
    let mut response = Response::new(Body::from_stream(stream::iter(events)));
    let kind = header::HeaderValue::from_static("text/event-stream; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

async fn last(State(server): State<Arc<Server>>) -> Bytes {
    server.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

async fn connections(State(server): State<Arc<Server>>) -> String {
    server.connections.load(Ordering::Relaxed).to_string()
}

fn events() -> Vec<Bytes> {
    let characters: Vec<char> = ANSWER.chars().collect();
    let event = |value: Value| Bytes::from(format!("data: {value}\n\n"));
    let delta = |delta: Value, reason: Option<&str>| {
        event(json!({ "choices": [{ "delta": delta, "finish_reason": reason }] }))
    };
    let pieces = characters.chunks(PIECE).map(|piece| piece.iter().collect::<String>());
    let mut events: Vec<Bytes> =
        pieces.map(|piece| delta(json!({ "content": piece }), None)).collect();
    events.push(delta(json!({}), Some("stop")));
    events.push(event(json!({ "choices": [], "usage": { "total_tokens": 321 } })));
    events.push(Bytes::from_static(b"data: [DONE]\n\n"));
    events
}
