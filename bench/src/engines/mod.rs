//! The same statement on DuckDB, Sail and Apache Spark, with one and with two workers, on growing numbers of rows: time
//! through the proxy, time without it, and growth.

mod rows;
mod source;

use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};

use self::rows::Rows;
use self::source::{Engine, Source};
use crate::budgets::Figure;

/// Numbers of rows, as far as they are wanted.
const SIZES: [u64; 3] = [1_000_000, 10_000_000, 50_000_000];
/// Numbers of workers, or of threads on DuckDB.
const WORKERS: [usize; 2] = [1, 2];
const RUNS: usize = 5;

/// Median times on one number of rows, in milliseconds.
#[derive(Clone, Copy)]
struct Times {
    rows: u64,
    proxied: f64,
    direct: f64,
}

/// Times of each engine up to so many rows, and how they grow with rows and workers.
pub(crate) fn figures(most: u64) -> Result<Vec<Figure>> {
    let wanted = std::env::var("WHEREFORE_ENGINES").unwrap_or_default();
    let mut sizes: Vec<u64> = SIZES.into_iter().filter(|size| *size <= most).collect();
    if sizes.is_empty() {
        sizes.push(most);
    }
    let rows = Rows::new(&sizes)?;
    let (mut figures, mut expected) = (Vec::new(), vec![None; sizes.len()]);
    for engine in Engine::ALL {
        if !wanted.is_empty() && !wanted.split(' ').any(|name| name == engine.name()) {
            continue;
        }
        let mut slower: Option<Vec<Times>> = None;
        for workers in WORKERS {
            let source = Source::start(engine, workers, &rows)?;
            let mut times = Vec::new();
            for (size, expected) in sizes.iter().zip(&mut expected) {
                let (measured, found) = measure(&source, *size)
                    .with_context(|| format!("{} on {size} rows", engine.name()))?;
                let same = expected.get_or_insert_with(|| found.clone());
                ensure!(*same == found, "{} finds other rows: {found}", engine.name());
                times.push(measured);
            }
            let title = format!("{}, {workers} of {}", engine.name(), WORKERS.len());
            told(&mut figures, &title, &times, slower.as_deref());
            slower = Some(times);
        }
    }
    Ok(figures)
}

/// Times of the statement, by the proxy and without it in turn, and its rows.
fn measure(source: &Source<'_>, size: u64) -> Result<(Times, Value)> {
    let failed = |error: wherefore_tests::Failure| anyhow!("{error}");
    let sql = statement(source.table(size).as_str());
    let proxy = source.proxy(size)?;
    let checked = proxy.post("sql/check", &json!({ "sql": sql })).map_err(failed)?.body;
    let native = checked["native_sql"].as_str().context("the statement is refused")?.to_owned();
    let mut client = source.client(size)?;
    let run = || -> Result<Value> {
        let reply = proxy.post("sql/execute", &json!({ "sql": sql })).map_err(failed)?;
        ensure!(reply.status == 200, "the proxy replied {}", reply.body);
        Ok(reply.body["rows"].clone())
    };
    let mut direct = || client.run(&native).map_err(|error| anyhow!("{error}"));
    let found = run()?;
    direct()?;
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        with.push(start.elapsed().as_secs_f64() * 1_000.0);
        let start = Instant::now();
        direct()?;
        without.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    let (proxied, direct) = (crate::median(with), crate::median(without));
    Ok((Times { rows: size, proxied, direct }, found))
}

/// "Revenue by country and category since 2024", joined to two dimensions.
fn statement(sales: &str) -> String {
    format!(
        "SELECT s.country, p.category, COUNT(*) AS sales, SUM(f.units) AS units FROM {sales} AS f \
         JOIN stores AS s ON f.store_id = s.id JOIN products AS p ON f.product_id = p.id \
         WHERE f.sold_on >= DATE '2024-01-01' GROUP BY s.country, p.category \
         ORDER BY s.country, p.category LIMIT 50"
    )
}

/// Figures of an engine with so many workers; `fewer` are its times with fewer workers.
fn told(figures: &mut Vec<Figure>, title: &str, times: &[Times], fewer: Option<&[Times]>) {
    let mut figure = |name: String, value: f64, unit: &'static str| {
        figures.push(Figure { name, value, unit, budget: None });
    };
    for (index, Times { rows, proxied, direct }) in times.iter().copied().enumerate() {
        let title = format!("{title}, {} million rows", rows as f64 / 1e6);
        figure(format!("{title}, through the proxy"), proxied, "ms");
        figure(format!("{title}, without it"), direct, "ms");
        figure(format!("{title}, the one by the other"), proxied / direct, "times");
        if let Some(before) = index.checked_sub(1).map(|before| times[before]) {
            let more = rows as f64 / before.rows as f64;
            let title = format!("{title}, by the time for a {more:.0}th of the rows");
            figure(title, proxied / before.proxied, "times");
        }
        if let Some(fewer) = fewer.map(|fewer| fewer[index].proxied) {
            figure(format!("{title}, by the time with one worker"), proxied / fewer, "times");
        }
    }
}
