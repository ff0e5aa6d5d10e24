//! Snapshots: a session as JSON text, with a format version.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::migrate::{self, V1};
use super::parts::Parts;
use super::transitions::Session;
use super::{SnapshotError, View};

/// Current version of the format; older ones can be read.
const VERSION: u32 = 6;

/// The JSON form of a snapshot.
#[derive(Serialize)]
struct Written<'a> {
    version: u32,
    session: Parts<'a>,
}

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

#[derive(Deserialize)]
struct Current {
    session: Parts<'static>,
}

impl Session {
    /// Serialises the session to JSON text, for [`Self::restore`].
    pub fn snapshot(&self) -> Result<String, SnapshotError> {
        write(self.parts())
    }

    /// Like [`Self::snapshot`], without the rows of the answer; enough to change answers later.
    pub fn snapshot_without_rows(&self) -> Result<String, SnapshotError> {
        let view = View { result: None, ..self.view().clone() };
        write(Parts { view: Cow::Owned(view), ..self.parts() })
    }

    /// Restores a session from its snapshot; one of a newer version is an error.
    pub fn restore(snapshot: &str) -> Result<Self, SnapshotError> {
        let Versioned { version } = read(snapshot)?;
        match version {
            0 | 1 => Self::from_parts(migrate::parts(read::<V1>(snapshot)?)?),
            2 | 3 | 4 | 5 | VERSION => Self::from_parts(read::<Current>(snapshot)?.session),
            found => Err(SnapshotError::Newer { found, supported: VERSION }),
        }
    }
}

fn write(session: Parts<'_>) -> Result<String, SnapshotError> {
    serde_json::to_string(&Written { version: VERSION, session })
        .map_err(|error| SnapshotError::Unwritable(error.to_string()))
}

fn read<T: for<'a> Deserialize<'a>>(snapshot: &str) -> Result<T, SnapshotError> {
    crate::json::read_json(snapshot).map_err(|error| SnapshotError::Unreadable(error.to_string()))
}
