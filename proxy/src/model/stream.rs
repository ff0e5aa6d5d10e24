//! Reads responses, either server-sent events or one JSON document, up to a size limit.

use std::time::Duration;

use eventsource_stream::Eventsource;
use futures_util::{FutureExt, Stream, StreamExt, TryStreamExt};
use reqwest::{Response, header};
use serde_json::Value;

use super::wire::Chunk;
use super::{Completion, ModelError};

/// Maximum size of a response, in bytes on the wire.
const ANSWER: usize = 2_000_000;
/// Timeout of waiting for the end of a stream after its last event.
const END: Duration = Duration::from_secs(1);

/// Why a response cannot be used.
#[derive(Debug)]
pub(super) enum Unusable {
    /// The response is broken off, too large, late or malformed.
    Broken(ModelError),
    /// The server reported an error after it had begun to respond: its document or event.
    Reported(Value),
}

impl<E: Into<ModelError>> From<E> for Unusable {
    fn from(error: E) -> Self {
        Self::Broken(error.into())
    }
}

/// Reads a response; the first event must arrive within `first_byte`.
pub(super) async fn read(response: Response, first_byte: Duration) -> Result<Completion, Unusable> {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let streams = kind
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.starts_with("text/event-stream"));
    let bytes = capped(response.bytes_stream());
    if streams { events(bytes, first_byte).await } else { document(bytes).await }
}

/// Error while reading a response.
#[derive(Debug, thiserror::Error)]
enum Broken {
    #[error("the connection was lost")]
    Connection,
    #[error("too large")]
    TooLarge,
}

impl From<Broken> for ModelError {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Connection => Self::Unavailable("the connection was lost".to_owned()),
            Broken::TooLarge => Self::TooLarge { limit: ANSWER },
        }
    }
}

/// The bytes of a response, up to the size limit.
fn capped<B: AsRef<[u8]>>(
    bytes: impl Stream<Item = reqwest::Result<B>>,
) -> impl Stream<Item = Result<B, Broken>> {
    let mut read = 0;
    bytes.map(move |part| {
        let part = part.map_err(|_| Broken::Connection)?;
        read += part.as_ref().len();
        if read > ANSWER { Err(Broken::TooLarge) } else { Ok(part) }
    })
}

async fn events<B: AsRef<[u8]> + Send + 'static>(
    bytes: impl Stream<Item = Result<B, Broken>> + Send + 'static,
    first_byte: Duration,
) -> Result<Completion, Unusable> {
    let mut events = Box::pin(bytes.eventsource());
    let mut completion = Completion::default();
    let mut ended = false;
    let mut first = true;
    loop {
        let next = if first {
            tokio::time::timeout(first_byte, events.next())
                .await
                .map_err(|_| ModelError::TimedOut { seconds: first_byte.as_secs() })?
        } else {
            events.next().await
        };
        let Some(event) = next else { break };
        first = false;
        let event = event.map_err(|error| match error {
            eventsource_stream::EventStreamError::Transport(broken) => broken.into(),
            _ => unreadable(),
        })?;
        if event.data.trim() == "[DONE]" {
            ended = true;
            let_end(events);
            break;
        }
        let chunk: Chunk = serde_json::from_str(&event.data).map_err(|_| unreadable())?;
        if let Some(error) = chunk.error() {
            return Err(Unusable::Reported(error));
        }
        completion.text.push_str(chunk.text());
        completion.tokens = chunk.tokens().unwrap_or(completion.tokens);
        ended |= chunk.ends();
    }
    if ended {
        Ok(completion)
    } else {
        Err(ModelError::Unavailable("the answer was cut off".to_owned()).into())
    }
}

/// Reads the rest of a stream in the background, so that the connection can be reused.
fn let_end<T: Send + 'static, E: Send + 'static>(
    mut rest: impl Stream<Item = Result<T, E>> + Send + Unpin + 'static,
) {
    if !matches!(rest.next().now_or_never(), Some(None | Some(Err(_)))) {
        let rest = rest.take_while(|part| std::future::ready(part.is_ok()));
        tokio::spawn(tokio::time::timeout(END, rest.for_each(|_| std::future::ready(()))));
    }
}

async fn document<B: AsRef<[u8]>>(
    bytes: impl Stream<Item = Result<B, Broken>>,
) -> Result<Completion, Unusable> {
    let body = bytes
        .try_fold(Vec::new(), |mut body: Vec<u8>, part| async move {
            body.extend_from_slice(part.as_ref());
            Ok(body)
        })
        .await?;
    let chunk: Chunk = serde_json::from_slice(&body).map_err(|_| unreadable())?;
    if let Some(error) = chunk.error() {
        return Err(Unusable::Reported(error));
    }
    if chunk.text().is_empty() {
        return Err(unreadable().into());
    }
    Ok(Completion { text: chunk.text().to_owned(), tokens: chunk.tokens().unwrap_or_default() })
}

fn unreadable() -> ModelError {
    ModelError::Unavailable("cannot parse the answer".to_owned())
}
