//! Everyday questions about the sample have the same answers on MariaDB and DuckDB as on SQLite.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod same_rows;

use same_rows::{compare, sample};
use wherefore_tests::copy::{sqlite_to_duckdb, sqlite_to_mariadb};
use wherefore_tests::duckdb::DuckDb;
use wherefore_tests::mariadb::MariaDb;

// Promise: dialects.same-answers
#[test]
fn everyday_questions_have_the_same_rows_on_mariadb_and_on_sqlite() {
    let (_folder, file) = sample();
    let server = MariaDb::start().unwrap();
    sqlite_to_mariadb(&file, &server).unwrap();
    compare(&file, &["--database", &server.url()], "percentile_cont");
}

// Promise: dialects.same-answers
#[test]
fn everyday_questions_have_the_same_rows_on_duckdb_and_on_sqlite() {
    let (_folder, file) = sample();
    let Some(copy) = DuckDb::new(&sqlite_to_duckdb(&file).unwrap()) else { return };
    compare(&file, &copy.options(), "nothing");
}
