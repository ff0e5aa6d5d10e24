//! Installs pinned tools below `target/tools`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{process, system, workspace};

const TRUNK: &str = "0.21.14";
const BINARYEN: &str = "132.0.0";
const DUCKDB: &str = "1.5.6-r.1";
const CARGO_FUZZ: &str = "0.13.2";
const WASM_SPLIT: &str = "0.2.4";
const WASM: &str = "wasm32-unknown-unknown";

/// Installs the WebAssembly target of Rust if it is missing.
pub(crate) fn wasm_target() -> Result<()> {
    let sysroot = process::output_of(process::command("rustc").args(["--print", "sysroot"]))
        .context("rustc cannot be run")?;
    if PathBuf::from(sysroot).join("lib/rustlib").join(WASM).exists() {
        return Ok(());
    }
    process::run("rustup target", process::command("rustup").args(["target", "add", WASM]))
        .context("the wasm32-unknown-unknown target is missing and rustup could not add it")?;
    Ok(())
}

/// Installs Trunk and wasm-bindgen if they are missing.
pub(crate) fn web() -> Result<()> {
    // wasm-bindgen first: it is smaller, and Trunk's build reuses their common dependencies.
    wasm_bindgen()?;
    if !has("trunk", TRUNK) {
        install("trunk", TRUNK, &["--locked"])?;
    }
    // The build folder takes about a gigabyte and is only needed while compiling.
    let build = folder().join("build");
    if build.exists() {
        std::fs::remove_dir_all(&build)?;
    }
    Ok(())
}

/// Installs the wasm-bindgen version of Cargo.lock if it is missing.
pub(crate) fn wasm_bindgen() -> Result<()> {
    wasm_target()?;
    let version = workspace::locked_version("wasm-bindgen")?;
    if !has("wasm-bindgen", &version) {
        // Without --locked: the locked dependencies of wasm-bindgen-cli do not build with this toolchain.
        install("wasm-bindgen-cli", &version, &[])?;
    }
    Ok(())
}

/// Installs cargo-fuzz if it is missing, and returns its path.
pub(crate) fn cargo_fuzz() -> Result<PathBuf> {
    if !has("cargo-fuzz", CARGO_FUZZ) {
        install("cargo-fuzz", CARGO_FUZZ, &["--locked"])?;
    }
    Ok(folder().join("bin/cargo-fuzz"))
}

/// Installs wasm-opt if it is missing, and returns its path.
pub(crate) fn wasm_opt() -> Result<PathBuf> {
    system::node()?;
    let folder = folder().join("binaryen");
    let program = folder.join("node_modules/.bin/wasm-opt");
    let expected = format!("version {}", BINARYEN.split('.').next().unwrap_or(BINARYEN));
    let found = process::output_of(Command::new(&program).arg("--version"));
    if !found.is_some_and(|version| version.contains(&expected)) {
        std::fs::create_dir_all(&folder)?;
        process::run(
            "install wasm-opt",
            process::command("npm")
                .args(["install", "--no-save", "--no-package-lock", "--prefix"])
                .arg(&folder)
                .arg(format!("binaryen@{BINARYEN}")),
        )?;
    }
    Ok(program)
}

/// Installs the tool that divides Wasm modules if it is missing, and returns its path.
pub(crate) fn wasm_split() -> Result<PathBuf> {
    // The program does not tell its version.
    let root = folder().join(format!("wasm-split-{WASM_SPLIT}"));
    let program = root.join("bin/wasm-split-cli");
    if !program.exists() {
        process::run(
            &format!("install wasm-split {WASM_SPLIT}"),
            process::cargo()
                .args(["install", "wasm_split_cli_support", "--version", WASM_SPLIT, "--locked"])
                .args(["--features", "build-binary", "--root"])
                .arg(&root)
                .env("CARGO_TARGET_DIR", folder().join("build"))
                .env_remove("RUSTFLAGS"),
        )?;
    }
    Ok(program)
}

/// Installs the library of DuckDB if it is missing, and returns its path; `None` if there is none for this system.
pub(crate) fn duckdb() -> Result<Option<PathBuf>> {
    let (package, library) = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => ("node-bindings-linux-x64", "libduckdb.so"),
        ("linux", "aarch64") => ("node-bindings-linux-arm64", "libduckdb.so"),
        ("macos", "aarch64") => ("node-bindings-darwin-arm64", "libduckdb.dylib"),
        ("macos", "x86_64") => ("node-bindings-darwin-x64", "libduckdb.dylib"),
        _ => return Ok(None),
    };
    system::node()?;
    let folder = folder().join("duckdb");
    let installed = folder.join("node_modules/@duckdb").join(package);
    let description = std::fs::read_to_string(installed.join("package.json")).unwrap_or_default();
    if !description.contains(&format!("\"{DUCKDB}\"")) {
        std::fs::create_dir_all(&folder)?;
        process::run(
            "install DuckDB",
            process::command("npm")
                .args(["install", "--no-save", "--no-package-lock", "--prefix"])
                .arg(&folder)
                .arg(format!("@duckdb/{package}@{DUCKDB}")),
        )?;
    }
    Ok(Some(installed.join(library)))
}

/// `PATH` with the pinned tools first.
pub(crate) fn path() -> Result<OsString> {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder().join("bin")).chain(std::env::split_paths(&rest));
    Ok(std::env::join_paths(folders)?)
}

/// A command that runs a pinned tool in the workspace.
pub(crate) fn command(program: &str) -> Result<Command> {
    let own = folder().join("bin").join(program);
    let mut command = if own.exists() { process::command(own) } else { process::command(program) };
    command.env("PATH", path()?);
    // Trunk accepts only `true` and `false` here and fails on the usual `1`.
    command.env_remove("NO_COLOR");
    Ok(command)
}

fn folder() -> PathBuf {
    workspace::target().join("tools")
}

fn has(program: &str, version: &str) -> bool {
    let found = command(program)
        .ok()
        .and_then(|mut command| process::output_of(command.arg("--version")))
        .unwrap_or_default();
    found.split_whitespace().any(|word| word == version)
}

fn install(package: &str, version: &str, arguments: &[&str]) -> Result<()> {
    process::run(
        &format!("install {package} {version}"),
        process::cargo()
            .args(["install", package, "--version", version, "--debug", "--root"])
            .arg(folder())
            .args(arguments)
            // One target folder for all tools, so that common dependencies compile once.
            .env("CARGO_TARGET_DIR", folder().join("build"))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("RUSTFLAGS"),
    )?;
    let program = package.trim_end_matches("-cli");
    if !has(program, version) {
        bail!("{program} was installed, but is not of version {version}");
    }
    Ok(())
}
