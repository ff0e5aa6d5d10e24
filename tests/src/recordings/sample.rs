//! The sample database with a fixed date, and its pack.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::{Failure, workspace};

/// Date of the sample, on which every question is asked.
pub const TODAY: &str = "2026-03-31";

/// The sample in a temporary folder.
#[derive(Debug)]
pub struct Sample {
    folder: TempDir,
}

impl Sample {
    /// Generates the sample.
    pub fn new() -> Result<Self, Failure> {
        let folder = TempDir::with_prefix("wherefore-recordings-")?;
        let sample = Self { folder };
        wherefore_sample::load_sqlite(&sample.database(), TODAY.parse()?)?;
        Ok(sample)
    }

    /// Options of a proxy that serves the sample.
    pub fn options(&self) -> Vec<String> {
        let pack = workspace::root().join("sample/pack.toml");
        [
            "--database".to_owned(),
            self.database().display().to_string(),
            "--pack".to_owned(),
            pack.display().to_string(),
        ]
        .into()
    }

    /// Path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn database(&self) -> PathBuf {
        self.path("sample.sqlite")
    }
}
