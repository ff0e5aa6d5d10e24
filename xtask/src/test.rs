//! `test`: runs all checks as steps and stops at the first failure.

use std::path::Path;

use anyhow::{Result, bail};

use crate::counts::{self, Counts};
use crate::{contract, package, process, python, sample, system, tools, web, workspace, www};

const BROWSER: &str = "tests/browser";

type Step = (&'static str, fn() -> Result<Counts>);

const STEPS: [Step; 8] = [
    ("fmt", fmt),
    ("clippy", clippy),
    ("rust", rust),
    ("contract", contract),
    ("wasm", wasm),
    ("package", package),
    ("www", www_pages),
    ("browser", browser),
];

/// Suites that are too heavy for every run.
const SUITES: [Step; 5] = [
    ("axe", axe),
    ("frameworks", frameworks),
    ("model-servers", model_servers),
    ("sail", sail),
    ("spark", spark),
];

/// Runs all steps, or the step or suite named.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let steps: Vec<Step> = match arguments {
        [] => STEPS.to_vec(),
        [option, name] if option == "--only" => {
            STEPS.into_iter().filter(|step| step.0 == name).collect()
        }
        [option, name] if option == "--suite" => {
            SUITES.into_iter().filter(|suite| suite.0 == name).collect()
        }
        _ => bail!("unknown arguments: {}", arguments.join(" ")),
    };
    if steps.is_empty() {
        let names = |steps: &[Step]| steps.iter().map(|step| step.0).collect::<Vec<_>>().join(", ");
        bail!("unknown name; steps are {}; suites are {}", names(&STEPS), names(&SUITES));
    }
    let mut sum = Counts::default();
    let mut rest = &steps[..];
    if arguments.is_empty() {
        // Download tools while the steps that do not need them run.
        let ((), counts) = process::side_by_side(install, || run_steps(&steps[..2]))?;
        sum += counts;
        rest = &steps[2..];
    }
    sum += run_steps(rest)?;
    process::say(&format!("{} passed, {} failed", sum.passed, sum.failed));
    if sum.failed > 0 {
        bail!("a runner ended well although tests failed");
    }
    Ok(())
}

fn run_steps(steps: &[Step]) -> Result<Counts> {
    let mut sum = Counts::default();
    for (name, step) in steps {
        process::say(&format!("== {name}"));
        sum += step()?;
    }
    Ok(sum)
}

fn install() -> Result<()> {
    system::packages(true, true)?;
    system::mariadb()?;
    tools::duckdb()?;
    system::npm_packages(BROWSER)?;
    tools::web()
}

fn fmt() -> Result<Counts> {
    process::run("fmt", process::cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Counts::default())
}

