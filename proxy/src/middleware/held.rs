//! Response bodies that hold something until they are sent, and the end of event streams at shutdown.
//!
//! The HTTP server drops a body with its last chunk, and queues the chunk. Large chunks are therefore handed out in
//! parts, so that the value is held until the client has taken all but the last of them.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Last event of a stream that ends at shutdown.
const CLOSING: &[u8] = b"event: server_closing\ndata: {}\n\n";

/// Maximum size of a part of a chunk, in bytes.
pub(super) const PART_BYTES: usize = 64 * 1024;

/// Response body that holds a value until it was sent or dropped.
struct Held<T> {
    inner: Body,
    /// Rest of a chunk of which parts were handed out.
    rest: Bytes,
    /// Completes at shutdown, for event streams.
    stopping: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    kept: Option<T>,
}

/// A body that holds a value.
pub(super) fn held<T: Send + Unpin + 'static>(inner: Body, kept: T) -> Body {
    Body::new(Held { inner, rest: Bytes::new(), stopping: None, kept: Some(kept) })
}

/// An event stream that holds a value and ends at shutdown.
pub(super) fn held_until<T: Send + Unpin + 'static>(
    inner: Body,
    kept: T,
    stopping: &CancellationToken,
) -> Body {
    let stopping = Some(Box::pin(stopping.clone().cancelled_owned()));
    Body::new(Held { inner, rest: Bytes::new(), stopping, kept: Some(kept) })
}

impl<T: Unpin> HttpBody for Held<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.part())));
        }
        if let Some(stopping) = &mut self.stopping
            && stopping.as_mut().poll(context).is_ready()
        {
            self.stopping = None;
            self.inner = Body::empty();
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(CLOSING)))));
        }
        let frame = match ready!(Pin::new(&mut self.inner).poll_frame(context)) {
            Some(Ok(frame)) => frame,
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            None => {
                self.kept = None;
                self.stopping = None;
                return Poll::Ready(None);
            }
        };
        Poll::Ready(Some(Ok(match frame.into_data() {
            Ok(chunk) => {
                self.rest = chunk;
                self.part()
            }
            Err(trailers) => trailers,
        })))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, mut hint) = (self.rest.len() as u64, self.inner.size_hint());
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint.set_lower(hint.lower().saturating_add(rest));
        hint
    }
}

impl<T> Held<T> {
    /// The next part of the rest.
    fn part(&mut self) -> Frame<Bytes> {
        let most = PART_BYTES.min(self.rest.len());
        Frame::data(self.rest.split_to(most))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn a_large_body_keeps_its_value_until_its_last_part_is_taken() {
        let kept = Arc::new(());
        let (inner, outer) = (Arc::clone(&kept), Arc::clone(&kept));
        let bytes: Vec<u8> = (0..200_000).map(|number: u32| number as u8).collect();
        let mut body = held(held(Body::from(bytes.clone()), inner), outer);
        let mut read = Vec::new();
        while !body.is_end_stream() {
            assert_eq!(Arc::strong_count(&kept), 3, "after {} bytes", read.len());
            assert_eq!(body.size_hint().exact(), Some((bytes.len() - read.len()) as u64));
            let part = body.frame().await.unwrap().unwrap().into_data().unwrap();
            assert!(part.len() <= 64 * 1024, "{} bytes at once", part.len());
            read.extend_from_slice(&part);
        }
        assert!(read == bytes);
        drop(body);
        assert_eq!(Arc::strong_count(&kept), 1);
    }

    #[tokio::test]
    async fn a_stream_ends_between_its_events() {
        let stopping = CancellationToken::new();
        let mut body = held_until(Body::from(vec![b'x'; 100_000]), (), &stopping);
        let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
        stopping.cancel();
        let rest = body.collect().await.unwrap().to_bytes();
        let whole = [&first[..], &rest[..]].concat();
        assert!(whole[..100_000].iter().all(|byte| *byte == b'x'));
        assert_eq!(&whole[100_000..], CLOSING);
    }
}
