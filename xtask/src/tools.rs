//! Pinned tools, kept under `target/tools`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{process, system, workspace};

const TRUNK: &str = "0.21.14";
const BINARYEN: &str = "132.0.0";
const CARGO_FUZZ: &str = "0.13.2";
const WASM: &str = "wasm32-unknown-unknown";

/// Makes sure that Rust can compile to WebAssembly.
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

/// Installs Trunk and wasm-bindgen where they are missing.
pub(crate) fn web() -> Result<()> {
    // wasm-bindgen first: it is the smaller one, and Trunk's build reuses what both depend on.
    wasm_bindgen()?;
    if !has("trunk", TRUNK) {
        install("trunk", TRUNK, &["--locked"])?;
    }
    // Only needed while tools are compiled, and about a gigabyte.
    let build = folder().join("build");
    if build.exists() {
        std::fs::remove_dir_all(&build)?;
    }
    Ok(())
}

/// Installs wasm-bindgen, of the version that the workspace is locked to, where it is missing.
pub(crate) fn wasm_bindgen() -> Result<()> {
    wasm_target()?;
    let version = workspace::locked_version("wasm-bindgen")?;
    if !has("wasm-bindgen", &version) {
        // Its own lock file names dependencies that do not build on this toolchain.
        install("wasm-bindgen-cli", &version, &[])?;
    }
    Ok(())
}

/// Installs cargo-fuzz where it is missing, and gives back its path.
pub(crate) fn cargo_fuzz() -> Result<PathBuf> {
    if !has("cargo-fuzz", CARGO_FUZZ) {
        install("cargo-fuzz", CARGO_FUZZ, &["--locked"])?;
    }
    Ok(folder().join("bin/cargo-fuzz"))
}

/// Installs wasm-opt where it is missing, and gives back its path.
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

/// `PATH` with the pinned tools in front.
pub(crate) fn path() -> Result<OsString> {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder().join("bin")).chain(std::env::split_paths(&rest));
    Ok(std::env::join_paths(folders)?)
}

/// A pinned tool, to be run in the workspace's folder.
pub(crate) fn command(program: &str) -> Result<Command> {
    let own = folder().join("bin").join(program);
    let mut command = if own.exists() { process::command(own) } else { process::command(program) };
    command.env("PATH", path()?);
    // Trunk takes only `true` and `false` for this variable and fails on the customary `1`.
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
            // One folder for all tools: what several of them depend on compiles once.
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
