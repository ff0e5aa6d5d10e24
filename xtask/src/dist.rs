//! `dist`: release builds of web app, proxy and package.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{package, process, tools, web, workspace};

/// Options of wasm-opt that are tried; the smallest brotli-compressed result is kept, or the unoptimised module.
const LEVELS: [&str; 5] = ["-O1", "-O1 --dae-optimizing", "-O2", "-Os", "-Oz"];

/// WebAssembly features that rustc uses and wasm-opt must accept.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Output folder of the web app's release.
pub(crate) fn web_folder() -> PathBuf {
    workspace::target().join("dist/web")
}

/// Builds all releases.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("unknown arguments: {}", arguments.join(" "));
    }
    build_web()?;
    build_package()?;
    process::run(
        "compile proxy (release)",
        process::cargo().args(["build", "--release", "--package", "wherefore-proxy"]),
    )?;
    let bin = workspace::target().join("dist/bin");
    fs::create_dir_all(&bin)?;
    fs::copy(workspace::target().join("release/wherefore-proxy"), bin.join("wherefore-proxy"))?;
    process::say(&format!("built {}", workspace::target().join("dist").display()));
    Ok(())
}

/// Builds the web app with the engine's module, and writes compressed files next to the plain ones.
pub(crate) fn build_web() -> Result<()> {
    let folder = web_folder();
    web::build_release(&folder)?;
    optimise(&folder)?;
    compress(&folder)
}

/// Builds the npm package and returns its folder.
pub(crate) fn build_package() -> Result<PathBuf> {
    let folder = workspace::target().join("dist/package");
    package::build_release(&folder)?;
    optimise(&folder.join("dist"))?;
    Ok(folder)
}

/// Replaces each Wasm module in a folder with its smallest optimised version.
///
/// Page and package contain the same engine, so results are kept by the content of the module.
fn optimise(folder: &Path) -> Result<()> {
    let program = tools::wasm_opt()?;
    let scratch = workspace::target().join("xtask/wasm-opt");
    fs::create_dir_all(&scratch)?;
    for file in files_of(folder)?.into_iter().filter(|file| ends_with(file, "wasm")) {
        let kept =
            scratch.join(format!("{:016x}.wasm", workspace::content_hash(&fs::read(&file)?)));
        if kept.exists() {
            fs::copy(&kept, &file)?;
            continue;
        }
        let mut best = (brotli_size(&file)?, "none", file.clone());
        let mut report = vec![format!("none {} kB", best.0 / 1000)];
        for level in LEVELS {
            let output = scratch.join(format!("{}.wasm", level.replace(' ', "")));
            process::run(
                &format!("wasm-opt {level}"),
                process::command(&program)
                    .args(level.split(' '))
                    .args(FEATURES)
                    // Alignment hints are optional and compress badly.
                    .args(["--dealign", "--strip-debug", "--strip-producers"])
                    .arg(&file)
                    .arg("-o")
                    .arg(&output),
            )?;
            let size = brotli_size(&output)?;
            report.push(format!("{level} {} kB", size / 1000));
            if size < best.0 {
                best = (size, level, output);
            }
        }
        process::say(&format!("brotli sizes: {}; kept: {}", report.join(", "), best.1));
        if best.2 != file {
            fs::copy(&best.2, &file)?;
        }
        fs::copy(&file, &kept)?;
    }
    Ok(())
}

/// Writes `.br` and `.gz` files next to each file of a folder.
fn compress(folder: &Path) -> Result<()> {
    process::run("compress", compressor().arg("write").args(files_of(folder)?))?;
    Ok(())
}

fn brotli_size(file: &Path) -> Result<u64> {
    let output = process::output_of(compressor().arg("size").arg(file))
        .with_context(|| format!("cannot compress {}", file.display()))?;
    Ok(output.parse()?)
}

/// A Node script that compresses with brotli; Node is required for wasm-opt anyway.
fn compressor() -> std::process::Command {
    let mut command = process::command("node");
    command.arg(workspace::root().join("xtask/compress.mjs"));
    command
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_of(&path)?);
        } else if !ends_with(&path, "br") && !ends_with(&path, "gz") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn ends_with(path: &Path, extension: &str) -> bool {
    path.extension() == Some(OsStr::new(extension))
}
