//! The process of a driver: loads it, opens one database, and runs statements for the proxy.
//!
//! A driver is a library that can crash, hang or print. Here it does no harm to the proxy: messages go over the socket that
//! is this process's standard input, and the proxy can end the process at any time.

use std::collections::HashMap;
use std::io::{self, BufReader, BufWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use adbc_core::{CancelHandle, Connection, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedStatement};
use arrow_array::{RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::{DataType, Field, Schema};

use super::connections::{Connections, Fault};
use super::wire::{Failed, Frame, Kind, NO_STATEMENT, Opening, Running, Step, encoded};

/// Size of a batch in memory above which it is sent in parts, in bytes.
const PART: usize = 8 << 20;
/// Total size in memory, in bytes, at which batches that were collected are sent as one message.
const TOGETHER: usize = 1 << 20;
/// Interval between two batches below which a driver is fast, so that its batches are collected.
const FAST: Duration = Duration::from_millis(5);
/// Largest row as it is sent, in bytes.
const ROW: usize = 64 << 20;
/// Time that a driver has to clean up before the process is aborted.
const END: Duration = Duration::from_secs(2);

/// Runs until the proxy closes the socket.
pub fn run() -> ExitCode {
    let socket = io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from);
    let halves = socket.and_then(|socket| Ok((socket.try_clone()?, socket)));
    match halves {
        Ok((input, output)) => {
            let host = Arc::new(Host {
                output: Mutex::new(BufWriter::new(output)),
                statements: Mutex::default(),
                database: OnceLock::new(),
            });
            host.serve(input);
            // The end of a process runs code of the driver, which can hang.
            std::thread::spawn(|| {
                std::thread::sleep(END);
                std::process::abort();
            });
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: the process of a driver is started by the proxy: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Host {
    output: Mutex<BufWriter<UnixStream>>,
    statements: Mutex<HashMap<u32, Arc<Active>>>,
    database: OnceLock<Connections>,
}

/// The rows of a statement.
type Reader = Box<dyn RecordBatchReader + Send>;

/// A statement that runs.
struct Active {
    /// Allows one more batch.
    more: Mutex<Option<Sender<()>>>,
    handle: Mutex<Option<Box<dyn CancelHandle>>>,
    is_cancelled: AtomicBool,
}

impl Host {
    /// Takes messages. Whatever takes time runs in a thread, so that this one sees when the proxy is gone.
    fn serve(self: &Arc<Self>, input: UnixStream) {
        let mut input = BufReader::new(input);
        while let Ok(frame) = Frame::read(&mut input) {
            match frame.kind {
                Kind::Open => {
                    let host = Arc::clone(self);
                    std::thread::spawn(move || host.open(&frame));
                }
                Kind::Run => self.start(frame),
                Kind::More => {
                    if let Some(active) = locked(&self.statements).get(&frame.statement)
                        && let Some(more) = &*locked(&active.more)
                    {
                        // A statement that has ended takes no more.
                        let _ = more.send(());
                    }
                }
                Kind::Cancel => {
                    let active = locked(&self.statements).get(&frame.statement).cloned();
                    if let Some(active) = active {
                        std::thread::spawn(move || active.cancel());
                    }
                }
                _ => return,
            }
        }
    }

    fn send(&self, frame: &Frame) {
        let mut output = locked(&self.output);
        let sent = frame.write(&mut *output).and_then(|()| output.flush());
        if sent.is_err() {
            // Nobody is left to run statements for.
            std::process::exit(1);
        }
    }

    fn fail(&self, statement: u32, at: Step, error: &dyn std::fmt::Display) {
        let failed = Failed { at, message: error.to_string() };
        self.send(&Frame::with(Kind::Failed, statement, &failed));
    }

    fn open(&self, frame: &Frame) {
        let Some(opening) = frame.value::<Opening>() else { return };
        match Connections::open(&opening) {
            Ok(database) => {
                drop(self.database.set(database));
                self.send(&Frame::new(Kind::Ready, NO_STATEMENT));
            }
            Err((step, error)) => self.fail(NO_STATEMENT, step, &error.message),
        }
    }

    fn start(self: &Arc<Self>, frame: Frame) {
        let id = frame.statement;
        let (more, allowed) = channel();
        let active = Arc::new(Active {
            more: Mutex::new(Some(more)),
            handle: Mutex::default(),
            is_cancelled: AtomicBool::new(false),
        });
        locked(&self.statements).insert(id, Arc::clone(&active));
        let host = Arc::clone(self);
        std::thread::spawn(move || {
            let ran = host.run(&frame, &active, &allowed);
            locked(&host.statements).remove(&id);
            match ran {
                _ if active.is_cancelled.load(Ordering::Acquire) => {
                    host.fail(id, Step::Cancelled, &"the statement was cancelled");
                }
                Ok(()) => host.send(&Frame::new(Kind::End, id)),
                Err(Fault { at, message }) => host.fail(id, at, &message),
            }
        });
    }

    /// Runs a statement on a connection of its own: another statement on the same connection would read this one to its
    /// end first.
    fn run(&self, frame: &Frame, active: &Active, allowed: &Receiver<()>) -> Result<(), Fault> {
        let (Some(running), Some(database)) = (frame.value::<Running>(), self.database.get())
        else {
            return Err(Fault::of(&"the database is not open"));
        };
        let (mut connection, is_used) = database.take()?;
        let mut begun = active.begin(&mut connection, &running);
        if let Err(fault) = &begun
            && is_used
            && fault.is_of_session()
        {
            database.forget();
            connection = database.connect()?;
            begun = active.begin(&mut connection, &running);
        }
        let Some((statement, reader)) = begun? else { return Ok(()) };
        let schema = reader.schema();
        let columns = encoded(&schema, &[], Vec::new()).map_err(|error| Fault::of(&error))?;
        self.send(&Frame { kind: Kind::Columns, statement: frame.statement, content: columns });
        let mut waiting = Waiting::default();
        let mut space = Vec::new();
        let mut send = |batches: &[RecordBatch]| -> Result<bool, Fault> {
            if allowed.recv().is_err() || active.is_cancelled.load(Ordering::Acquire) {
                return Ok(false);
            }
            let rows = encoded(&schema, batches, std::mem::take(&mut space));
            let rows = rows.map_err(|error| Fault::of(&error))?;
            if rows.len() > ROW {
                return Err(Fault::of(&"a row of the result is too large to be read"));
            }
            let sent = Frame { kind: Kind::Rows, statement: frame.statement, content: rows };
            self.send(&sent);
            space = sent.content;
            Ok(true)
        };
        for batch in reader {
            for part in parts(batch.map_err(|error| Fault::of(&error))?) {
                if let Some(batches) = waiting.add(part)
                    && !send(&batches)?
                {
                    return Ok(());
                }
            }
        }
        let rest = waiting.take();
        if !rest.is_empty() && !send(&rest)? {
            return Ok(());
        }
        locked(&active.handle).take();
        drop(statement);
        database.put_back(connection);
        Ok(())
    }
}

impl Active {
    /// Executes the statement, unless it was cancelled before.
    fn begin(
        &self,
        connection: &mut ManagedConnection,
        running: &Running,
    ) -> Result<Option<(ManagedStatement, Reader)>, Fault> {
        let mut statement = connection.new_statement()?;
        *locked(&self.handle) = Some(statement.get_cancel_handle());
        if self.is_cancelled.load(Ordering::Acquire) {
            return Ok(None);
        }
        statement.set_sql_query(&running.sql)?;
        if !running.values.is_empty() {
            statement.bind(bound(&running.values).map_err(|error| Fault::of(&error))?)?;
        }
        let reader = statement.execute()?;
        Ok(Some((statement, reader)))
    }

    fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
        drop(locked(&self.more).take());
        if let Some(handle) = &*locked(&self.handle) {
            // What cannot be cancelled is ended with this process.
            drop(handle.try_cancel());
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The values of parameters as one row of texts.
fn bound(values: &[String]) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let fields: Vec<Field> = (1..=values.len())
        .map(|place| Field::new(place.to_string(), DataType::Utf8, false))
        .collect();
    let columns = values
        .iter()
        .map(|value| Arc::new(StringArray::from(vec![value.as_str()])) as arrow_array::ArrayRef);
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns.collect())
}

/// Batches that are sent together, since a driver that is fast makes many small ones.
#[derive(Default)]
struct Waiting {
    batches: Vec<RecordBatch>,
    bytes: usize,
    last: Option<Instant>,
}

impl Waiting {
    /// Adds a batch. Returns those that are to be sent now: when they are large enough, or the driver is slow.
    fn add(&mut self, batch: RecordBatch) -> Option<Vec<RecordBatch>> {
        let is_fast = self.last.is_some_and(|last| last.elapsed() < FAST);
        self.last = Some(Instant::now());
        self.bytes += batch.get_array_memory_size();
        self.batches.push(batch);
        (!is_fast || self.bytes >= TOGETHER).then(|| self.take())
    }

    /// All batches that wait.
    fn take(&mut self) -> Vec<RecordBatch> {
        self.bytes = 0;
        std::mem::take(&mut self.batches)
    }
}

/// A batch in parts of bounded size.
fn parts(batch: RecordBatch) -> Vec<RecordBatch> {
    let rows = batch.num_rows();
    let count = batch.get_array_memory_size().div_ceil(PART).clamp(1, rows.max(1));
    let step = rows.div_ceil(count).max(1);
    (0..rows).step_by(step).map(|from| batch.slice(from, step.min(rows - from))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_batch_is_sent_at_once_and_all_rows_are_sent() {
        let column = Arc::new(StringArray::from(vec!["x"; 10])) as arrow_array::ArrayRef;
        let batch = RecordBatch::try_from_iter([("c", column)]).unwrap();
        let mut waiting = Waiting::default();
        assert_eq!(waiting.add(batch.clone()).map(|sent| sent.len()), Some(1));
        let mut sent = 0;
        for _ in 0..100 {
            sent += waiting.add(batch.clone()).map_or(0, |batches| batches.len());
        }
        assert_eq!(sent + waiting.take().len(), 100);
        assert!(waiting.take().is_empty());
    }

    #[test]
    fn a_large_batch_is_sent_in_parts() {
        let texts: Vec<String> = (0..20).map(|_| "x".repeat(1 << 20)).collect();
        let column = Arc::new(StringArray::from(texts)) as arrow_array::ArrayRef;
        let batch = RecordBatch::try_from_iter([("c", column)]).unwrap();
        let parts = parts(batch);
        assert!(parts.len() > 1);
        assert_eq!(parts.iter().map(RecordBatch::num_rows).sum::<usize>(), 20);
    }
}
