//! Private folder of the process for copies of tables, deleted with it.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};

/// Beginning of the names of such folders.
const PREFIX: &str = "wherefore-tables-";
/// File of a folder that its process has locked.
const LOCK: &str = "lock";
/// File with the current tables.
const TABLES: &str = "tables.sqlite";

/// A private folder, deleted when dropped. If the process is killed, the next one deletes it.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// A new folder among the temporary files.
    pub(super) fn new() -> io::Result<Self> {
        sweep(&std::env::temp_dir());
        let mut builder = Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o700));
        }
        let folder = builder.tempdir()?;
        let lock = private(&folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(Self { folder, _lock: lock })
    }

    /// Path of the current tables.
    pub(super) fn tables(&self) -> PathBuf {
        self.folder.path().join(TABLES)
    }

    /// Path of another file in the folder.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Has a new, empty file filled, and makes it the current tables. Statements that run keep the previous ones.
    pub(super) fn replace<E: From<io::Error>>(
        &self,
        fill: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<(), E> {
        let next = self.folder.path().join("next.sqlite");
        let remove = || match std::fs::remove_file(&next) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        remove()?;
        drop(private(&next)?);
        let filled = fill(&next);
        if filled.is_ok() {
            std::fs::rename(&next, self.tables())?;
        } else {
            remove()?;
        }
        filled
    }
}

/// A new file that only its owner can read and write.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// Deletes the folders of processes that were killed: no process has a lock on them.
fn sweep(temporary: &Path) {
    let Ok(entries) = std::fs::read_dir(temporary) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // A link could lead to a folder of somebody else.
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let lock = OpenOptions::new().read(true).write(true).open(entry.path().join(LOCK));
        if lock.is_ok_and(|lock| lock.try_lock().is_ok())
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::debug!(%error, "cannot delete the tables of an earlier process");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_owner_can_read_the_tables() {
        let scratch = Scratch::new().unwrap();
        scratch.replace(|path| std::fs::write(path, "tables")).unwrap();
        assert_eq!(std::fs::read(scratch.tables()).unwrap(), b"tables");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&scratch.tables()), 0o600);
            assert_eq!(mode(scratch.folder.path()), 0o700);
        }
        let failed: io::Result<()> = scratch.replace(|_| Err(io::ErrorKind::Other.into()));
        assert!(failed.is_err());
        assert_eq!(std::fs::read(scratch.tables()).unwrap(), b"tables", "the previous ones stay");
        let folder = scratch.folder.path().to_owned();
        drop(scratch);
        assert!(!folder.exists());
    }

    #[test]
    fn folders_of_killed_processes_are_deleted() {
        let temporary = tempfile::tempdir().unwrap();
        let of = |name: &str| {
            let folder = temporary.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            (private(&folder.join(LOCK)).unwrap(), folder)
        };
        let (killed, left) = of(&format!("{PREFIX}1"));
        drop(killed);
        let (running, held) = of(&format!("{PREFIX}2"));
        running.lock().unwrap();
        let (_, other) = of("other");
        sweep(temporary.path());
        assert!(!left.exists() && held.exists() && other.exists());
    }
}
