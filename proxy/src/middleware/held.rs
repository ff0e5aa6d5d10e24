//! Response bodies that hold something until they are sent, and the end of event streams at shutdown.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Last event of a stream that ends at shutdown.
const CLOSING: &[u8] = b"event: server_closing\ndata: {}\n\n";

/// Response body that holds a value until it was sent or dropped.
struct Held<T> {
    inner: Body,
    /// Completes at shutdown, for event streams.
    stopping: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    kept: Option<T>,
}

/// A body that holds a value.
pub(super) fn held<T: Send + Unpin + 'static>(inner: Body, kept: T) -> Body {
    Body::new(Held { inner, stopping: None, kept: Some(kept) })
}

/// An event stream that holds a value and ends at shutdown.
pub(super) fn held_until<T: Send + Unpin + 'static>(
    inner: Body,
    kept: T,
    stopping: &CancellationToken,
) -> Body {
    let stopping = Some(Box::pin(stopping.clone().cancelled_owned()));
    Body::new(Held { inner, stopping, kept: Some(kept) })
}

impl<T: Unpin> HttpBody for Held<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(stopping) = &mut self.stopping
            && stopping.as_mut().poll(context).is_ready()
        {
            self.stopping = None;
            self.inner = Body::empty();
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(CLOSING)))));
        }
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        if frame.is_none() {
            self.kept = None;
            self.stopping = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
