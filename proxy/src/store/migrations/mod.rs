//! Versions of the tables: the same numbers and names for both kinds of store, forward only.

use refinery::{Migration, Runner};

/// A version's name, with its statements for SQLite and for PostgreSQL.
macro_rules! version {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("sqlite/", $name, ".sql")),
            include_str!(concat!("postgres/", $name, ".sql")),
        )
    };
}

/// Number of the newest version.
pub(super) const NEWEST: u32 = VERSIONS.len() as u32;

const VERSIONS: [(&str, &str, &str); 7] = [
    version!("V1__sessions"),
    version!("V2__memory"),
    version!("V3__callers"),
    version!("V4__history"),
    version!("V5__cancellations"),
    version!("V6__writings"),
    version!("V7__catalogs"),
];

/// Brings the tables of an SQLite file up to date.
pub(super) fn sqlite() -> Result<Runner, refinery::Error> {
    runner(VERSIONS.map(|(name, sqlite, _)| (name, sqlite)))
}

/// Brings the tables of a PostgreSQL database up to date.
pub(super) fn postgres() -> Result<Runner, refinery::Error> {
    runner(VERSIONS.map(|(name, _, postgres)| (name, postgres)))
}

/// Each version in a transaction of its own; one that is known and newer than this program is an error.
fn runner<const N: usize>(versions: [(&str, &str); N]) -> Result<Runner, refinery::Error> {
    let migrations: Vec<Migration> = versions
        .into_iter()
        .map(|(name, sql)| Migration::unapplied(name, sql))
        .collect::<Result<_, _>>()?;
    Ok(Runner::new(&migrations))
}
