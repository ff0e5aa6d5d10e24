//! Schema migrations, forward only, with the same numbers and names for both backends.

use refinery::{Migration, Runner};

/// A migration: name, statements for SQLite and for PostgreSQL.
macro_rules! version {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("sqlite/", $name, ".sql")),
            include_str!(concat!("postgres/", $name, ".sql")),
        )
    };
}

/// Number of the newest migration.
pub(super) const NEWEST: u32 = VERSIONS.len() as u32;

const VERSIONS: [(&str, &str, &str); 9] = [
    version!("V1__sessions"),
    version!("V2__memory"),
    version!("V3__callers"),
    version!("V4__history"),
    version!("V5__cancellations"),
    version!("V6__writings"),
    version!("V7__catalogs"),
    version!("V8__figures"),
    version!("V9__said"),
];

/// Runner of the migrations for SQLite.
pub(super) fn sqlite() -> Result<Runner, refinery::Error> {
    runner(VERSIONS.map(|(name, sqlite, _)| (name, sqlite)))
}

/// Runner of the migrations for PostgreSQL.
pub(super) fn postgres() -> Result<Runner, refinery::Error> {
    runner(VERSIONS.map(|(name, _, postgres)| (name, postgres)))
}

/// Each migration runs in its own transaction. A schema that is newer than this program is an error.
fn runner<const N: usize>(versions: [(&str, &str); N]) -> Result<Runner, refinery::Error> {
    let migrations: Vec<Migration> = versions
        .into_iter()
        .map(|(name, sql)| Migration::unapplied(name, sql))
        .collect::<Result<_, _>>()?;
    Ok(Runner::new(&migrations))
}
