//! Connections to a file: opened read-only, hardened, and dropped when the file was replaced.

use std::fs::Metadata;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use super::failure::failure;
use crate::database::DatabaseError;

/// Timeout of waiting for a free connection.
pub(super) const WAIT: Duration = Duration::from_secs(5);

/// A connection, and the identity of the file that it has open.
#[derive(Debug)]
pub(super) struct Pooled {
    pub(super) connection: Connection,
    file: FileIdentity,
}

/// A connection of the pool; a new one if there is none or if the file was replaced.
pub(super) fn take(path: &Path, idle: &Mutex<Vec<Pooled>>) -> Result<Pooled, DatabaseError> {
    let file = FileIdentity::of(path)?;
    let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
    idle.retain(|pooled| pooled.file == file);
    let pooled = idle.pop();
    drop(idle);
    pooled.map_or_else(|| open(path), Ok)
}

pub(super) fn open(path: &Path) -> Result<Pooled, DatabaseError> {
    let file = FileIdentity::of(path)?;
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .and_then(|connection| lock_down(&connection).map(|()| connection))
    .map_err(|error| failure(&error, WAIT))?;
    Ok(Pooled { connection, file })
}

fn lock_down(connection: &Connection) -> rusqlite::Result<()> {
    for (option, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    ] {
        connection.set_db_config(option, value)?;
    }
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, 1_000_000),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 32 * 1024),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 20),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500),
    ] {
        connection.set_limit(limit, value)?;
    }
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.pragma_update(None, "query_only", true)
}

/// Device and inode, by which a replaced file is detected.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct FileIdentity(u64, u64);

impl FileIdentity {
    pub(super) fn of(path: &Path) -> Result<Self, DatabaseError> {
        let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::PermissionDenied => {
                DatabaseError::PermissionDenied(format!("{} cannot be read", path.display()))
            }
            std::io::ErrorKind::NotFound => {
                DatabaseError::Unavailable(format!("{}: there is no such file", path.display()))
            }
            _ => DatabaseError::Unavailable(format!("{}: {error}", path.display())),
        })?;
        if !metadata.is_file() {
            return Err(DatabaseError::Unavailable(format!("{} is not a file", path.display())));
        }
        Ok(Self::from_metadata(&metadata))
    }

    #[cfg(unix)]
    fn from_metadata(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(metadata.dev(), metadata.ino())
    }

    #[cfg(not(unix))]
    fn from_metadata(metadata: &Metadata) -> Self {
        let created = metadata.created().ok();
        let age = created.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Self(age.map_or(0, |age| age.as_secs()), 0)
    }
}
