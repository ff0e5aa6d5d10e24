//! Scripted server of a language model, which can misbehave in the ways that real ones do.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

/// How the server responds to one request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A stream of events of a few characters each, which ends normally.
    Stream(String),
    /// Like `Stream`, with a delay before the end of the stream.
    LateEnd(String),
    /// One document.
    Document(String),
    /// A status, with an optional `Retry-After`.
    Status(u16, Option<u64>),
    /// Status 400 for requests with a response format, else a document.
    NoSchema(String),
    /// llama.cpp's error for messages of more than this many bytes, each counted as a token; else a document.
    Context(usize, String),
    /// Status 400 with this error document.
    Error(Value),
    /// No response.
    Hang,
    /// The beginning of a stream, then the connection is closed.
    Truncated(String),
    /// A stream with an event that is not JSON.
    Malformed,
    /// One byte per second.
    Trickle,
    /// A document of this many bytes.
    Huge(usize),
    /// A redirect to another address.
    Redirect(String),
}

/// A running server, which ends with the runtime of the test.
pub struct Upstream {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    script: Mutex<VecDeque<Reply>>,
    requests: Mutex<Vec<(HeaderMap, Value)>>,
    hanging: AtomicUsize,
    connections: AtomicUsize,
}

/// A request without a response; dropped when its client disconnects.
struct Hanging(Arc<Shared>);

impl Drop for Hanging {
    fn drop(&mut self) {
        self.0.hanging.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Upstream {
    /// A server with these replies, of which the last one is repeated.
    pub async fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let shared = Arc::new(Shared::default());
        shared.script.lock().unwrap().extend(script);
        let routes = Router::new()
            .route("/v1/chat/completions", post(complete))
            .route(
                "/v1/models",
                get(|| async { Json(json!({ "data": [{ "id": "writer" }, { "id": "judge" }] })) }),
            )
            .with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let counted = Arc::clone(&shared);
        let listener = listener.tap_io(move |_| {
            counted.connections.fetch_add(1, Ordering::Relaxed);
        });
        tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { address, shared }
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Replaces the script.
    pub fn say(&self, script: impl IntoIterator<Item = Reply>) {
        let mut held = self.shared.script.lock().unwrap();
        held.clear();
        held.extend(script);
    }

    /// Requests so far.
    pub fn requests(&self) -> Vec<(HeaderMap, Value)> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// Number of hanging requests with an open connection.
    pub fn hanging(&self) -> usize {
        self.shared.hanging.load(Ordering::SeqCst)
    }

    /// Number of connections so far.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::Relaxed)
    }

    pub fn count(&self) -> usize {
        self.shared.requests.lock().unwrap().len()
    }
}

async fn complete(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response<Body> {
    let formed = body.get("response_format").is_some();
    let prompt: usize = body["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|message| message["content"].as_str())
        .map(str::len)
        .sum();
    shared.requests.lock().unwrap().push((headers, body));
    let reply = {
        let mut script = shared.script.lock().unwrap();
        if script.len() > 1 { script.pop_front() } else { script.front().cloned() }
    };
    match reply.expect("the script holds a reply") {
        Reply::Stream(text) => events(pieces(&text, true)),
        Reply::LateEnd(text) => {
            let end = stream::once(async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                Bytes::from_static(b": end\n\n")
            });
            let parts = stream::iter(pieces(&text, true)).chain(end).map(Ok::<_, Infallible>);
            let kind = (header::CONTENT_TYPE, "text/event-stream");
            Response::builder().header(kind.0, kind.1).body(Body::from_stream(parts)).unwrap()
        }
        Reply::NoSchema(_) if formed => status(400, None),
        Reply::Context(most, _) if prompt > most => error(&json!({ "error": {
            "code": 400,
            "message": format!("request ({prompt} tokens) exceeds the available context size ({most} tokens), try increasing it"),
            "type": "exceed_context_size_error",
            "n_prompt_tokens": prompt,
            "n_ctx": most,
        } })),
        Reply::Context(_, text) | Reply::Document(text) | Reply::NoSchema(text) => document(&text),
        Reply::Error(body) => error(&body),
        Reply::Status(code, pause) => status(code, pause),
        Reply::Hang => {
            shared.hanging.fetch_add(1, Ordering::SeqCst);
            let _hanging = Hanging(Arc::clone(&shared));
            std::future::pending().await
        }
        Reply::Truncated(text) => {
            let mut parts: Vec<Result<Bytes, std::io::Error>> =
                pieces(&text, false).into_iter().map(Ok).collect();
            parts.push(Err(std::io::Error::other("cut")));
            let kind = (header::CONTENT_TYPE, "text/event-stream");
            Response::builder()
                .header(kind.0, kind.1)
                .body(Body::from_stream(stream::iter(parts)))
                .unwrap()
        }
        Reply::Malformed => events(vec!["data: {\"choices\": [{\"delta\"\n\n".into()]),
        Reply::Trickle => {
            let bytes = stream::unfold((), |()| async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Some((Ok::<_, Infallible>(Bytes::from_static(b":")), ()))
            });
            let kind = (header::CONTENT_TYPE, "text/event-stream");
            Response::builder().header(kind.0, kind.1).body(Body::from_stream(bytes)).unwrap()
        }
        Reply::Huge(bytes) => Response::builder()
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(vec![b' '; bytes]))
            .unwrap(),
        Reply::Redirect(to) => Response::builder()
            .status(StatusCode::FOUND)
            .header(header::LOCATION, to)
            .body(Body::empty())
            .unwrap(),
    }
}

fn pieces(text: &str, ends: bool) -> Vec<Bytes> {
    let characters: Vec<char> = text.chars().collect();
    let event = |value: Value| Bytes::from(format!("data: {value}\n\n"));
    let mut pieces: Vec<Bytes> = characters
        .chunks(7)
        .map(|part| {
            let text: String = part.iter().collect();
            event(json!({ "choices": [{ "delta": { "content": text }, "finish_reason": null }] }))
        })
        .collect();
    if ends {
        pieces.push(event(json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] })));
        pieces.push(event(json!({ "choices": [], "usage": { "total_tokens": 321 } })));
        pieces.push(Bytes::from_static(b"data: [DONE]\n\n"));
    }
    pieces
}

fn events(pieces: Vec<Bytes>) -> Response<Body> {
    let parts = pieces.into_iter().map(Ok::<_, Infallible>);
    Response::builder()
        .header(header::CONTENT_TYPE, "text/event-stream; charset=utf-8")
        .body(Body::from_stream(stream::iter(parts)))
        .unwrap()
}

fn document(text: &str) -> Response<Body> {
    let body = json!({
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "total_tokens": 123 },
    });
    Response::builder()
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_string()))
        .unwrap()
}

fn error(body: &Value) -> Response<Body> {
    Response::builder().status(400).body(Body::from(body.to_string())).unwrap()
}

fn status(code: u16, pause: Option<u64>) -> Response<Body> {
    let mut response = Response::builder().status(code);
    if let Some(pause) = pause {
        response = response.header(header::RETRY_AFTER, pause);
    }
    response.body(Body::from("{\"error\": {\"message\": \"upstream words\"}}")).unwrap()
}
