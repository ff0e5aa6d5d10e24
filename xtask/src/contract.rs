//! `test --only contract`: suites that others wrote, on running proxies with the sample data.
//!
//! schemathesis generates requests from the served `openapi.json`, once without and once with an API key. The
//! conformance suite of the Model Context Protocol calls `/mcp`. `tests/contract` has their versions and settings.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result, bail};

use crate::counts::{self, Counts};
use crate::{process, python, sample, system, workspace};

/// Folder of versions and settings.
const FOLDER: &str = "tests/contract";
/// Entry point of the MCP conformance suite, whose executable cannot be started with a loader.
const CONFORMANCE: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/// Runs all suites.
pub(crate) fn run() -> Result<Counts> {
    let packages = python::environment("contract", &format!("{FOLDER}/requirements.txt"))?;
    let schemathesis = packages.join("bin/schemathesis");
    system::npm_packages(FOLDER)?;
    let folder = workspace::target().join("contract/run");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let mut counts = Counts::default();

    let open = Proxy::start(&folder.join("open"), &[])?;
    counts += generated(&schemathesis, "schemathesis without keys", &open, None)?;
    counts += conformance(&open)?;
    drop(open);

    let store = folder.join("keyed");
    let key = add_key(&store)?;
    let keyed = Proxy::start(&store, &["--auth", "keys"])?;
    counts += generated(&schemathesis, "schemathesis with keys", &keyed, Some(&key))?;
    Ok(counts)
}

/// A running proxy with the sample data, stopped when dropped.
struct Proxy {
    child: Child,
    /// Start of its URLs.
    url: String,
}

impl Proxy {
    /// Starts a proxy with its store and log in files that begin with this path.
    fn start(path: &Path, options: &[&str]) -> Result<Self> {
        let log = path.with_extension("log");
        let mut command = process::command(workspace::binary("wherefore-proxy"));
        command.arg("--store").arg(path.with_extension("sqlite"));
        command.arg("--database").arg(sample::database()?).arg("--pack").arg(sample::pack());
        // The suites send more than a person does, and test what the limits would hide.
        command.args(["--questions-per-minute", "0", "--running-queries", "0", "--shared-memory"]);
        command.args(["--listen", "127.0.0.1:0"]).args(options);
        command.stdout(Stdio::piped()).stderr(std::fs::File::create(&log)?);
        let mut child = command.spawn().context("cannot start the proxy")?;
        let output = child.stdout.take().context("the proxy has no output")?;
        let mut proxy = Self { child, url: String::new() };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let Some(url) = line.trim().strip_prefix("listening on ") else {
            bail!("the proxy did not start; its log: {}", log.display());
        };
        url.clone_into(&mut proxy.url);
        Ok(proxy)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Err(error) = self.child.kill().and_then(|()| self.child.wait()) {
            process::say(&format!("cannot stop the proxy: {error}"));
        }
    }
}

/// A new API key in a store.
fn add_key(path: &Path) -> Result<String> {
    let mut command = process::command(workspace::binary("wherefore-proxy"));
    command
        .args(["key", "add", "--user", "contract", "--store"])
        .arg(path.with_extension("sqlite"));
    let told = process::output_of(&mut command).context("cannot add an API key")?;
    told.lines().next().map(str::to_owned).context("no API key was added")
}

/// Sends generated requests to every operation, as a caller with this key.
fn generated(schemathesis: &Path, step: &str, proxy: &Proxy, key: Option<&str>) -> Result<Counts> {
    let mut command = process::command(schemathesis);
    command.current_dir(workspace::root().join(FOLDER));
    command.args(["--config-file", "schemathesis.toml", "run"]);
    command.arg(format!("{}/api/v1/openapi.json", proxy.url)).arg("--url").arg(&proxy.url);
    if let Some(key) = key {
        command.args(["--header", &format!("Authorization: Bearer {key}")]);
    }
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("HYPOTHESIS_STORAGE_DIRECTORY", workspace::target().join("contract/hypothesis"));
    let output = process::run(step, &mut command)?;
    let counts = counts::of_schemathesis(&output);
    if counts.passed == 0 {
        bail!("{step}: no operation was tested");
    }
    Ok(counts)
}

/// Runs the scenarios of the MCP conformance suite; the listed ones must fail, all others pass.
fn conformance(proxy: &Proxy) -> Result<Counts> {
    let output = process::run(
        "MCP conformance",
        process::command("node")
            .args(["--import", "./node20.mjs", CONFORMANCE, "server", "--suite", "all"])
            .args(["--expected-failures", "mcp_not_offered.yaml", "--url"])
            .arg(format!("{}/mcp", proxy.url))
            .current_dir(workspace::root().join(FOLDER)),
    )?;
    let has_passed = |line: &&str| line.starts_with('✓') && !line.contains(": 0 passed");
    let passed = output.lines().filter(has_passed).count();
    Ok(Counts { passed: u32::try_from(passed)?, failed: 0 })
}
