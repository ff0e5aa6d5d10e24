//! Database of a tenant, and the check of its login.

use std::path::Path;
use std::sync::Arc;

use super::error::StartError;
use crate::config::Config;
#[cfg(unix)]
use crate::database::adbc::{self, Adbc};
use crate::database::mysql::Mysql;
use crate::database::postgres::Postgres;
use crate::database::sqlite::Sqlite;
use crate::database::{
    Database, DatabaseAddress, DatabaseError, LoginFinding, LoginRisk, Severity,
};
use crate::files::Files;
#[cfg(unix)]
use crate::files::{LargeFile, Parquet};
use crate::rights::Rights;

/// The database at an address, which is connected on first use.
pub(crate) fn open_database(
    config: &Config,
    address: &DatabaseAddress,
) -> Result<Arc<dyn Database>, StartError> {
    let failed = |source| StartError::Database { address: address.to_string(), source };
    if address.is_postgres() {
        let database = Postgres::new(address, config.connections).map_err(failed)?;
        return Ok(Arc::new(match config.rights {
            Some(_) => database.restricted(Rights::default()),
            None => database,
        }));
    }
    if address.is_mysql() {
        let database = Mysql::new(address, config.connections).map_err(failed)?;
        return Ok(Arc::new(database));
    }
    address.check().map_err(|fault| failed(DatabaseError::Unavailable(fault)))?;
    #[cfg(unix)]
    if let Some(Ok(parts)) = address.with_driver() {
        // The driver of several tenants may be meant for the others. An address of an option is checked with the options.
        if config.driver.is_some() && config.tenants.is_empty() {
            let reason = "the address already names the driver (adbc_repeated_driver)".to_owned();
            return Err(failed(DatabaseError::Unavailable(reason)));
        }
        let missing = |fault: adbc::AddressFault| DatabaseError::Unavailable(fault.to_string());
        parts.check_file().map_err(|fault| failed(missing(fault)))?;
        return Ok(Arc::new(Adbc::at(parts, config.connections)));
    }
    let path = Path::new(address.secret());
    if let Some(scheme) = address.unknown_scheme().filter(|_| !path.exists()) {
        return Err(failed(DatabaseError::Unavailable(format!(
            "{scheme}: is no scheme of a database; URLs begin with postgres://, mysql://, mariadb://, sail://, sail+tls://, \
             sc:// or adbc:, and anything else is the path of a file or folder, of which there is none here"
        ))));
    }
    #[cfg(unix)]
    if address.is_sail() {
        let driver = config.driver.as_deref();
        return Ok(Arc::new(Adbc::sail(address, driver, config.connections)));
    }
    #[cfg(unix)]
    if address.is_spark() {
        let driver = config.driver.as_deref();
        return Ok(Arc::new(Adbc::spark(address, driver, config.connections)));
    }
    #[cfg(unix)]
    if adbc::is_duckdb(path) {
        let driver = config.driver.as_deref();
        return Ok(Arc::new(Adbc::duckdb(path, driver, config.connections)));
    }
    #[cfg(unix)]
    if Parquet::has_tables(path) {
        let driver = config.driver.as_deref();
        let database = Parquet::new(path, driver, config.connections).map_err(failed)?;
        return Ok(Arc::new(database));
    }
    #[cfg(unix)]
    if LargeFile::is_at(path) {
        let driver = config.driver.as_deref();
        let database = LargeFile::new(path, driver, config.connections).map_err(failed)?;
        return Ok(Arc::new(database));
    }
    if Files::has_tables(path) {
        let database = Files::new(path, config.connections).map_err(failed)?;
        return Ok(Arc::new(database));
    }
    Ok(Arc::new(Sqlite::new(path, config.connections)))
}

/// Rejects a login with privileges beyond reading. If such logins are allowed, the privileges are logged.
pub async fn check_login(database: &dyn Database, allowed: bool) -> Result<(), StartError> {
    let address = database.address();
    let findings = database
        .check_login()
        .await
        .map_err(|source| StartError::Database { address: address.clone(), source })?;
    let mut refused = Vec::new();
    for LoginFinding { code, severity, message, remedy } in findings {
        let name = code.as_str();
        if severity == Severity::Refuse && !allowed {
            refused.push(format!("{message} ({remedy})"));
        } else if severity == Severity::Refuse || code != LoginRisk::FileIsWritable {
            tracing::warn!(address, code = name, remedy, "{message}");
        } else {
            tracing::info!(address, code = name, remedy, "{message}");
        }
    }
    if refused.is_empty() {
        return Ok(());
    }
    Err(StartError::PrivilegedLogin { address, findings: refused.join("; ") })
}
