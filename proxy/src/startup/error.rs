//! Why the proxy does not start.

use std::path::PathBuf;

use thiserror::Error;

use crate::access::TokensError;
use crate::catalog::file::FileError;
use crate::catalog::pack::PackError;
use crate::config::Contradiction;
use crate::database::DatabaseError;
use crate::questions::ExperimentError;
use crate::store::StoreError;

/// Why the proxy does not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The catalog file is invalid.
    #[error(transparent)]
    CatalogFile(#[from] FileError),
    /// The database cannot be read.
    #[error("database {address}: {source}")]
    Database {
        /// Address without a password.
        address: String,
        /// The error.
        source: DatabaseError,
    },
    /// The experiment is invalid.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The lessons are invalid.
    #[error("lessons {path} cannot be read: {reason}")]
    Lessons {
        /// Path of the file.
        path: PathBuf,
        /// The error, with the line.
        reason: String,
    },
    /// Listening on the address failed.
    #[error("address {address} cannot be listened on: {source}")]
    Listen {
        /// Address.
        address: std::net::SocketAddr,
        /// The error.
        source: std::io::Error,
    },
    /// The options of the language model are invalid.
    #[error("{0}")]
    Model(String),
    /// There is no default tenant for MCP on standard input.
    #[error("no tenant is called default, whose data is asked about on standard input")]
    NoLocalTenant,
    /// Options contradict each other.
    #[error(transparent)]
    Options(#[from] Contradiction),
    /// The pack is invalid.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The login has privileges beyond reading.
    #[error(
        "database {address} is not read with this login: {findings}; or start with --allow-privileged-login"
    )]
    PrivilegedLogin {
        /// Address without a password.
        address: String,
        /// The privileges, and how to remove them.
        findings: String,
    },
    /// Serving failed.
    #[error("serving failed: {0}")]
    Serve(#[from] std::io::Error),
    /// The folder of the web app has no `index.html`.
    #[error("folder {0} holds no index.html")]
    StaticFiles(PathBuf),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store uses the login of the data source.
    #[error("store {0} has the login of the data source: it needs one of its own")]
    StoreLogin(String),
    /// The keys of tokens cannot be read.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// The catalog cannot be serialised.
    #[error("catalog cannot be written as JSON: {0}")]
    Unwritable(#[from] serde_json::Error),
}

impl StartError {
    /// Whether the database is temporarily unavailable.
    pub(super) fn is_away(&self) -> bool {
        matches!(self, Self::Database { source, .. } if source.is_retryable())
    }
}
