//! `bench`: measures figures and compares them with `bench/budgets.toml`. Not part of `test`.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{demo, dist, process, python, sample, system, tools, workspace};

const BROWSER: &str = "tests/browser";

/// Runs all measurements, or the one named.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            size()?;
            preview()?;
            web()?;
            package()?;
            sql()?;
            proxy()?;
            attacks()
        }
        ["attacks"] => attacks(),
        ["catalogs"] => catalogs(),
        ["engines", ref options @ ..] => engines(options),
        ["size"] => size(),
        ["preview"] => preview(),
        ["package"] => package(),
        ["proxy"] => proxy(),
        ["sql"] => sql(),
        ["stream"] => stream(),
        ["web"] => web(),
        _ => bail!("unknown arguments: {}", arguments.join(" ")),
    }
}

/// Compressed size of the web app's release: the page, and the engine beside it.
fn size() -> Result<()> {
    dist::build_web()?;
    report(harness()?.arg("size").arg(dist::web_folder()))
}

/// Times of the page's release in Chromium: typing, choosing, scrolling, drawing and loading.
fn web() -> Result<()> {
    system::packages(true, false)?;
    system::npm_packages(BROWSER)?;
    dist::build_web()?;
    in_node("web", "WHEREFORE_DIST", &dist::web_folder())
}

/// Latency of previews and of the index build, of the released package in Chromium.
fn preview() -> Result<()> {
    system::packages(true, false)?;
    system::npm_packages(BROWSER)?;
    in_node("preview", "WHEREFORE_PACKAGE", &dist::build_package()?)
}

/// Compressed size of the released package, and its cold start in Node up to the first findings.
fn package() -> Result<()> {
    system::node()?;
    in_node("package", "WHEREFORE_PACKAGE", &dist::build_package()?)
}

/// Measures a build, whose folder is given in a variable, by `bench/NAME.mjs`, on the sample's catalog served by the proxy.
fn in_node(name: &str, variable: &str, build: &Path) -> Result<()> {
    demo::build_servers()?;
    let database = sample::database()?;
    let figures = workspace::target().join(format!("xtask/{name}.json"));
    let output = process::run(
        &format!("measure {name}"),
        process::command("node")
            .arg(workspace::root().join(format!("bench/{name}.mjs")))
            .env("WHEREFORE_CHROMIUM", system::chromium().unwrap_or_default())
            .env("WHEREFORE_DATABASE", database)
            .env("WHEREFORE_FIGURES", &figures)
            .env("WHEREFORE_PACK", sample::pack())
            .env(variable, build)
            .env("WHEREFORE_PROXY", workspace::binary("wherefore-proxy")),
    )?;
    process::say(output.trim_end());
    report(harness()?.arg(name).arg(figures))
}

/// The proxy under load, including the download of a large result.
fn proxy() -> Result<()> {
    system::packages(false, true)?;
    process::run(
        "compile the sample's generator",
        process::cargo().args(["build", "--package", "wherefore-sample"]),
    )?;
    let database = sample::database()?;
    report(release()?.arg("proxy").arg(database).arg(sample::pack()))
}

/// Throughput of reading and linting statements, and latency of the guard; compared with other tools if Python has
/// them.
fn sql() -> Result<()> {
    process::run(
        "compile the speed of sql",
        process::cargo().args(["build", "--release", "--package", "wherefore-bench-sql"]),
    )?;
    let program = workspace::target().join("release/wherefore-bench-sql");
    let statements = workspace::root().join("bench/sql/statements.json");
    let catalog = workspace::root().join("sql/tests/data/shop.json");
    let output =
        process::run("measure sql", process::command(program).arg(&statements).arg(&catalog))?;
    let figures = workspace::target().join("xtask/sql.txt");
    std::fs::write(&figures, &output)?;
    process::say(output.trim_end());
    let python = std::env::var("WHEREFORE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if process::output_of(process::command(&python).args(["-c", "import sqlglot"])).is_some() {
        let script = workspace::root().join("bench/sql/others.py");
        let mut others = process::command(&python);
        others.arg(script).arg(&statements).arg(&catalog);
        process::say(process::run("measure others", &mut others)?.trim_end());
    }
    report(harness()?.arg("sql").arg(figures))
}

/// Requests of a signed-in caller while other clients attack the proxy.
fn attacks() -> Result<()> {
    system::packages(false, true)?;
    report(release()?.arg("attacks"))
}

/// Time of downloading a large result, compared with psql and with DuckDB's Python client.
fn stream() -> Result<()> {
    system::packages(false, true)?;
    let mut command = release()?;
    if tools::duckdb()?.is_some() {
        let clients = python::environment("stream", "bench/stream/requirements.txt")?;
        command.env("WHEREFORE_STREAM_PYTHON", clients.join("bin/python"));
    }
    report(command.arg("stream"))
}

/// Times in which a catalog of 2,000 tables is read and served, of DuckDB and of PostgreSQL.
fn catalogs() -> Result<()> {
    system::packages(false, true)?;
    tools::duckdb()?;
    report(release()?.arg("catalogs"))
}

/// The same statement on DuckDB, Sail and Spark: up to so many rows (`--rows`), on all or some of them (`--only`).
fn engines(options: &[&str]) -> Result<()> {
    let (mut rows, mut only) = ("50000000", Vec::new());
    for option in options.chunks(2) {
        match option {
            ["--rows", number] => rows = number,
            ["--only", name @ ("duckdb" | "sail" | "spark")] => only.push(*name),
            _ => bail!("usage: bench engines [--rows NUMBER] [--only duckdb|sail|spark]…"),
        }
    }
    let is_wanted = |name: &str| only.is_empty() || only.contains(&name);
    // Without DuckDB there are no rows.
    if tools::duckdb()?.is_none() {
        bail!("there is no DuckDB for this platform");
    }
    let mut command = release()?;
    command.args(["engines", rows]);
    command.env("WHEREFORE_ENGINES", only.join(" "));
    if is_wanted("sail") {
        let sail = python::environment("sail", "tests/sail/requirements.txt")?;
        command.env("WHEREFORE_SAIL", sail);
    }
    if is_wanted("spark") {
        system::java()?;
        let spark = python::environment("spark", "tests/spark/requirements.txt")?;
        command.env("WHEREFORE_SPARK", spark);
    }
    report(&mut command)
}

/// Builds harness and proxy with optimisations: a slow harness would measure itself.
fn release() -> Result<Command> {
    process::run(
        "compile the releases of proxy and bench",
        process::cargo().args([
            "build",
            "--release",
            "--package",
            "wherefore-proxy",
            "--package",
            "wherefore-bench",
        ]),
    )?;
    let folder = workspace::target().join("release");
    let mut command = process::command(folder.join("wherefore-bench"));
    command.env("WHEREFORE_PROXY", folder.join("wherefore-proxy"));
    Ok(command)
}

fn harness() -> Result<Command> {
    process::run(
        "compile bench",
        process::cargo().args(["build", "--package", "wherefore-bench"]),
    )?;
    Ok(process::command(workspace::binary("wherefore-bench")))
}

fn report(command: &mut Command) -> Result<()> {
    let output = process::run("compare with budgets", command)?;
    process::say(output.trim_end());
    Ok(())
}
