//! The process of a driver, as the proxy sees it.

use std::collections::HashMap;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::profile::unreadable;
use super::unusable::{ended, of_another_engine, unusable};
use super::wire::{Failed, Frame, Kind, NO_STATEMENT, Opening, Running, Step};
use crate::database::DatabaseError;

/// Name of the hidden command that runs a driver.
pub const COMMAND: &str = "driver-host";
/// Name of the program that has the command.
const PROGRAM: &str = "wherefore-proxy";
/// Timeout of loading a driver and opening a database.
pub(super) const OPEN: Duration = Duration::from_secs(20);
/// Timeout of handing a message to the process.
const WRITE: Duration = Duration::from_secs(2);
/// Options of the allocator of the process: memory that is freed is used again for a while, since rows come in bursts.
const ALLOCATOR: (&str, &str) = ("_RJEM_MALLOC_CONF", "dirty_decay_ms:1000,lg_tcache_max:16");
/// Variables of the environment that the process gets; passwords and keys of the proxy are not among them.
const ENVIRONMENT: [&str; 9] = [
    "ADBC_DRIVER_PATH",
    "HOME",
    "LANG",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PATH",
    "TMPDIR",
    "TZ",
    "XDG_CONFIG_HOME",
];

/// Senders to those who wait for a statement; `None` once the process has ended.
type Waiting = Arc<Mutex<Option<HashMap<u32, UnboundedSender<Frame>>>>>;

/// A running process with an open database. Dropping it ends the process.
#[derive(Debug)]
pub(super) struct Child {
    process: Arc<Mutex<std::process::Child>>,
    socket: Mutex<UnixStream>,
    waiting: Waiting,
    next: AtomicU32,
}

impl Child {
    /// Starts a process, which loads the driver and opens the database within a time limit.
    pub(super) async fn open(opening: &Opening, limit: Duration) -> Result<Self, DatabaseError> {
        let child = Self::start().map_err(|error| {
            DatabaseError::Unavailable(format!("the process of the driver cannot start: {error}"))
        })?;
        let mut answers = child.awaited(NO_STATEMENT);
        child.send(&Frame::with(Kind::Open, NO_STATEMENT, opening));
        match tokio::time::timeout(limit, answers.recv()).await {
            Ok(Some(Frame { kind: Kind::Ready, .. })) => Ok(child),
            Ok(Some(frame)) => Err(opening_failed(opening, frame.value())),
            Ok(None) => Err(DatabaseError::Unavailable(ended(opening, &child.reason()))),
            Err(_) => {
                child.kill();
                let seconds = limit.as_secs();
                Err(DatabaseError::Unavailable(format!(
                    "the driver did not open the database within {seconds} s"
                )))
            }
        }
    }

    fn start() -> std::io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_write_timeout(Some(WRITE))?;
        let mut command = Command::new(program()?);
        command.arg(COMMAND).env_clear().stdin(Stdio::from(OwnedFd::from(theirs)));
        for name in ENVIRONMENT {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env(ALLOCATOR.0, ALLOCATOR.1);
        // What a driver prints is no message.
        let process = command.stdout(Stdio::null()).spawn()?;
        let input = ours.try_clone()?;
        let waiting: Waiting = Arc::new(Mutex::new(Some(HashMap::new())));
        let answered = Arc::clone(&waiting);
        std::thread::spawn(move || receive(input, &answered));
        Ok(Self {
            process: Arc::new(Mutex::new(process)),
            socket: Mutex::new(ours),
            waiting,
            next: AtomicU32::new(NO_STATEMENT + 1),
        })
    }

    /// Starts a statement. Returns its number and the receiver of its messages.
    pub(super) fn run(&self, running: &Running) -> (u32, UnboundedReceiver<Frame>) {
        let id = self.next.fetch_add(1, Ordering::Relaxed).max(NO_STATEMENT + 1);
        let answers = self.awaited(id);
        self.send(&Frame::with(Kind::Run, id, running));
        (id, answers)
    }

    /// Sends a message. A process that does not take it is ended.
    pub(super) fn send(&self, frame: &Frame) {
        let sent = {
            let mut socket = locked(&self.socket);
            frame.write(&mut *socket).and_then(|()| socket.flush())
        };
        if sent.is_err() {
            self.kill();
        }
    }

    /// No longer waits for a statement, which has ended.
    pub(super) fn forget(&self, statement: u32) {
        if let Some(waiting) = &mut *locked(&self.waiting) {
            waiting.remove(&statement);
        }
    }

    /// Whether the process has ended.
    pub(super) fn is_gone(&self) -> bool {
        locked(&self.waiting).is_none()
    }

    /// Ends the process, with all its statements.
    pub(super) fn kill(&self) {
        locked(&self.waiting).take();
        drop(locked(&self.process).kill());
    }

    /// Ends the process and waits until it is gone, after which another one can open its file.
    pub(super) async fn end(self) {
        self.kill();
        let process = Arc::clone(&self.process);
        // If waiting fails, the process is gone.
        drop(tokio::task::spawn_blocking(move || locked(&process).wait()).await);
    }

    /// How the process ended.
    pub(super) fn reason(&self) -> String {
        // The end of the socket is seen before that of the process.
        for _ in 0..20 {
            if let Ok(Some(status)) = locked(&self.process).try_wait() {
                return status.to_string();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        "it closed its socket".to_owned()
    }

    fn awaited(&self, statement: u32) -> UnboundedReceiver<Frame> {
        let (sender, receiver) = unbounded_channel();
        if let Some(waiting) = &mut *locked(&self.waiting) {
            waiting.insert(statement, sender);
        }
        receiver
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
        let process = Arc::clone(&self.process);
        // Waits for the end, so that no dead process is left behind.
        std::thread::spawn(move || locked(&process).wait());
    }
}

/// Hands on the messages of a process until it ends.
fn receive(input: UnixStream, waiting: &Waiting) {
    let mut input = std::io::BufReader::new(input);
    while let Ok(frame) = Frame::read(&mut input) {
        match &*locked(waiting) {
            Some(waiting) => {
                if let Some(sender) = waiting.get(&frame.statement) {
                    drop(sender.send(frame));
                }
            }
            None => return,
        }
    }
    locked(waiting).take();
}

fn opening_failed(opening: &Opening, failed: Option<Failed>) -> DatabaseError {
    let Some(Failed { at, message }) = failed else {
        return DatabaseError::Unavailable("the process of the driver sent nonsense".to_owned());
    };
    match at {
        Step::Find | Step::Load => DatabaseError::Unavailable(unusable(opening, at, &message)),
        Step::Denied => DatabaseError::PermissionDenied(message),
        Step::Lost | Step::Foreign => DatabaseError::Unavailable(message),
        Step::Open | Step::Run | Step::Cancelled => match of_another_engine(opening, &message) {
            Some(text) => DatabaseError::Unavailable(text),
            None => DatabaseError::UnreadableFile(unreadable(message)),
        },
    }
}

/// This program; for other programs with this library, such as tests, the proxy in their folder or one above.
fn program() -> std::io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    if own.file_stem().is_some_and(|name| name == PROGRAM) {
        return Ok(own);
    }
    let found = own.ancestors().skip(1).take(2).map(|folder| folder.join(PROGRAM));
    Ok(found.into_iter().find(|program| program.is_file()).unwrap_or(own))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
