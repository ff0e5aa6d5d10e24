//! Support for tests that span crates: the real proxy as a process, temporary PostgreSQL and MariaDB
//! servers, temporary DuckDB files, servers of Spark SQL, a client of ADBC drivers, a database copier.

pub mod adbc;
pub mod copy;
#[path = "../../proxy/tests/suite/support/duckdb.rs"]
#[allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "shared with the tests of the proxy"
)]
pub mod duckdb;
pub mod expect;
pub mod mariadb;
pub mod orders;
pub mod package;
pub mod postgres;
pub mod proxy;
pub mod recordings;
pub mod sessions;
pub mod spark_sql;
mod system;
pub mod workspace;

/// Error of a test helper.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
