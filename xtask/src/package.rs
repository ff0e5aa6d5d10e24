//! Builds the JavaScript package with wasm-bindgen.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{process, tools, web, workspace};

/// Builds the dev package for browsers (`web`) and Node (`node`), and returns its folder.
pub(crate) fn build_dev() -> Result<PathBuf> {
    tools::wasm_bindgen()?;
    process::run(
        "compile package",
        web::flags(&mut process::cargo()).args([
            "build",
            "--package",
            "wherefore",
            "--target",
            "wasm32-unknown-unknown",
        ]),
    )?;
    let folder = workspace::target().join("pkg");
    bind("debug", "web", &folder.join("web"))?;
    bind("debug", "nodejs", &folder.join("node"))?;
    Ok(folder)
}

/// Builds the package for browsers with the `package-release` profile into `folder`.
pub(crate) fn build_release(folder: &Path) -> Result<()> {
    tools::wasm_bindgen()?;
    process::run(
        "compile package (release)",
        web::flags(&mut process::cargo()).args([
            "build",
            "--package",
            "wherefore",
            "--target",
            "wasm32-unknown-unknown",
            "--profile",
            "package-release",
        ]),
    )?;
    bind("package-release", "web", folder)
}

fn bind(profile: &str, target: &str, folder: &Path) -> Result<()> {
    // Files of an earlier build would be published too.
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    process::run(
        &format!("bind package ({target})"),
        tools::command("wasm-bindgen")?.args(["--target", target, "--out-dir"]).arg(folder).arg(
            workspace::target().join("wasm32-unknown-unknown").join(profile).join("wherefore.wasm"),
        ),
    )?;
    Ok(())
}
