//! Time of downloading a large result as Arrow through the proxy, compared with `psql` reading the same rows, and with
//! DuckDB's Python client.

mod duckdb;

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use serde_json::json;
use wherefore_tests::postgres::{Cluster, program};
use wherefore_tests::proxy::Proxy;

use crate::budgets::{Budgets, Figure};
use crate::median;

/// Creates a table of ten columns of common types.
const TABLE: &str = "CREATE TABLE wide AS SELECT g AS id, g * 7919 AS number, g::bigint * 1000003 AS large, \
     g / 7.0::float8 AS share, (g % 100000 / 100.0)::numeric(12,2) AS price, g % 2 = 0 AS paid, \
     'customer number ' || g AS name, md5(g::text) AS code, DATE '2020-01-01' + g % 2000 AS day, \
     TIMESTAMP '2020-01-01' + g * INTERVAL '1 minute' AS moment FROM generate_series(1, 100000) AS g";
const SQL: &str = "SELECT * FROM wide";
const FORM: &str = "application/vnd.apache.arrow.stream";
const RUNS: usize = 5;

/// Figures of PostgreSQL, and of DuckDB if `WHEREFORE_STREAM_PYTHON` names a Python with its client.
pub(crate) fn figures(budgets: &Budgets) -> Result<Vec<Figure>> {
    let mut figures = postgres(budgets)?;
    if let Some(python) = std::env::var_os("WHEREFORE_STREAM_PYTHON") {
        figures.extend(duckdb::figures(&python, budgets)?);
    }
    Ok(figures)
}

/// Median times of the proxy and of `psql`, measured in turn, and the growth of the proxy's memory.
fn postgres(budgets: &Budgets) -> Result<Vec<Figure>> {
    let failed = |error: wherefore_tests::Failure| anyhow!("{error}");
    let cluster = Cluster::start().map_err(failed)?;
    let owner = cluster.create_database("wide").map_err(failed)?;
    let psql = program("psql").map_err(failed)?;
    let run = |sql: &str| -> Result<()> {
        let mut command = Command::new(&psql);
        command.args(["-v", "ON_ERROR_STOP=1", "-qAtX", "-c", sql, &owner]).stdout(Stdio::null());
        if !command.status()?.success() {
            bail!("psql failed");
        }
        Ok(())
    };
    run(TABLE)?;
    run("VACUUM ANALYZE wide")?;
    let reader = cluster.reader("wide").map_err(failed)?;
    let proxy = Proxy::start(&["--database", &reader]).map_err(failed)?;
    let body = json!({ "sql": SQL });
    let take = || proxy.drain("sql/execute", FORM, &body).map_err(failed);
    run(SQL)?;
    take()?;
    let before = proxy.most_memory().map_err(failed)?;
    let (mut direct, mut streamed, mut bytes) = (Vec::new(), Vec::new(), 0);
    for _ in 0..RUNS {
        let start = Instant::now();
        run(SQL)?;
        direct.push(start.elapsed().as_secs_f64() * 1_000.0);
        let start = Instant::now();
        bytes = take()?;
        streamed.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    let (direct, streamed) = (median(direct), median(streamed));
    let grown = proxy.most_memory().map_err(failed)? - before;
    let figure = |name: &str, value: f64, unit, budget| Figure {
        name: name.to_owned(),
        value,
        unit,
        budget,
    };
    Ok(vec![
        figure("psql to /dev/null", direct, "ms", None),
        figure("Arrow through the proxy", streamed, "ms", None),
        figure("the one by the other", streamed / direct, "times", Some(budgets.stream.times_psql)),
        figure("size", bytes as f64 / 1e6, "MB", None),
        figure("memory grown by", grown as f64 / 1e6, "MB", Some(budgets.stream.memory_mb)),
    ])
}
