//! Number of database queries when many clients concurrently request the values of a column that is not cached.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use futures_util::future::try_join_all;
use tokio::sync::Barrier;
use wherefore_tests::postgres::{Cluster, program};
use wherefore_tests::proxy::Proxy;

use super::load::{Call, Connection};
use crate::budgets::{Budgets, Figure};

const CALLERS: usize = 1_000;
/// Enough rows that the first query still runs while the other requests arrive.
const TABLE: &str = "CREATE TABLE people AS SELECT g AS id, 'city number ' || g % 400 AS city \
     FROM generate_series(1, 200000) AS g";
/// Reads the log file of the PostgreSQL server.
const LOG: &str = "SELECT pg_read_file(current_setting('data_directory') || '/../log')";

/// Number of statements that the database executed.
pub(super) fn figures(budgets: &Budgets, runtime: &tokio::runtime::Runtime) -> Result<Vec<Figure>> {
    let failed = |error: wherefore_tests::Failure| anyhow!("{error}");
    let cluster = Cluster::start().map_err(failed)?;
    let owner = cluster.create_database("people").map_err(failed)?;
    let psql = Psql { program: program("psql").map_err(failed)?, url: owner };
    psql.run(TABLE)?;
    psql.run("VACUUM ANALYZE people")?;
    let reader = cluster.reader("people").map_err(failed)?;
    psql.run("ALTER ROLE reader SET log_statement = 'all'")?;
    let proxy =
        Proxy::start(&["--database", &reader, "--requests-at-once", "2048"]).map_err(failed)?;
    let before = psql.run(LOG)?.len();
    let call = Call {
        authority: proxy.authority().to_owned(),
        path: "/api/v1/values?table=people&column=city&search=number+7".to_owned(),
        key: None,
        body: None,
    };
    let (milliseconds, answers) = runtime.block_on(at_once(&call))?;
    if answers != 1 {
        bail!("{answers} different answers were given to one question");
    }
    let log = psql.run(LOG)?;
    let is_query = |line: &&str| line.contains("SELECT") && line.contains("people");
    let queries = log[before..].lines().filter(is_query).count();
    Ok(vec![
        Figure::new("values for 1,000 at once", milliseconds, "ms", None),
        Figure::new(
            "queries of the database for them",
            queries as f64,
            "",
            Some(budgets.proxy.queries),
        ),
    ])
}

/// Sends the request over all connections concurrently; returns the milliseconds until the last response and the
/// number of distinct responses.
async fn at_once(call: &Call) -> Result<(f64, usize)> {
    let begin = Arc::new(Barrier::new(CALLERS + 1));
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let (call, begin) = (call.clone(), Arc::clone(&begin));
            tokio::spawn(async move {
                let connection = Connection::open(&call.authority).await;
                begin.wait().await;
                connection?.send(&call).await
            })
        })
        .collect();
    begin.wait().await;
    let start = Instant::now();
    let mut answers = Vec::new();
    for answer in try_join_all(callers).await? {
        answers.push(answer?);
    }
    let milliseconds = start.elapsed().as_secs_f64() * 1_000.0;
    answers.sort();
    answers.dedup();
    Ok((milliseconds, answers.len()))
}

struct Psql {
    program: PathBuf,
    url: String,
}

impl Psql {
    fn run(&self, sql: &str) -> Result<String> {
        let arguments = ["-v", "ON_ERROR_STOP=1", "-qAtX", "-c", sql, &self.url];
        let output = Command::new(&self.program).args(arguments).output()?;
        if !output.status.success() {
            bail!("psql failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}
