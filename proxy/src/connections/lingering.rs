//! Bodies that were refused before they were read.
//!
//! Closing a connection while its client still sends resets it, which can destroy the response before the client has
//! read it. The rest of the body is therefore read for a while, up to a number of bytes, and discarded.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout_at};

/// Time in which a client can read the response while it sends.
const TIME: Duration = Duration::from_secs(2);
/// Maximum number of bytes that are read and discarded.
const BYTES: usize = 512 * 1024;

/// Body of a request. If it is dropped before its end, the connection is kept open for a while.
pub struct Lingering<B: Body<Data = Bytes> + Send + Unpin + 'static> {
    inner: Option<B>,
    /// Whether the client waits for a `100 Continue`, which reading the body would send.
    is_awaited: bool,
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Lingering<B> {
    /// The body of a request whose client may wait for a `100 Continue`.
    pub fn new(inner: B, is_awaited: bool) -> Self {
        Self { inner: Some(inner), is_awaited }
    }
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Body for Lingering<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        self.is_awaited = false;
        match &mut self.inner {
            Some(inner) => Pin::new(inner).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(SizeHint::default, Body::size_hint)
    }
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Drop for Lingering<B> {
    fn drop(&mut self) {
        let Some(inner) = self.inner.take() else { return };
        if inner.is_end_stream() || self.is_awaited {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            drop(runtime.spawn(discard(inner)));
        }
    }
}

/// Reads a body to its end, or up to the limits.
async fn discard<B: Body<Data = Bytes> + Unpin>(mut body: B) {
    let end = Instant::now() + TIME;
    let mut read = 0;
    while read < BYTES {
        match timeout_at(end, body.frame()).await {
            Ok(Some(Ok(frame))) => {
                read += frame.data_ref().map_or(0, Bytes::len);
            }
            Ok(None | Some(Err(_))) | Err(_) => return,
        }
    }
    // The client may still send. It can read the response until the connection is closed.
    tokio::time::sleep_until(end).await;
}