/// Lints the browser crates for WebAssembly and all others natively.
fn clippy() -> Result<Counts> {
    tools::wasm_target()?;
    process::run(
        "clippy",
        process::cargo().args([
            "clippy",
            "--workspace",
            "--exclude",
            "wherefore-web",
            "--exclude",
            "wherefore",
            "--exclude",
            "wherefore-sql-js",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    )?;
    process::run(
        "clippy for wasm",
        web::flags(&mut process::cargo()).args([
            "clippy",
            "--package",
            "wherefore-web",
            "--package",
            "wherefore",
            "--package",
            "wherefore-sql-js",
            "--all-targets",
            "--target",
            "wasm32-unknown-unknown",
            "--",
            "-D",
            "warnings",
        ]),
    )?;
    Ok(Counts::default())
}

/// Rust tests of all crates, including the HTTP API on SQLite, PostgreSQL, MariaDB and DuckDB.
fn rust() -> Result<Counts> {
    system::packages(false, true)?;
    system::mariadb()?;
    tools::duckdb()?;
    compile()?;
    let output = process::run(
        "rust tests",
        process::cargo()
            .args(["test", "--workspace", "--no-fail-fast"])
            .env("WHEREFORE_PROXY", workspace::binary("wherefore-proxy")),
    )?;
    for line in output.lines() {
        // The test runner may have written to the same line.
        if let Some(start) = line.find("skipped: ") {
            process::say(&line[start..]);
        }
    }
    Ok(counts::of_cargo(&output))
}

/// Compiles all programs and tests in one call: separate calls would recompile crates with other feature sets.
fn compile() -> Result<()> {
    let all = ["build", "--workspace", "--tests"];
    let programs = ["--bin", "wherefore-proxy", "--bin", "wherefore-sample"];
    process::run("compile programs and tests", process::cargo().args(all).args(programs))?;
    Ok(())
}

/// Suites that others wrote, against a running proxy.
fn contract() -> Result<Counts> {
    compile()?;
    contract::run()
}

/// Compares the engine in WebAssembly with the native one, and with the proxy.
fn wasm() -> Result<Counts> {
    system::node()?;
    compile()?;
    let folder = package::build_dev()?;
    let output = process::run(
        "wasm tests",
        process::cargo()
            .args(["test", "--workspace", "--features", "wherefore-tests/wasm"])
            .args(["--test", "clarifications", "--test", "parity", "--test", "statements"])
            .env("WHEREFORE_PACKAGE", folder)
            .env("WHEREFORE_PROXY", workspace::binary("wherefore-proxy")),
    )?;
    Ok(counts::of_cargo(&output))
}

/// The npm package as its users install it: from the tarball, in Node, in Chromium and with tsc.
fn package() -> Result<Counts> {
    system::packages(true, false)?;
    system::npm_packages(BROWSER)?;
    compile()?;
    let database = sample::database()?;
    let app = package::install(&package::build_dev()?)?;
    let mut tests = workspace::files_in(&app)?;
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    let root = workspace::root();
    let output = process::run(
        "package tests",
        process::command("node")
            .args(["--test", "--test-reporter=tap"])
            .args(tests)
            .current_dir(&app)
            .env("WHEREFORE_BOOKSHOP", root.join("tests/data/bookshop.json"))
            .env("WHEREFORE_CHROMIUM", system::chromium().unwrap_or_default())
            .env("WHEREFORE_DATABASE", database)
            .env("WHEREFORE_PACK", sample::pack())
            .env("WHEREFORE_PLAYWRIGHT", root.join(BROWSER).join("package.json"))
            .env("WHEREFORE_PROXY", workspace::binary("wherefore-proxy"))
            .env("WHEREFORE_TSC", root.join("pkg/node_modules/typescript/bin/tsc")),
    )?;
    Ok(counts::of_node(&output))
}

/// The static pages: in Chromium, from a static server, and without a network.
fn www_pages() -> Result<Counts> {
    system::packages(true, false)?;
    system::npm_packages(BROWSER)?;
    compile()?;
    let folder = www::build_dev()?;
    let root = workspace::root();
    let mut tests = workspace::files_in(&root.join("tests/www"))?;
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    let output = process::run(
        "tests of the static pages",
        process::command("node")
            .args(["--test", "--test-reporter=tap", "--test-concurrency=1"])
            .args(tests)
            .env("WHEREFORE_CHROMIUM", system::chromium().unwrap_or_default())
            .env("WHEREFORE_PLAYWRIGHT", root.join(BROWSER).join("package.json"))
            .env("WHEREFORE_PROXY", workspace::binary("wherefore-proxy"))
            .env("WHEREFORE_WWW", folder)
            .env("WHEREFORE_WWW_PACKAGES", www::packages()),
    )?;
    Ok(counts::of_node(&output))
}

/// Browser tests of the page, with the real proxy and the sample data.
fn browser() -> Result<Counts> {
    compile()?;
    in_browser("browser tests", &["--project=page"], &[])
}

/// Accessibility of all states of the page, in all themes and languages.
fn axe() -> Result<Counts> {
    process::run(
        "compile the proxy",
        process::cargo().args(["build", "--workspace"]).args([
            "--bin",
            "wherefore-proxy",
            "--bin",
            "wherefore-sample",
        ]),
    )?;
    in_browser("axe", &["--project=axe"], &[])
}

/// Runs browser tests on compiled programs, those that the arguments of Playwright select; `variables` are additional
/// ones of the environment.
pub(crate) fn in_browser(
    step: &str,
    arguments: &[&str],
    variables: &[(&str, &Path)],
) -> Result<Counts> {
    system::packages(true, false)?;
    system::npm_packages(BROWSER)?;
    let database = sample::database()?;
    let duckdb = tools::duckdb()?;
    web::build_dev()?;
    let output = process::run(
        step,
        process::command("npx")
            .args(["--no-install", "playwright", "test"])
            .args(arguments)
            .current_dir(workspace::root().join(BROWSER))
            .env("WHEREFORE_CHROMIUM", system::chromium().unwrap_or_default())
            .env("WHEREFORE_DATABASE", database)
            .env("WHEREFORE_DIST", workspace::web_dist())
            .env("WHEREFORE_DUCKDB", duckdb.unwrap_or_default())
            .env("WHEREFORE_PACK", sample::pack())
            .env("WHEREFORE_PROXY", workspace::binary("wherefore-proxy"))
            .envs(variables.iter().copied()),
    )?;
    Ok(counts::of_playwright(&output))
}

/// The packed npm package in framework apps and in other JavaScript runtimes, all installed from npm.
fn frameworks() -> Result<Counts> {
    system::packages(true, false)?;
    system::npm_packages(BROWSER)?;
    let package = package::build_dev()?;
    let apps = workspace::target().join("frameworks");
    let tarball = package::pack(&package, &apps)?;
    let root = workspace::root();
    let output = process::run(
        "frameworks",
        process::command("node")
            .args(["--test", "--test-reporter=tap"])
            .arg(root.join("tests/frameworks/frameworks.test.mjs"))
            .env("WHEREFORE_APPS", apps)
            .env("WHEREFORE_CHROMIUM", system::chromium().unwrap_or_default())
            .env("WHEREFORE_PACKAGE", package)
            .env("WHEREFORE_PLAYWRIGHT", root.join(BROWSER).join("package.json"))
            .env("WHEREFORE_TARBALL", tarball),
    )?;
    Ok(counts::of_node(&output))
}

/// Real model servers behind the proxy.
fn model_servers() -> Result<Counts> {
    let servers = python::environment("model-servers", "tests/model-servers/requirements.txt")?;
    on_servers("model-servers", &["model_servers"], "WHEREFORE_MODEL_SERVERS", &servers)
}

/// Sail as the data source, reached by Flight SQL.
fn sail() -> Result<Counts> {
    page()?;
    let environment = python::environment("sail", "tests/sail/requirements.txt")?;
    on_servers("sail", &["sail", "dialogues_on_spark_sql"], "WHEREFORE_SAIL", &environment)
}

/// Apache Spark as the data source, reached by Spark Connect: a download of 456 MB, and 3 GB of memory.
fn spark() -> Result<Counts> {
    page()?;
    system::java()?;
    let environment = python::environment("spark", "tests/spark/requirements.txt")?;
    on_servers("spark", &["spark", "dialogues_on_spark_sql"], "WHEREFORE_SPARK", &environment)
}

/// Prepares browser tests of the page.
fn page() -> Result<()> {
    system::packages(true, false)?;
    system::npm_packages(BROWSER)?;
    web::build_dev()
}

/// Runs tests of the workspace that need servers from a Python environment, one at a time.
fn on_servers(feature: &str, tests: &[&str], variable: &str, environment: &Path) -> Result<Counts> {
    process::run(
        "compile the proxy",
        process::cargo().args(["build", "--workspace", "--bin", "wherefore-proxy"]),
    )?;
    let output = process::run(
        feature,
        process::cargo()
            .args(["test", "--workspace", "--features", &format!("wherefore-tests/{feature}")])
            .args(tests.iter().flat_map(|test| ["--test", test]))
            .args(["--", "--test-threads", "1"])
            .env(variable, environment)
            .env("WHEREFORE_CHROMIUM", system::chromium().unwrap_or_default())
            .env("WHEREFORE_DIST", workspace::web_dist())
            .env("WHEREFORE_PROXY", workspace::binary("wherefore-proxy")),
    )?;
    Ok(counts::of_cargo(&output))
}
