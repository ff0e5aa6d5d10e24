//! `demo`: serves the chat page, on the sample data or on the caller's database.

use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{process, python, sample, tools, web, workspace};

const FIRST_PORT: u16 = 8080;
const PORTS: u16 = 100;

/// Builds what is missing, then replaces this process with the proxy; all arguments go to the proxy.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let given = |option: &str| {
        let with_value = format!("{option}=");
        arguments.iter().any(|word| word == option || word.starts_with(&with_value))
    };
    let own_data = given("--database") || given("--catalog") || given("--config");

    tools::wasm_target()?;
    process::side_by_side(tools::web, || {
        build_servers()?;
        if !own_data {
            sample::database()?;
        }
        web::compile_dev()
    })?;
    web::build_dev()?;

    let mut proxy = Command::new(workspace::binary("wherefore-proxy"));
    proxy.args(arguments);
    if !own_data {
        proxy.arg("--database").arg(sample::database()?);
        if !given("--pack") {
            proxy.arg("--pack").arg(sample::pack());
        }
    }
    if !given("--driver")
        && !given("--config")
        && let Some(driver) = driver(arguments)?
    {
        proxy.arg("--driver").arg(driver);
    }
    if !given("--static") {
        proxy.arg("--static").arg(workspace::web_dist());
    }
    if !given("--store") {
        let folder = workspace::target().join("demo");
        std::fs::create_dir_all(&folder)?;
        proxy.arg("--store").arg(folder.join("sessions.sqlite"));
    }
    if !given("--listen") {
        let port = free_port()?;
        proxy.arg("--listen").arg(format!("127.0.0.1:{port}"));
        process::say(&format!("starting on http://127.0.0.1:{port} (Ctrl-C stops it)"));
    }
    // exec keeps the process id: signals reach the proxy, and no child is left behind.
    Err(proxy.exec()).context("cannot start the proxy")
}

/// Library of the driver that the database among the arguments needs, installed if it is missing.
fn driver(arguments: &[String]) -> Result<Option<PathBuf>> {
    let named = |scheme: &str| {
        let mut words = arguments.iter().map(|it| it.strip_prefix("--database=").unwrap_or(it));
        words.any(|word| word.starts_with(scheme))
    };
    if named("sail://") || named("sail+tls://") {
        return python::adbc_driver("tests/sail/requirements.txt").map(Some);
    }
    if named("sc://") {
        return python::adbc_driver("tests/spark/requirements.txt").map(Some);
    }
    if needs_duckdb(arguments) {
        return tools::duckdb()?.context("DuckDB has no library for this system").map(Some);
    }
    Ok(None)
}

/// Whether an argument names a DuckDB or Parquet file, or a folder with one of the latter.
fn needs_duckdb(arguments: &[String]) -> bool {
    let is_named = |path: &Path| {
        path.extension().is_some_and(|extension| extension == "duckdb" || extension == "parquet")
    };
    arguments.iter().any(|word| {
        let path = Path::new(word.strip_prefix("--database=").unwrap_or(word));
        is_named(path)
            || std::fs::read_dir(path)
                .is_ok_and(|entries| entries.flatten().any(|entry| is_named(&entry.path())))
    })
}

/// Builds the proxy and the generator of the sample data.
pub(crate) fn build_servers() -> Result<()> {
    process::run(
        "compile proxy and sample data",
        process::cargo().args([
            "build",
            "--package",
            "wherefore-proxy",
            "--package",
            "wherefore-sample",
        ]),
    )?;
    Ok(())
}

fn free_port() -> Result<u16> {
    (FIRST_PORT..FIRST_PORT + PORTS)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .with_context(|| format!("no free port from {FIRST_PORT} on; --listen names another"))
}
