//! Time of downloading a million rows of a DuckDB file as Arrow through the proxy, compared with DuckDB's Python client
//! writing the same rows as an Arrow IPC stream to a socket of this machine.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};
use wherefore_tests::adbc::Client;
use wherefore_tests::duckdb::library;
use wherefore_tests::proxy::Proxy;

use super::{FORM, RUNS, SQL};
use crate::budgets::{Budgets, Figure};
use crate::median;

const ROWS: u32 = 1_000_000;
/// Creates a table of ten columns of common types, which fits into an export.
const TABLE: &str = "CREATE TABLE made.wide AS SELECT i::INTEGER AS id, (i * 79 % 1000003)::INTEGER AS number, \
     i * 1000003 AS large, i / 7.0::DOUBLE AS share, (i % 100000 / 100.0)::DECIMAL(12, 2) AS price, i % 2 = 0 AS paid, \
     'no ' || i AS name, left(md5(i::VARCHAR), 6) AS code, DATE '2020-01-01' + (i % 2000)::INTEGER AS day, \
     TIMESTAMP '2020-01-01' + to_minutes(i) AS moment FROM range({rows}) AS r(i)";

/// Median times of both, measured in turn, and the growth of memory; `python` has the packages of
/// `bench/stream/requirements.txt`.
pub(super) fn figures(python: &OsStr, budgets: &Budgets) -> Result<Vec<Figure>> {
    let made = Made::new()?;
    let driver = library().context("DuckDB is not installed")?;
    let rows = ROWS.to_string();
    let options = ["--database".as_ref(), made.file.as_os_str(), "--driver".as_ref()];
    let limits = ["--export-row-limit", &rows, "--cost-limit", "0"].map(OsStr::new);
    let proxy = Proxy::start(&[&options[..], &[driver.as_os_str()], &limits].concat());
    let proxy = proxy.map_err(failed)?;
    let download = |sql: &str| proxy.drain("sql/execute", FORM, &sql_of(sql)).map_err(failed);
    let client = PythonClient::start(python, &made.file)?;
    download("SELECT * FROM wide LIMIT 1000")?;
    let before = memory(&proxy)?;
    made.check_rows(python, &proxy)?;
    client.read()?;
    let (mut direct, mut proxied, mut sizes) = (Vec::new(), Vec::new(), (0, 0));
    for _ in 0..RUNS {
        let start = Instant::now();
        sizes.0 = client.read()?;
        direct.push(start.elapsed().as_secs_f64() * 1_000.0);
        let start = Instant::now();
        sizes.1 = download(SQL)?;
        proxied.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    let after = memory(&proxy)?;
    let (direct, proxied) = (median(direct), median(proxied));
    let figure = |name: &str, value: f64, unit, budget| Figure {
        name: format!("a million rows of DuckDB, {name}"),
        value,
        unit,
        budget,
    };
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    Ok(vec![
        figure("Python client to a socket", direct, "ms", None),
        figure("size of its stream", megabytes(sizes.0), "MB", None),
        figure("Arrow through the proxy", proxied, "ms", None),
        figure("size of that stream", megabytes(sizes.1), "MB", None),
        figure(
            "the one by the other",
            proxied / direct,
            "times",
            Some(budgets.stream.times_duckdb),
        ),
        figure(
            "memory of the proxy grown by",
            megabytes(after.0.saturating_sub(before.0)),
            "MB",
            Some(budgets.stream.memory_mb),
        ),
        figure(
            "memory of the driver's process grown by",
            megabytes(after.1.saturating_sub(before.1)),
            "MB",
            Some(budgets.stream.driver_memory_mb),
        ),
    ])
}

fn sql_of(sql: &str) -> Value {
    json!({ "sql": sql })
}

/// Peak memory of the proxy, and of the process of its driver.
fn memory(proxy: &Proxy) -> Result<(u64, u64)> {
    let own = proxy.most_memory().map_err(failed)?;
    Ok((own, proxy.most_memory_of_children().map_err(failed)?))
}

/// A DuckDB file below the target folder, which is deleted when this is dropped.
struct Made {
    folder: PathBuf,
    file: PathBuf,
}

impl Made {
    fn new() -> Result<Self> {
        let program = std::env::current_exe()?;
        let target = program.ancestors().nth(2).context("no target folder")?;
        let folder = target.join(format!("bench-stream-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let made = Self { file: folder.join("wide.duckdb"), folder };
        let driver = library().context("DuckDB is not installed")?;
        let mut client = Client::duckdb(&driver).map_err(failed)?;
        let attach = format!("ATTACH '{}' AS made", made.file.display());
        for sql in [&attach, &TABLE.replace("{rows}", &ROWS.to_string()), "DETACH made"] {
            client.run(sql).map_err(|error| anyhow!("{error}\n{sql}"))?;
        }
        Ok(made)
    }

    /// Fails if a download through the proxy lacks rows.
    fn check_rows(&self, python: &OsStr, proxy: &Proxy) -> Result<()> {
        let file = self.folder.join("rows.arrow");
        let mut output = fs::File::create(&file)?;
        proxy.copy("sql/execute", FORM, &sql_of(SQL), &mut output).map_err(failed)?;
        let counted = Command::new(python).arg(script()).arg("count").arg(&file).output()?;
        let counted = String::from_utf8_lossy(&counted.stdout).trim().to_owned();
        ensure!(counted == ROWS.to_string(), "the download has {counted} rows");
        Ok(fs::remove_file(&file)?)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// DuckDB's Python client, which sends the rows to each connection.
struct PythonClient {
    process: Child,
    port: u16,
}

impl PythonClient {
    fn start(python: &OsStr, file: &Path) -> Result<Self> {
        let mut command = Command::new(python);
        command.arg(script()).arg(file).arg(SQL);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let output = process.stdout.take().context("the Python client has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let port = line.trim().parse().context("the Python client did not start")?;
        Ok(Self { process, port })
    }

    /// Reads all rows, and returns their size in bytes.
    fn read(&self) -> Result<u64> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        Ok(io::copy(&mut stream, &mut io::sink())?)
    }
}

impl Drop for PythonClient {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("stream/duckdb_client.py")
}

fn failed(error: wherefore_tests::Failure) -> anyhow::Error {
    anyhow!("{error}")
}
