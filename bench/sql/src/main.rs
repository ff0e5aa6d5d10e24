//! Throughput of reading, binding and linting statements, and latency of the guard for a long statement.
//!
//! Measured in CPU time, which other load on the machine affects less than wall-clock time.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use wherefore_catalog::Catalog;
use wherefore_sql::lint::lint;
use wherefore_sql::{GuardLimits, check_text, read};

/// Rounds of each measurement; the median is reported, with minimum and maximum.
const ROUNDS: usize = 9;
/// Minimum number of statements in a round.
const STATEMENTS: usize = 4_000;
/// Guard calls in a round.
const GUARDED: usize = 200;
/// Minimum size of the long statement, in bytes.
const LONG: usize = 4_096;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [statements, catalog] = arguments.as_slice() else {
        bail!("usage: wherefore-bench-sql STATEMENTS.json CATALOG.json");
    };
    let statements: Vec<String> = from_file(statements)?;
    let catalog: Catalog = from_file(catalog)?;
    let dialect = catalog.dialect;
    let mut output = std::io::stdout().lock();
    let parsed = rounds(&statements, STATEMENTS, &mut |sql| read(sql, dialect.into()).is_ok())?;
    writeln!(output, "read: {parsed}")?;
    let linted = rounds(&statements, STATEMENTS, &mut |sql| !lint(sql, &catalog, None).is_empty())?;
    writeln!(output, "read, bind and all rules: {linted}")?;
    let long = vec![long_statement()?];
    let guarded = rounds(&long, GUARDED, &mut |sql| {
        check_text(sql, dialect.into(), &catalog, dialect, &GuardLimits::default()).is_ok()
    })?;
    writeln!(
        output,
        "guard of {} bytes: {:.3} ms ({:.3} to {:.3})",
        long[0].len(),
        1000.0 / guarded.median,
        1000.0 / guarded.most,
        1000.0 / guarded.least
    )?;
    let figures = serde_json::json!({
        "statements": statements.len(),
        "read_per_second": parsed.median,
        "lint_per_second": linted.median,
        "guard_ms": 1000.0 / guarded.median,
    });
    writeln!(output, "{figures}")?;
    Ok(())
}

fn from_file<T: serde::de::DeserializeOwned>(path: &str) -> Result<T> {
    let text =
        std::fs::read_to_string(Path::new(path)).with_context(|| format!("cannot read {path}"))?;
    serde_json::from_str(&text).with_context(|| format!("{path} is not of the form that is wanted"))
}

/// Rates per second, one for each round.
struct Rate {
    least: f64,
    median: f64,
    most: f64,
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:.0} a second of a processor ({:.0} to {:.0})",
            self.median, self.least, self.most
        )
    }
}

fn rounds(statements: &[String], least: usize, run: &mut dyn FnMut(&str) -> bool) -> Result<Rate> {
    let times = least.div_ceil(statements.len());
    let mut rates = Vec::new();
    let mut kept = 0_usize;
    for _ in 0..ROUNDS {
        let before = processor_time()?;
        for _ in 0..times {
            kept += statements.iter().filter(|sql| run(sql)).count();
        }
        let spent = processor_time()?.saturating_sub(before);
        rates.push((times * statements.len()) as f64 / spent.as_secs_f64().max(1e-9));
    }
    if kept == usize::MAX {
        bail!("nothing was done");
    }
    rates.sort_by(f64::total_cmp);
    Ok(Rate { least: rates[0], median: rates[ROUNDS / 2], most: rates[ROUNDS - 1] })
}

/// CPU time of this process so far, to a hundredth of a second.
fn processor_time() -> Result<Duration> {
    let text =
        std::fs::read_to_string("/proc/self/schedstat").context("no /proc/self/schedstat")?;
    let nanoseconds: u64 = text.split_whitespace().next().context("an empty schedstat")?.parse()?;
    Ok(Duration::from_nanos(nanoseconds))
}

/// A statement of about 4 kB with many independent conditions.
fn long_statement() -> Result<String> {
    let mut sql = "SELECT u.name, count(o.id) AS n, sum(o.amount) AS total FROM users u JOIN orders o ON o.user_id = u.id WHERE u.city = 'Paris'".to_owned();
    let mut number = 0;
    while sql.len() < LONG - 120 {
        number += 1;
        write!(sql, " AND (o.amount > {number} OR lower(o.status) <> 'x{number}')")?;
    }
    sql.push_str(" GROUP BY u.id, u.name ORDER BY total DESC LIMIT 10");
    Ok(sql)
}
