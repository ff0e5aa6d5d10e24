//! Builds the web app with Trunk, which calls `page_engine` for the engine's module.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::engine_module::{CORE, DEV};
use crate::{page_parts, process, tools, workspace};

/// Sets `--cfg erase_components`, which makes dev builds of Leptos several times faster and the release 25 kB smaller
/// after brotli.
///
/// The variable applies to WebAssembly builds only, so native artefacts are not rebuilt.
pub(crate) fn flags(command: &mut Command) -> &mut Command {
    command
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "--cfg erase_components")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
}

/// Compiles the app and the engine's module without bundling them, so that Trunk finds them compiled.
pub(crate) fn compile_dev() -> Result<()> {
    tools::wasm_target()?;
    process::run(
        "compile web app",
        flags(&mut process::cargo()).args([
            "build",
            "--package",
            "wherefore-web",
            "--target",
            "wasm32-unknown-unknown",
        ]),
    )?;
    CORE.compile(DEV)
}

/// Builds the dev version of the app into `web/dist`.
pub(crate) fn build_dev() -> Result<()> {
    tools::web()?;
    let mut trunk = tools::command("trunk")?;
    flags(&mut trunk).args(["build", "--dist"]).arg(workspace::web_dist());
    process::run("pack web app", &mut trunk)?;
    Ok(())
}

/// Builds the app with the release profile that `web/index.html` names, divided into two parts, and the engine's module with
/// the profile of the npm package.
pub(crate) fn build_release(dist: &Path) -> Result<()> {
    tools::web()?;
    let mut trunk = tools::command("trunk")?;
    // wasm-opt changes the module afterwards, which would break integrity hashes.
    flags(&mut trunk)
        .args(["build", "--release", "--no-sri=true", "--features", "split", "--dist"])
        .arg(dist);
    process::run("build web app (release)", &mut trunk)?;
    page_parts::divide(dist)
}
