//! Time in which the structure of 2,000 tables of DuckDB and of PostgreSQL is read, in which it is served, and in which all
//! its values are listed.

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

use crate::budgets::{Budgets, CatalogsBudget, Figure};
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
/// Longest time from a start until all values are listed.
const PATIENCE: Duration = Duration::from_mins(2);
/// Longest time of all runs together, after which no further one starts.
const TOTAL: Duration = Duration::from_mins(10);
/// Event of the proxy's log when the tables, columns and keys are read.
const STRUCTURE: &str = "the structure of the catalog is read";

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
    let start = Instant::now();
    for _ in 0..RUNS {
        ensure!(start.elapsed() < TOTAL, "the runs take longer than {} s", TOTAL.as_secs());
        of_duckdb.measure(&duckdb)?;
        of_postgres.measure(&postgres)?;
    }
    let limits = &budgets.catalogs;
    let mut figures = of_duckdb.figures("DuckDB", limits);
    figures.extend(of_postgres.figures("PostgreSQL", limits));
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
    read: Vec<f64>,
    served: Vec<f64>,
    listed: Vec<f64>,
}

impl Times {
    fn measure(&mut self, options: &[&OsStr]) -> Result<()> {
        let start = Instant::now();
        let elapsed = || start.elapsed().as_secs_f64() * 1_000.0;
        let options = [options, &["--log-format", "json"].map(OsStr::new)].concat();
        let proxy = Proxy::start_within(&options, PATIENCE).map_err(failed)?;
        let catalog = proxy.get("catalog").map_err(failed)?.body;
        self.served.push(elapsed());
        self.read.push(structure_ms(&proxy.log().map_err(failed)?)?);
        let tables = catalog["catalog"]["tables"].as_array().map_or(0, Vec::len);
        ensure!(tables == TABLES, "the catalog has {tables} tables");
        loop {
            let ready = proxy.get("ready").map_err(failed)?.body.to_string();
            if !ready.contains("\"reading\"") {
                self.listed.push(elapsed());
                return Ok(());
            }
            let seconds = PATIENCE.as_secs();
            ensure!(
                start.elapsed() < PATIENCE,
                "the values are not listed within {seconds} s of the start"
            );
            sleep(Duration::from_millis(20));
        }
    }

    fn figures(self, engine: &str, limits: &CatalogsBudget) -> Vec<Figure> {
        let figure = |what: &str, value: f64, budget| Figure {
            name: format!("catalog of {TABLES} tables of {engine}, {what}"),
            value,
            unit: "ms",
            budget,
        };
        vec![
            figure("its reading alone, without values", median(self.read), Some(limits.read_ms)),
            figure(
                "from the start of the proxy until it is served",
                median(self.served),
                Some(limits.served_ms),
            ),
            figure("from the start until all values are listed", median(self.listed), None),
        ]
    }
}

/// Time in which the structure was read, from the log of the proxy.
fn structure_ms(log: &str) -> Result<f64> {
    let line = log.lines().find(|line| line.contains(STRUCTURE));
    let line = line.context("the log does not say when the structure was read")?;
    let (_, rest) = line.split_once("\"elapsed_ms\":").context("the log has no elapsed_ms")?;
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    Ok(digits.parse()?)
}

fn failed(error: wherefore_tests::Failure) -> anyhow::Error {
    anyhow!("{error}")
}
