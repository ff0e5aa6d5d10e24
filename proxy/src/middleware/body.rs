//! Reading of request bodies before a request is admitted: within a size, a time and a rate.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use http_body_util::BodyExt;
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};

use crate::extract::BODY_BYTES;
use crate::holder::Holder;
use crate::limits::{Slot, Slots};
use crate::problem::{Problem, ProblemCode};

/// Time limit of a body.
const TIME: Duration = Duration::from_secs(20);
/// Interval in which a body must make progress, and the progress in bytes.
const PACE: Duration = Duration::from_secs(5);
const PACE_BYTES: usize = 1024;
/// Maximum size of a body without authentication, such as that of a sign-in, in bytes.
pub(super) const ANONYMOUS_BYTES: usize = 4 * 1024;

/// A body that was read, and its share of the memory of all bodies.
pub(super) struct Read {
    pub(super) bytes: Vec<u8>,
    pub(super) memory: Slot,
}

/// Reads a whole body.
///
/// The bytes are copied, because a frame refers to the whole read buffer of its connection.
pub(super) async fn read(
    mut body: Body,
    most: usize,
    holder: &Holder,
    memory: &Arc<Slots>,
) -> Result<Read, Problem> {
    if body.size_hint().lower() > most as u64 {
        return Err(too_large(most));
    }
    let mut bytes = Vec::new();
    let mut memory = memory.none(holder);
    let end = Instant::now() + TIME;
    let (mut interval_end, mut interval_bytes) = (Instant::now() + PACE, 0);
    loop {
        let frame = match timeout_at(interval_end.min(end), body.frame()).await {
            Ok(None) => return Ok(Read { bytes, memory }),
            Ok(Some(frame)) => frame.map_err(|_| unreadable())?,
            Err(_) if interval_bytes < PACE_BYTES || Instant::now() >= end => {
                return Err(too_slow());
            }
            Err(_) => {
                (interval_end, interval_bytes) = (Instant::now() + PACE, 0);
                continue;
            }
        };
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > most {
            return Err(too_large(most));
        }
        if !memory.grow(data.len()) {
            let detail = "the request bodies of this caller take too much memory";
            return Err(Problem::new(ProblemCode::TooManyRequests, detail)
                .with("retryable", true)
                .retry_after(1));
        }
        interval_bytes += data.len();
        bytes.extend_from_slice(&data);
    }
}

fn too_large(most: usize) -> Problem {
    Problem::new(ProblemCode::BodyTooLarge, format!("the body is larger than {most} bytes"))
}

fn too_slow() -> Problem {
    let detail = format!(
        "the body did not arrive in time: it may take {} s, and {PACE_BYTES} bytes must arrive every {} s",
        TIME.as_secs(),
        PACE.as_secs()
    );
    Problem::new(ProblemCode::BodyTooSlow, detail).with("retryable", true)
}

fn unreadable() -> Problem {
    Problem::new(ProblemCode::UnreadableBody, "cannot read the body")
}

/// Maximum size of the body of a request.
pub(super) fn most(is_known: bool) -> usize {
    if is_known { BODY_BYTES } else { ANONYMOUS_BYTES }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::body::Bytes;
    use futures_util::{StreamExt, stream};

    use super::*;
    use crate::connections::Peer;

    /// A body whose chunks of this size each arrive after this time.
    fn paced(count: usize, size: usize, pause: Duration) -> Body {
        let chunks = stream::iter(0..count).then(move |_| async move {
            tokio::time::sleep(pause).await;
            Ok::<_, Infallible>(Bytes::from(vec![b'x'; size]))
        });
        Body::from_stream(chunks)
    }

    async fn read_all(body: Body, most: usize) -> Result<usize, String> {
        let memory = Slots::new(1 << 20, 1);
        let read = read(body, most, &Holder::Peer(Peer::default()), &memory).await;
        read.map(|read| read.bytes.len()).map_err(|problem| problem.code().to_owned())
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_is_read_unless_it_is_slow_or_large() {
        let ms = Duration::from_millis;
        let slow = || Err("body_too_slow".to_owned());
        let large = || Err("body_too_large".to_owned());
        for (body, expected) in [
            (Body::empty(), Ok(0)),
            (Body::from("12345"), Ok(5)),
            (paced(3, 1_100, ms(4_000)), Ok(3_300)),
            (paced(1, 10, ms(6_000)), slow()),
            (paced(30, 10, ms(1_000)), slow()),
            (paced(30, 1_500, ms(1_000)), slow()),
            (paced(19, 1_500, ms(1_000)), Ok(28_500)),
            (Body::from(vec![b'x'; 100_001]), large()),
            (paced(101, 1_000, ms(1)), large()),
        ] {
            assert_eq!(read_all(body, 100_000).await, expected);
        }
    }

    #[tokio::test]
    async fn bodies_of_one_caller_leave_memory_to_others() {
        let memory = Slots::new(10_000, 1);
        let holder = Holder::Peer(Peer::default());
        let body = || paced(4, 1_000, Duration::ZERO);
        let first = read(body(), 100_000, &holder, &memory).await.unwrap();
        let refused = read(body(), 100_000, &holder, &memory).await.err().unwrap();
        assert_eq!(refused.code(), "too_many_requests");
        drop(first.memory);
        assert!(read(body(), 100_000, &holder, &memory).await.is_ok());
    }
}
