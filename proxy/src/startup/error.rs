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
    #[error("lessons {path}: {reason}")]
    Lessons {
        /// Path of the file.
        path: PathBuf,
        /// The error, with the line.
        reason: String,
    },
    /// Listening on the address failed.
    #[error("cannot listen on {address}: {source}")]
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
    #[error("`mcp` serves the tenant `default`, which is not configured")]
    NoLocalTenant,
    /// Options contradict each other.
    #[error(transparent)]
    Options(#[from] Contradiction),
    /// The pack is invalid.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The login has privileges beyond reading.
    #[error(
        "database {address}: the login has too many privileges: {findings}; or start with --allow-privileged-login"
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
    /// The settings of the engine are invalid.
    #[error("settings {path}: {reason}")]
    Settings {
        /// Path of the file.
        path: PathBuf,
        /// The error, with the line.
        reason: String,
    },
    /// The folder of the web app has no `index.html`.
    #[error("folder {0} has no index.html")]
    StaticFiles(PathBuf),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store uses the login of the data source.
    #[error("store {0} uses the login of the data source; give it its own login")]
    StoreLogin(String),
    /// The keys of tokens cannot be read.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// The catalog cannot be serialised.
    #[error("cannot serialize the catalog: {0}")]
    Unwritable(#[from] serde_json::Error),
}

impl StartError {
    /// Whether the database is temporarily unavailable.
    pub(super) fn is_away(&self) -> bool {
        matches!(self, Self::Database { source, .. } if source.is_retryable())
    }
}
