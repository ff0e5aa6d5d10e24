//! Detects that the file of a store was deleted, replaced or overwritten while it is open.
//!
//! SQLite keeps writing to a deleted file, and does not notice one that was overwritten, so that what it stores would
//! be lost without an error. A random id in the header of the file tells it from others.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

/// Position of the application id in the header of an SQLite file.
const ID_AT: u64 = 68;

/// The file of a store, as it was when it was opened.
#[derive(Debug)]
pub(super) struct Presence {
    path: PathBuf,
    /// Kept open until the process ends: closing it would release SQLite's locks on the same file.
    file: File,
    /// The write-ahead log, which exists as long as a connection is open.
    log: PathBuf,
    identity: Identity,
    log_identity: Identity,
    /// Application ids that the header can hold. The id of a file from an earlier version is 0 until the log with its
    /// first id is merged.
    ids: [u32; 2],
}

/// Device and inode of a file.
type Identity = Option<(u64, u64)>;

impl Presence {
    /// The file that a connection has open. The connection must have written since it was opened.
    pub(super) fn of(path: &Path, file: File, connection: &Connection) -> std::io::Result<Self> {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let log = PathBuf::from(log);
        let id = connection
            .query_row("PRAGMA application_id", (), |row| row.get::<_, i32>(0))
            .map_err(std::io::Error::other)?
            .cast_unsigned();
        let stored = read_id(&file)?;
        Ok(Self {
            identity: identity(path)?,
            log_identity: identity(&log)?,
            path: path.to_owned(),
            file,
            log,
            ids: [id, stored],
        })
    }

    /// Fails if the file is not the one that was opened.
    pub(super) fn check(&self) -> std::io::Result<()> {
        let same =
            |path: &Path, opened: Identity| Ok::<_, std::io::Error>(identity(path)? == opened);
        if same(&self.path, self.identity)?
            && same(&self.log, self.log_identity)?
            && self.ids.contains(&read_id(&self.file)?)
        {
            return Ok(());
        }
        Err(std::io::Error::other("the file of the store was replaced or overwritten"))
    }
}

/// Gives a file without an application id a random one.
pub(super) fn mark(connection: &Connection) -> rusqlite::Result<()> {
    let known: i32 = connection.query_row("PRAGMA application_id", (), |row| row.get(0))?;
    if known != 0 {
        return Ok(());
    }
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    // Odd, since zero means that there is no id.
    let id = (u32::from_be_bytes(bytes) >> 1) | 1;
    connection.pragma_update(None, "application_id", id)?;
    // Writes the header to the file itself, unless another process is using it.
    connection.query_row("PRAGMA wal_checkpoint", (), |_| Ok(()))
}

#[cfg(unix)]
fn identity(path: &Path) -> std::io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path)?;
    Ok(Some((metadata.dev(), metadata.ino())))
}

/// Without inodes, only that the file exists is checked.
#[cfg(not(unix))]
fn identity(path: &Path) -> std::io::Result<Identity> {
    std::fs::metadata(path).map(|_| None)
}

#[cfg(unix)]
fn read_id(file: &File) -> std::io::Result<u32> {
    use std::os::unix::fs::FileExt;
    let mut bytes = [0; 4];
    file.read_exact_at(&mut bytes, ID_AT)?;
    Ok(u32::from_be_bytes(bytes))
}

#[cfg(not(unix))]
fn read_id(file: &File) -> std::io::Result<u32> {
    use std::os::windows::fs::FileExt;
    let mut bytes = [0; 4];
    file.seek_read(&mut bytes, ID_AT)?;
    Ok(u32::from_be_bytes(bytes))
}
