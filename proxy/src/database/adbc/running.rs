//! A statement that runs in the process of a driver.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::UnboundedReceiver;

use super::child::Child;
use super::profile::Profile;
use super::wire::{Failed, Frame, Kind, Running, Step, decoded};
use crate::database::{DatabaseError, Turn};

/// Time that a cancelled statement has to end, before its process is ended.
const CANCEL: Duration = Duration::from_secs(2);
/// Time in which a statement whose rows were read ends by itself, if cancelling is not proven.
const GRACE: Duration = Duration::from_millis(100);
/// Number of batches that are requested before they are needed.
const AHEAD: usize = 2;

/// A statement with its place among those in flight. Dropping it cancels it.
#[derive(Debug)]
pub(super) struct Statement {
    child: Option<Arc<Child>>,
    profile: &'static Profile,
    id: u32,
    answers: Option<UnboundedReceiver<Frame>>,
    /// Batches that came with others.
    received: VecDeque<RecordBatch>,
    until: Instant,
    timeout: Duration,
    turn: Option<Turn>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Statement {
    /// Starts a statement.
    pub(super) fn start(
        child: Arc<Child>,
        profile: &'static Profile,
        running: &Running,
        timeout: Duration,
        turn: Option<&Turn>,
        permit: OwnedSemaphorePermit,
    ) -> Self {
        let (id, answers) = child.run(running);
        for _ in 0..AHEAD {
            child.send(&Frame::new(Kind::More, id));
        }
        Self {
            child: Some(child),
            profile,
            id,
            answers: Some(answers),
            received: VecDeque::new(),
            until: Instant::now() + timeout,
            timeout,
            turn: turn.cloned(),
            permit: Some(permit),
        }
    }

    /// Columns of the result, which come first.
    pub(super) async fn columns(&mut self) -> Result<SchemaRef, DatabaseError> {
        let frame = self.next().await?;
        match frame.kind {
            Kind::Columns => Ok(read(frame)?.0),
            _ => Err(DatabaseError::Unavailable("the driver sent rows before columns".to_owned())),
        }
    }

    /// More rows; `None` after the last.
    pub(super) async fn rows(&mut self) -> Result<Option<RecordBatch>, DatabaseError> {
        if let Some(batch) = self.received.pop_front() {
            return Ok(Some(batch));
        }
        let frame = self.next().await?;
        match frame.kind {
            Kind::Rows => {
                if let Some(child) = &self.child {
                    child.send(&Frame::new(Kind::More, self.id));
                }
                let (schema, batches) = read(frame)?;
                self.received = batches.into();
                let first = self.received.pop_front();
                Ok(Some(first.unwrap_or_else(|| RecordBatch::new_empty(schema))))
            }
            _ => Ok(None),
        }
    }

    async fn next(&mut self) -> Result<Frame, DatabaseError> {
        let (Some(child), Some(answers)) = (&self.child, &mut self.answers) else {
            return Ok(Frame::new(Kind::End, self.id));
        };
        let received = tokio::time::timeout_at(self.until.into(), answers.recv()).await;
        let timed_out = DatabaseError::Timeout { seconds: self.timeout.as_secs().max(1) };
        match received {
            Err(_) => Err(timed_out),
            Ok(None) => {
                let reason = child.reason();
                self.ended();
                Err(DatabaseError::Unavailable(format!(
                    "the process of the driver ended ({reason})"
                )))
            }
            Ok(Some(frame)) => match frame.kind {
                Kind::Columns | Kind::Rows => Ok(frame),
                Kind::End => {
                    self.ended();
                    Ok(frame)
                }
                Kind::Failed => {
                    self.ended();
                    Err(match frame.value::<Failed>() {
                        Some(Failed { at: Step::Cancelled, .. }) => timed_out,
                        Some(failed) => (self.profile.failure)(failed.at, failed.message),
                        None => DatabaseError::Unavailable("the driver sent nonsense".to_owned()),
                    })
                }
                _ => Err(DatabaseError::Unavailable("the driver sent nonsense".to_owned())),
            },
        }
    }

    /// Gives up the place of a statement that has ended.
    fn ended(&mut self) {
        if let Some(child) = self.child.take() {
            child.forget(self.id);
        }
        self.answers = None;
        self.permit = None;
    }
}

fn read(frame: Frame) -> Result<(SchemaRef, Vec<RecordBatch>), DatabaseError> {
    decoded(frame.content).map_err(|error| {
        DatabaseError::Unavailable(format!("the rows of the driver are unreadable: {error}"))
    })
}

impl Drop for Statement {
    fn drop(&mut self) {
        let (Some(child), Some(mut answers)) = (self.child.take(), self.answers.take()) else {
            return;
        };
        let (id, permit) = (self.id, self.permit.take());
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return child.kill() };
        let given_up = self.turn.as_ref().map(Turn::give_up);
        let cool_down = self.profile.cool_down;
        runtime.spawn(async move {
            if !cool_down.is_zero() && tokio::time::timeout(GRACE, end(&mut answers)).await.is_ok()
            {
                child.forget(id);
                return drop((permit, given_up));
            }
            child.send(&Frame::new(Kind::Cancel, id));
            if tokio::time::timeout(CANCEL, end(&mut answers)).await.is_err() {
                tracing::warn!(
                    "a statement did not end when it was cancelled: its driver is ended"
                );
                child.kill();
            }
            child.forget(id);
            drop(given_up);
            // The server may still compute: the statement keeps its place for a while.
            tokio::time::sleep(cool_down).await;
            drop(permit);
        });
    }
}

/// Waits until a statement has ended.
async fn end(answers: &mut UnboundedReceiver<Frame>) {
    while let Some(frame) = answers.recv().await {
        if matches!(frame.kind, Kind::End | Kind::Failed) {
            return;
        }
    }
}
