//! The database of a driver, in the process of the driver, and its connections.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use adbc_core::error::{Error, Status};
use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Connection, Database, Driver, Statement};
use adbc_core::{LOAD_FLAG_SEARCH_ENV, LOAD_FLAG_SEARCH_SYSTEM, LOAD_FLAG_SEARCH_USER};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase, ManagedDriver};

use super::wire::{Opening, Step};

/// Words in the message of a server that has lost the session of a connection, for example because it was started again.
const SESSION: &str = "SESSION";

/// An open database, and connections that no statement uses.
pub(super) struct Connections {
    database: ManagedDatabase,
    /// Statements that are run first on each connection.
    session: Vec<String>,
    idle: Mutex<Vec<ManagedConnection>>,
}

impl Connections {
    /// Loads a driver and opens a database.
    pub(super) fn open(opening: &Opening) -> Result<Self, (Step, Error)> {
        let database = opened(opening)?;
        Ok(Self { database, session: opening.session.clone(), idle: Mutex::default() })
    }

    /// A connection, and whether it was used before.
    pub(super) fn take(&self) -> Result<(ManagedConnection, bool), Fault> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(connection) => Ok((connection, true)),
            None => Ok((self.connect()?, false)),
        }
    }

    /// A new connection.
    pub(super) fn connect(&self) -> Result<ManagedConnection, Fault> {
        let mut connection = self.database.new_connection()?;
        for sql in &self.session {
            let mut statement = connection.new_statement()?;
            statement.set_sql_query(sql)?;
            // A driver may run a statement only while its rows are read.
            for rows in statement.execute()? {
                rows.map_err(|error| Fault::of(&error))?;
            }
        }
        Ok(connection)
    }

    /// Keeps a connection whose statement has ended well, if making one costs time.
    pub(super) fn put_back(&self, connection: ManagedConnection) {
        if !self.session.is_empty() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
    }

    /// Closes all connections that no statement uses.
    pub(super) fn forget(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Why a statement failed.
pub(super) struct Fault {
    pub(super) at: Step,
    pub(super) message: String,
}

impl Fault {
    /// A failure of the statement itself.
    pub(super) fn of(error: &dyn std::fmt::Display) -> Self {
        Self { at: Step::Run, message: error.to_string() }
    }

    /// Whether the failure may be one of the connection only.
    pub(super) fn is_of_session(&self) -> bool {
        self.at == Step::Lost || self.message.contains(SESSION)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let at = match error.status {
            Status::IO => Step::Lost,
            Status::NotImplemented => Step::Foreign,
            Status::Unauthenticated | Status::Unauthorized => Step::Denied,
            _ => Step::Run,
        };
        Self { at, message: error.message }
    }
}

/// Whether a manifest was found, although its driver cannot be loaded.
fn is_found(path: &Path, error: &Error) -> bool {
    path.is_absolute() || !matches!(error.status, Status::NotFound | Status::InvalidArguments)
}

/// Loads a driver and opens a database.
fn opened(opening: &Opening) -> Result<ManagedDatabase, (Step, Error)> {
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
            .map_err(|error| (if is_found(path, &error) { Step::Load } else { Step::Find }, error))
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
