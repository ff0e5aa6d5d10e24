//! Errors of generating and loading the sample.

use std::path::PathBuf;

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Error of the sample data source; `code` is its stable identifier.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A data file of this crate cannot be parsed.
    #[error("data file {file} does not read: {message}")]
    DataFile {
        /// Path of the file inside the crate.
        file: &'static str,
        /// Message of the parser.
        message: String,
    },
    /// The date is too close to the limits of the calendar.
    #[error("day {0} is outside the years 1900 to 9000")]
    DayOutOfRange(jiff::civil::Date),
    /// The target file exists and was not created by this loader.
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
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// SQLite reported an error.
    #[error("sqlite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL is unreachable or reported an error.
    #[error("postgresql: {}", describe(.0))]
    Postgres(#[from] tokio_postgres::Error),
}

impl Error {
    /// Stable identifier of the error.
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

/// The server's message, or the cause, which the driver's message leaves out.
fn describe(error: &tokio_postgres::Error) -> String {
    if let Some(database) = error.as_db_error() {
        return format!("{} ({})", database.message(), database.code().code());
    }
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
