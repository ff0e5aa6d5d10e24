//! Where a database is: a file, or a server.

use std::fmt;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::database::{DatabaseAddress, DatabaseError};

/// Where a database is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A file, which the driver opens itself.
    File(PathBuf),
    /// A server, which the driver connects to.
    Server(DatabaseAddress),
}

impl Place {
    /// Name of the catalog: that of the file without its extension, or the host.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            Self::Server(address) => {
                let text = address.to_string();
                let host = text.rsplit(['/', '@']).next().unwrap_or_default();
                host.split(':').next().unwrap_or_default().to_owned()
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(formatter),
            Self::Server(address) => address.fmt(formatter),
        }
    }
}

/// What identifies the content of a file. All stamps of a server are equal.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

impl Stamp {
    /// The stamp of what is at a place now.
    pub(super) fn of(place: &Place) -> Result<Self, DatabaseError> {
        use std::os::unix::fs::MetadataExt;
        let Place::File(path) = place else { return Ok(Self::default()) };
        let data = std::fs::metadata(path)
            .map_err(|error| DatabaseError::Unavailable(format!("{}: {error}", path.display())))?;
        if !data.is_file() {
            let text = format!("{} is not a file", path.display());
            return Err(DatabaseError::UnreadableFile(text));
        }
        Ok(Self { length: data.len(), modified: data.modified().ok(), inode: data.ino() })
    }
}
