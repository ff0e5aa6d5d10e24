//! The process of a driver, started when it is needed, and the statements in flight on it.

use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, RwLock, Semaphore};
use wherefore_engine::catalog::Catalog;

use super::child::{Child, OPEN};
use super::place::{Place, Stamp};
use super::profile::{Options, Profile};
use super::running::Statement;
use super::wire::{Opening, Running};
use crate::database::{DatabaseError, Turn};

/// Timeout of waiting for a place among the statements in flight.
const WAIT: Duration = Duration::from_secs(5);
/// Message of DuckDB's driver about the value of an option.
const REFUSED_OPTION: &str = "Failed to set configuration option";
/// Time without a statement after which the process ends, so that others can write to the file.
const IDLE: Duration = Duration::from_secs(30);

/// A database that is reached by an ADBC driver.
pub struct Adbc {
    pub(super) profile: &'static Profile,
    pub(super) place: Place,
    driver: String,
    /// Options of the driver from the configuration, besides those of the profile.
    pub(super) extra: Options,
    slot: Arc<Mutex<Slot>>,
    permits: Arc<Semaphore>,
    connections: u32,
    /// What statements are translated with, once it has been read.
    pub(super) known: RwLock<Option<Arc<Catalog>>>,
}

/// The process that runs, if there is one.
#[derive(Debug, Default)]
struct Slot {
    child: Option<Arc<Child>>,
    stamp: Option<Stamp>,
    used: Option<Instant>,
}

impl Adbc {
    pub(super) fn with(
        profile: &'static Profile,
        place: Place,
        driver: Option<&Path>,
        connections: u32,
    ) -> Self {
        let driver = driver.map(|path| path.to_string_lossy().into_owned());
        Self {
            driver: driver.unwrap_or_else(|| profile.driver.to_owned()),
            profile,
            place,
            extra: Options::new(),
            slot: Arc::default(),
            permits: Arc::new(Semaphore::new(connections as usize)),
            connections,
            known: RwLock::default(),
        }
    }

    /// Number of statements in flight.
    pub(super) fn in_flight(&self) -> u32 {
        self.connections.saturating_sub(self.permits.available_permits() as u32)
    }

    /// Starts a statement with texts as the values of its parameters.
    pub(super) async fn begin(
        &self,
        sql: &str,
        values: Vec<String>,
        timeout: Duration,
        turn: Option<&Turn>,
    ) -> Result<Statement, DatabaseError> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(WAIT, permit).await;
        let Ok(Ok(permit)) = permit else { return Err(DatabaseError::Busy) };
        let child = self.child().await?;
        let running = Running { sql: sql.to_owned(), values };
        Ok(Statement::start(child, self.profile, &running, timeout, turn, permit))
    }

    /// Whether the database is a file that was opened before and has not changed since, and the process was not lost.
    pub(super) async fn is_known_good(&self) -> Result<bool, DatabaseError> {
        if matches!(self.place, Place::Server(_)) {
            return Ok(false);
        }
        let stamp = Stamp::of(&self.place)?;
        let slot = self.slot.lock().await;
        let is_lost = slot.child.as_ref().is_some_and(|child| child.is_gone());
        Ok(!is_lost && slot.stamp.as_ref() == Some(&stamp))
    }

    /// Options with which the database is opened; those of the configuration replace those of the profile.
    fn options(&self) -> Result<Options, DatabaseError> {
        let mut options =
            (self.profile.options)(&self.place).map_err(DatabaseError::Unavailable)?;
        options.retain(|(name, _)| !self.extra.iter().any(|(other, _)| other == name));
        options.extend(self.extra.iter().cloned());
        Ok(options)
    }

    /// A message of a driver without the secrets that it was given.
    fn concealed(&self, mut message: String, options: &Options) -> String {
        for (name, value) in options {
            if self.profile.secret.contains(&&**name) && !value.is_empty() {
                message = message.replace(value, "…");
            }
        }
        message
    }

    /// The failure to open the database, which may pass by itself.
    fn reason(&self, error: DatabaseError, options: &Options) -> DatabaseError {
        let error = match error {
            DatabaseError::UnreadableFile(text) => {
                DatabaseError::UnreadableFile(self.concealed(text, options))
            }
            DatabaseError::Unavailable(text) => {
                DatabaseError::Unavailable(self.concealed(text, options))
            }
            DatabaseError::PermissionDenied(text) => {
                DatabaseError::PermissionDenied(self.concealed(text, options))
            }
            other => other,
        };
        match error {
            DatabaseError::Unavailable(text)
                if !self.extra.is_empty() && text.contains(REFUSED_OPTION) =>
            {
                let names: Vec<&str> = self.extra.iter().map(|(name, _)| &**name).collect();
                DatabaseError::Unavailable(format!(
                    "the driver refuses the value of an option, {} (adbc_refused_option)",
                    names.join(" or ")
                ))
            }
            DatabaseError::UnreadableFile(message) if (self.profile.passes)(&message) => {
                DatabaseError::Unavailable(message)
            }
            other => other,
        }
    }

    /// The process, which is started if there is none or the file has changed.
    async fn child(&self) -> Result<Arc<Child>, DatabaseError> {
        let stamp = Stamp::of(&self.place)?;
        let mut slot = self.slot.lock().await;
        slot.used = Some(Instant::now());
        if let Some(child) = &slot.child
            && !child.is_gone()
            && slot.stamp.as_ref() == Some(&stamp)
        {
            return Ok(Arc::clone(child));
        }
        // Statements that run keep the process that they run in.
        slot.child = None;
        let opening = Opening {
            driver: self.driver.clone(),
            entry: self.profile.entry.to_owned(),
            install: self.profile.install.to_owned(),
            options: self.options()?,
            setup: [self.place.setup(), texts(self.profile.setup)].concat(),
            session: texts(self.profile.session),
        };
        let opened = Child::open(&opening, OPEN).await;
        let child = Arc::new(opened.map_err(|error| self.reason(error, &opening.options))?);
        (slot.child, slot.stamp) = (Some(Arc::clone(&child)), Some(stamp));
        tokio::spawn(end_when_idle(Arc::downgrade(&self.slot), Arc::downgrade(&child)));
        Ok(child)
    }
}

fn texts(statements: &[&str]) -> Vec<String> {
    statements.iter().map(|sql| (*sql).to_owned()).collect()
}

/// Ends a process once no statement has used it for a while.
async fn end_when_idle(slot: Weak<Mutex<Slot>>, child: Weak<Child>) {
    loop {
        tokio::time::sleep(IDLE / 4).await;
        let (Some(slot), Some(child)) = (slot.upgrade(), child.upgrade()) else { return };
        let mut slot = slot.lock().await;
        let Some(own) = slot.child.as_ref().filter(|own| Arc::ptr_eq(own, &child)) else { return };
        // Held by the slot and here, and by no statement.
        let is_unused = Arc::strong_count(own) == 2;
        if is_unused && slot.used.is_none_or(|used| used.elapsed() > IDLE) {
            slot.child = None;
            return;
        }
    }
}
