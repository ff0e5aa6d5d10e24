//! The process of a driver: loads it, opens one database, and runs statements for the proxy.
//!
//! A driver is a library that can crash, hang or print. Here it does no harm to the proxy: messages go over the socket that
//! is this process's standard input, and the proxy can end the process at any time.

use std::collections::HashMap;
use std::io::{self, BufReader, BufWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{CancelHandle, Connection, Database, Driver, Statement};
use adbc_core::{LOAD_FLAG_SEARCH_ENV, LOAD_FLAG_SEARCH_SYSTEM, LOAD_FLAG_SEARCH_USER};
use adbc_driver_manager::{ManagedDatabase, ManagedDriver};
use arrow_array::{RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};

use super::wire::{Failed, Frame, Kind, NO_STATEMENT, Opening, Running, Step, encoded};

/// Size of a batch in memory above which it is sent in parts, in bytes.
const PART: usize = 8 << 20;
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
    database: OnceLock<ManagedDatabase>,
}

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
        match opened(&opening) {
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
                Err(message) => host.fail(id, Step::Run, &message),
            }
        });
    }

    /// Runs a statement on a connection of its own: another statement on the same connection would read this one to its
    /// end first.
    fn run(&self, frame: &Frame, active: &Active, allowed: &Receiver<()>) -> Result<(), String> {
        let told = |error: adbc_core::error::Error| error.message;
        let (Some(running), Some(database)) = (frame.value::<Running>(), self.database.get())
        else {
            return Err("the database is not open".to_owned());
        };
        let mut connection = database.new_connection().map_err(told)?;
        let mut statement = connection.new_statement().map_err(told)?;
        *locked(&active.handle) = Some(statement.get_cancel_handle());
        if active.is_cancelled.load(Ordering::Acquire) {
            return Ok(());
        }
        statement.set_sql_query(&running.sql).map_err(told)?;
        if !running.values.is_empty() {
            let bound = bound(&running.values).map_err(|error| error.to_string())?;
            statement.bind(bound).map_err(told)?;
        }
        let reader = statement.execute().map_err(told)?;
        let schema = reader.schema();
        let columns = encoded(&schema, None).map_err(|error| error.to_string())?;
        self.send(&Frame { kind: Kind::Columns, statement: frame.statement, content: columns });
        for batch in reader {
            for part in parts(batch.map_err(|error| error.to_string())?) {
                if allowed.recv().is_err() || active.is_cancelled.load(Ordering::Acquire) {
                    return Ok(());
                }
                let rows = encoded(&schema, Some(&part)).map_err(|error| error.to_string())?;
                if rows.len() > ROW {
                    return Err("a row of the result is too large to be read".to_owned());
                }
                self.send(&Frame { kind: Kind::Rows, statement: frame.statement, content: rows });
            }
        }
        Ok(())
    }
}

impl Active {
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

/// Loads a driver and opens a database.
fn opened(opening: &Opening) -> Result<ManagedDatabase, (Step, adbc_core::error::Error)> {
    let entry = Some(opening.entry.as_bytes()).filter(|entry| !entry.is_empty());
    let version = AdbcVersion::V110;
    let path = Path::new(&opening.driver);
    let is_manifest = path.extension().is_some_and(|extension| extension == "toml");
    let loaded = if path.is_absolute() && !is_manifest {
        ManagedDriver::load_dynamic_from_filename(path, entry, version)
            .map_err(|error| (Step::Load, error))
    } else {
        let places = LOAD_FLAG_SEARCH_ENV | LOAD_FLAG_SEARCH_USER | LOAD_FLAG_SEARCH_SYSTEM;
        // The function named by a manifest counts; without one, that of the engine does.
        ManagedDriver::load_from_name(path, entry, version, places, None)
            .map_err(|error| (if path.is_absolute() { Step::Load } else { Step::Find }, error))
    };
    let mut driver = loaded?;
    let options = opening.options.iter().map(|(key, value)| {
        (OptionDatabase::Other(key.clone()), OptionValue::String(value.clone()))
    });
    let mut open = || {
        let database = driver.new_database_with_opts(options.clone())?;
        for sql in &opening.setup {
            let mut connection = database.new_connection()?;
            let mut statement = connection.new_statement()?;
            statement.set_sql_query(sql)?;
            statement.execute_update()?;
        }
        // The first connection shows whether the file can be read.
        drop(database.new_connection()?);
        Ok(database)
    };
    open().map_err(|error| (Step::Open, error))
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
    fn a_large_batch_is_sent_in_parts() {
        let texts: Vec<String> = (0..20).map(|_| "x".repeat(1 << 20)).collect();
        let column = Arc::new(StringArray::from(texts)) as arrow_array::ArrayRef;
        let batch = RecordBatch::try_from_iter([("c", column)]).unwrap();
        let parts = parts(batch);
        assert!(parts.len() > 1);
        assert_eq!(parts.iter().map(RecordBatch::num_rows).sum::<usize>(), 20);
    }
}
