//! Where a database is: a file, or a server.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::import::{ImportedTable, literal};
use crate::database::{DatabaseAddress, DatabaseError, quoted};

/// Where a database is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A file, which the driver opens itself.
    File(PathBuf),
    /// A server, which the driver connects to.
    Server(DatabaseAddress),
    /// A text file, which is read as a view.
    View(View),
}

/// A text file that is read as a view.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// Path of the file.
    pub(super) file: PathBuf,
    /// Its name as a table, and a path of it without wildcards.
    pub(super) table: ImportedTable,
}

impl View {
    /// Statements that make the view, after which no other file is needed.
    pub(super) fn setup(&self) -> [String; 2] {
        let (name, path) = (quoted(&self.table.name), literal(&self.table.path.to_string_lossy()));
        [
            format!("CREATE VIEW {name} AS SELECT * FROM read_csv({path})"),
            format!("SET allowed_paths = [{path}]"),
        ]
    }
}

impl Place {
    /// Statements after opening, before those of all databases of the engine.
    pub(super) fn setup(&self) -> Vec<String> {
        match self {
            Self::File(_) | Self::Server(_) => Vec::new(),
            Self::View(view) => view.setup().into(),
        }
    }

    /// Name of the catalog: that of the file without its extension, or the host.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File(path) | Self::View(View { file: path, .. }) => {
                path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
            }
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
            Self::File(path) | Self::View(View { file: path, .. }) => path.display().fmt(formatter),
            Self::Server(address) => address.fmt(formatter),
        }
    }
}

/// What identifies the content of a file. All stamps of a server are equal.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

impl Stamp {
    /// The stamp of what is at a place now.
    pub(super) fn of(place: &Place) -> Result<Self, DatabaseError> {
        match place {
            Place::File(path) | Place::View(View { file: path, .. }) => Self::of_file(path),
            Place::Server(_) => Ok(Self::default()),
        }
    }

    /// The stamp of a file.
    pub(crate) fn of_file(path: &Path) -> Result<Self, DatabaseError> {
        use std::os::unix::fs::MetadataExt;
        let data = std::fs::metadata(path)
            .map_err(|error| DatabaseError::Unavailable(format!("{}: {error}", path.display())))?;
        if !data.is_file() {
            let text = format!("{} is not a file", path.display());
            return Err(DatabaseError::UnreadableFile(text));
        }
        Ok(Self { length: data.len(), modified: data.modified().ok(), inode: data.ino() })
    }
}
