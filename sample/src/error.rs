//! What can go wrong while building or loading the sample.

use std::path::PathBuf;

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// An error of the sample data source; `code` names it for programs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A data file of this crate does not read.
    #[error("data file {file} does not read: {message}")]
    DataFile {
        /// Path of the file inside the crate.
        file: &'static str,
        /// What the reader said.
        message: String,
    },
    /// The day is too near the ends of the calendar.
    #[error("day {0} is outside the years 1900 to 9000")]
    DayOutOfRange(jiff::civil::Date),
    /// The target file exists and was not made by this loader.
    #[error("{0} exists and is not a sample database, so it is left as it is")]
    NotASample(PathBuf),
    /// The target database already has a schema of this name.
    #[error("schema {0} exists already; an empty database is needed")]
    SchemaExists(String),
    /// A file could not be written or moved.
    #[error("{path} cannot be written: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// SQLite refused a statement.
    #[error("sqlite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL is unreachable or refused a statement.
    #[error("postgresql: {}", describe(.0))]
    Postgres(#[from] tokio_postgres::Error),
}

impl Error {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::DataFile { .. } => "sample_data_file",
            Self::DayOutOfRange(_) => "sample_day_out_of_range",
            Self::NotASample(_) => "sample_not_a_sample",
            Self::SchemaExists(_) => "sample_schema_exists",
            Self::File { .. } => "sample_file",
            Self::Sqlite(_) => "sample_sqlite",
            Self::Postgres(_) => "sample_postgres",
        }
    }
}

/// The server's own words, or the cause, which the driver's message leaves out.
fn describe(error: &tokio_postgres::Error) -> String {
    if let Some(database) = error.as_db_error() {
        return format!("{} ({})", database.message(), database.code().code());
    }
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
