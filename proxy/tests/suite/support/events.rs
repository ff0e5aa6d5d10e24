//! Client of server-sent events.

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use serde_json::Value;

use super::Client;

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    pub name: String,
    pub id: u64,
    pub data: Value,
}

/// An event stream that is read incrementally.
pub struct Events {
    body: Body,
    text: String,
}

impl Events {
    /// Opens the event stream of a question, after an event id.
    pub async fn open(client: &Client, path: &str, heard: u64) -> Self {
        let request = Request::get(format!("/api/v1/query/{path}"))
            .header("last-event-id", heard.to_string())
            .body(Body::empty())
            .unwrap();
        let response = client.response(request).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { body: response.into_body(), text: String::new() }
    }

    /// The next event; `None` at the end.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                if let Some(heard) = read(&event) {
                    return Some(heard);
                }
                continue;
            }
            let frame = self.body.frame().await?.unwrap();
            self.text += std::str::from_utf8(frame.data_ref()?).unwrap();
        }
    }

    /// Every event to the end.
    pub async fn all(mut self) -> Vec<Heard> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

/// Parses an event; `None` for a heartbeat.
fn read(text: &str) -> Option<Heard> {
    let field = |name: &str| {
        text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).map(str::to_owned)
    };
    Some(Heard {
        name: field("event")?,
        id: field("id")?.parse().unwrap(),
        data: serde_json::from_str(&field("data")?).unwrap(),
    })
}
