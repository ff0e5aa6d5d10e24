//! HTTP client that records requests to the proxy and their replies.

use serde_json::{Map, Value, json};
use ureq::AsSendBody;
use ureq::http::response::Parts;
use ureq::http::{HeaderMap, Request};

use super::mask::Mask;
use crate::Failure;
use crate::proxy::Proxy;

/// Headers that vary between runs and are not recorded.
const LEFT_OUT: [&str; 5] =
    ["connection", "content-length", "date", "transfer-encoding", "x-request-id"];
/// Size limit of request bodies in the proxy, in bytes.
const LARGE: usize = 256 * 1024;
/// Maximum size of a reply, in bytes.
const LARGEST: u64 = 64 << 20;

/// A request.
#[derive(Clone, Debug)]
pub struct Ask {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<String>,
}

impl Ask {
    /// A request without a body; a path without a leading slash is relative to `/api/v1/`.
    pub fn new(method: &'static str, path: &str) -> Self {
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/api/v1/{path}") };
        Self { method, path, headers: Vec::new(), body: None }
    }

    /// A GET request for a path.
    pub fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    /// A POST request with a JSON body.
    pub fn post(path: &str, body: &Value) -> Self {
        Self::new("POST", path).json(body)
    }

    /// The request with a JSON body.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").text(&body.to_string())
    }

    /// The request with any text as its body.
    #[must_use]
    pub fn text(mut self, body: &str) -> Self {
        self.body = Some(body.to_owned());
        self
    }

    /// The request with an additional header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The request as recorded; of a long body, only the length.
    fn told(&self) -> Value {
        let headers: Map<String, Value> =
            self.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let body = self.body.as_ref().map(|body| match serde_json::from_str(body) {
            _ if body.len() > 10_000 => json!(format!("{} bytes", body.len())),
            Ok(body) => body,
            Err(_) => json!(body),
        });
        json!({ "method": self.method, "path": self.path, "headers": headers, "body": body })
    }
}

/// Name of a group of requests, and the requests in order.
pub(super) type Group = (&'static str, Vec<Ask>);

/// Sends the requests of one conversation and records the replies.
#[derive(Debug)]
pub struct Client<'a> {
    proxy: &'a Proxy,
    agent: ureq::Agent,
    mask: Mask,
    said: Vec<Value>,
}

impl<'a> Client<'a> {
    /// A client with an empty recording.
    pub fn new(proxy: &'a Proxy) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            // A connection that the proxy closes after a refusal would fail the next request.
            .max_idle_connections(0)
            .build();
        Self { proxy, agent: agent.into(), mask: Mask::default(), said: Vec::new() }
    }

    /// Sends a request, records it with its reply, and returns status and body: JSON, a text, or null.
    pub fn send(&mut self, ask: &Ask) -> Result<(u16, Value), Failure> {
        let mut request = Request::builder().method(ask.method).uri(format!(
            "http://{}{}",
            self.proxy.authority(),
            ask.path
        ));
        for (name, value) in &ask.headers {
            request = request.header(name, value);
        }
        let (parts, bytes) = match &ask.body {
            Some(body) => {
                let request = request.body(body.as_str())?;
                // The proxy may close the connection before the whole oversized body is sent, so the request is
                // retried.
                let tries = if body.len() > LARGE { 5 } else { 1 };
                let mut sent = self.reply(request.clone());
                for _ in 1..tries {
                    sent = sent.or_else(|_| self.reply(request.clone()));
                }
                sent?
            }
            None => self.reply(request.body(())?)?,
        };
        let (status, headers) = (parts.status.as_u16(), headers(&parts.headers));
        let kind = headers.get("content-type").and_then(Value::as_str).unwrap_or_default();
        let body = read(&bytes, kind);
        let told = match &body {
            Value::String(text) => lines(text),
            other => other.clone(),
        };
        let record = json!({
            "request": ask.told(), "status": status, "headers": headers, "body": told,
        });
        self.said.push(self.mask.value(&record));
        Ok((status, body))
    }

    fn reply(&self, request: Request<impl AsSendBody>) -> Result<(Parts, Vec<u8>), Failure> {
        let (parts, body) = self.agent.run(request)?.into_parts();
        Ok((parts, body.into_with_config().limit(LARGEST).read_to_vec()?))
    }

    /// A client for another conversation, with the same agent and proxy.
    #[must_use]
    pub fn again(&self) -> Self {
        let agent = self.agent.clone();
        Self { proxy: self.proxy, agent, mask: Mask::default(), said: Vec::new() }
    }

    /// Replaces the body of the last reply with a reference if it equals that of an earlier reply.
    pub fn repeats(&mut self, earlier: usize) {
        let Some(last) = self.said.last() else { return };
        if self.said.get(earlier).is_some_and(|first| first["body"] == last["body"])
            && let Some(last) = self.said.last_mut()
        {
            last["body"] = json!(format!("the body of reply {earlier}"));
        }
    }

    /// All recorded requests and replies.
    pub fn said(self) -> Value {
        Value::Array(self.said)
    }
}

fn headers(headers: &HeaderMap) -> Map<String, Value> {
    let mut told = Map::new();
    for (name, value) in headers {
        let name = name.as_str();
        let value = if name == "etag" { "<etag>" } else { value.to_str().unwrap_or("<bytes>") };
        if !LEFT_OUT.contains(&name) {
            told.insert(name.to_owned(), json!(value));
        }
    }
    told
}

fn read(bytes: &[u8], kind: &str) -> Value {
    if bytes.is_empty() {
        return Value::Null;
    }
    match (serde_json::from_slice(bytes), std::str::from_utf8(bytes)) {
        (Ok(json), _) if kind.contains("json") && !kind.contains("ndjson") => json,
        (_, Ok(text)) if kind.contains("openmetrics") => json!(counters(text)),
        (_, Ok(text)) => json!(text),
        (_, Err(_)) => binary(bytes),
    }
}

/// Names and counters of the metrics, sorted; durations and sizes vary between runs.
fn counters(text: &str) -> String {
    let is_steady = |line: &&str| line.starts_with('#') || line.contains("_total{");
    let mut lines: Vec<&str> = text.lines().filter(is_steady).collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// Length and hash of an Arrow stream without its last message, which contains the elapsed time.
fn binary(bytes: &[u8]) -> Value {
    let word = b"elapsed_ms";
    let named = bytes.windows(word.len()).rposition(|part| part == word).unwrap_or(bytes.len());
    let steady = bytes[..named].windows(4).rposition(|part| part == [0xff; 4]).unwrap_or(named);
    // FNV-1a.
    let hash = bytes[..steady].iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    json!({ "bytes": steady, "hash": format!("{hash:016x}") })
}

/// A text as a list of lines, so that differences are located by line.
///
/// The count of requests with status 413 is masked, since an oversized request may be sent several times.
fn lines(text: &str) -> Value {
    let masked = |line: &str| match line.split_once("status=\"413\"}") {
        Some((start, _)) => json!(format!("{start}status=\"413\"}} N")),
        None => json!(line),
    };
    text.lines().map(masked).collect()
}
