//! Time in which a catalog of 2,000 tables of DuckDB and of PostgreSQL is served, and in which all its values are listed.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use tempfile::TempDir;
use wherefore_tests::adbc::Client;
use wherefore_tests::duckdb::library;
use wherefore_tests::postgres::{Cluster, program};
use wherefore_tests::proxy::Proxy;

use crate::budgets::{Budgets, Figure};
use crate::median;

const TABLES: usize = 2_000;
const RUNS: usize = 5;
/// A table of ten columns.
const TABLE: &str = "CREATE TABLE {table} (id INTEGER PRIMARY KEY, name VARCHAR(40), status VARCHAR(40), city VARCHAR(40), \
     note VARCHAR(40), kind VARCHAR(40), price DECIMAL(12, 2), amount INTEGER, day DATE, moment TIMESTAMP)";
/// A hundred rows for every tenth table.
const ROWS: &str = "INSERT INTO {table} SELECT i, 'name ' || i, 'status ' || i % 3, 'city ' || i % 20, 'note ' || i, \
     'kind ' || i % 5, i * 1.5, i % 7, DATE '2024-01-01' + CAST(i AS INTEGER), TIMESTAMP '2024-01-01 10:00:00' \
     FROM (SELECT {number} AS i) AS numbers";
/// Longest time until all values are listed.
const PATIENCE: Duration = Duration::from_mins(10);

/// Medians of both engines, measured in turn.
pub(crate) fn figures(budgets: &Budgets) -> Result<Vec<Figure>> {
    let driver = library().context("DuckDB is not installed")?;
    let folder = TempDir::with_prefix("wherefore-catalogs-")?;
    let file = folder.path().join("many.duckdb");
    make_duckdb(&driver, &file)?;
    let cluster = Cluster::start().map_err(failed)?;
    let owner = cluster.create_database("many").map_err(failed)?;
    make_postgres(&owner)?;
    let reader = cluster.reader("many").map_err(failed)?;
    let duckdb = ["--database".as_ref(), file.as_os_str(), "--driver".as_ref(), driver.as_os_str()];
    let postgres = ["--database", &reader].map(OsStr::new);
    let (mut of_duckdb, mut of_postgres) = (Times::default(), Times::default());
    for _ in 0..RUNS {
        of_duckdb.measure(&duckdb)?;
        of_postgres.measure(&postgres)?;
    }
    let limit = budgets.catalogs.served_ms;
    let mut figures = of_duckdb.figures("DuckDB", limit);
    figures.extend(of_postgres.figures("PostgreSQL", limit));
    Ok(figures)
}

/// Statements that make all tables, with a source of the numbers from 0 to 99.
fn statements(numbers: &str) -> Vec<String> {
    let made = (0..TABLES).flat_map(|number| {
        let table = format!("t{number:04}");
        let rows = ROWS.replace("{table}", &table).replace("{number}", numbers);
        [Some(TABLE.replace("{table}", &table)), (number % 10 == 0).then_some(rows)]
    });
    made.flatten().collect()
}

fn make_duckdb(driver: &Path, file: &Path) -> Result<()> {
    let mut client = Client::duckdb(driver).map_err(failed)?;
    let mut run = |sql: &str| client.run(sql).map_err(|error| anyhow!("{error}\n{sql}"));
    run(&format!("ATTACH '{}' AS made", file.display()))?;
    run("USE made")?;
    run("BEGIN")?;
    for sql in statements("unnest(range(100))") {
        run(&sql)?;
    }
    run("COMMIT")?;
    run("USE memory")?;
    run("DETACH made")
}

fn make_postgres(address: &str) -> Result<()> {
    let mut command = Command::new(program("psql").map_err(failed)?);
    command.args(["-v", "ON_ERROR_STOP=1", "-qAtX", "-1", "-f", "-", address]);
    let mut process = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let mut input = process.stdin.take().context("psql has no input")?;
    input.write_all(statements("generate_series(0, 99)").join(";\n").as_bytes())?;
    input.write_all(b";\nANALYZE;\n")?;
    drop(input);
    ensure!(process.wait()?.success(), "psql failed");
    Ok(())
}

/// Times of each run, in milliseconds.
#[derive(Default)]
struct Times {
    served: Vec<f64>,
    listed: Vec<f64>,
}

impl Times {
    fn measure(&mut self, options: &[&OsStr]) -> Result<()> {
        let start = Instant::now();
        let elapsed = || start.elapsed().as_secs_f64() * 1_000.0;
        let proxy = Proxy::start(options).map_err(failed)?;
        let catalog = proxy.get("catalog").map_err(failed)?.body;
        self.served.push(elapsed());
        let tables = catalog["catalog"]["tables"].as_array().map_or(0, Vec::len);
        ensure!(tables == TABLES, "the catalog has {tables} tables");
        loop {
            let ready = proxy.get("ready").map_err(failed)?.body.to_string();
            if !ready.contains("\"reading\"") {
                self.listed.push(elapsed());
                return Ok(());
            }
            ensure!(start.elapsed() < PATIENCE, "the values are never listed");
            sleep(Duration::from_millis(20));
        }
    }

    fn figures(self, engine: &str, limit: f64) -> Vec<Figure> {
        let figure = |what: &str, value: f64, budget| Figure {
            name: format!(
                "catalog of {TABLES} tables of {engine}, from the start of the proxy {what}"
            ),
            value,
            unit: "ms",
            budget,
        };
        vec![
            figure("until it is served", median(self.served), Some(limit)),
            figure("until all values are listed", median(self.listed), None),
        ]
    }
}

fn failed(error: wherefore_tests::Failure) -> anyhow::Error {
    anyhow!("{error}")
}
