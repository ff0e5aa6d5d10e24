//! Builds the static pages of `www/` with Vite, on a built npm package.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{dist, package, process, system, workspace};

/// Folder of the sources.
const SOURCES: &str = "www";

/// Builds the pages on the dev package and returns their folder.
pub(crate) fn build_dev() -> Result<PathBuf> {
    let folder = workspace::target().join("www-dev");
    build(&package::build_dev()?, &folder)?;
    Ok(folder)
}

/// Builds the pages on the release of the package.
pub(crate) fn build_release() -> Result<()> {
    let folder = workspace::target().join("www");
    build(&dist::build_package()?, &folder)?;
    process::say(&format!("built {}", folder.display()));
    Ok(())
}

/// Folder of the npm packages that the pages use.
pub(crate) fn packages() -> PathBuf {
    workspace::root().join(SOURCES).join("node_modules")
}

fn build(package: &Path, folder: &Path) -> Result<()> {
    system::npm_packages(SOURCES)?;
    let installed = packages().join("wherefore");
    if installed.exists() {
        fs::remove_dir_all(&installed)?;
    }
    copy(package, &installed)?;
    let sources = workspace::root().join(SOURCES);
    process::run(
        "check types of the pages",
        process::command(packages().join(".bin/tsc")).current_dir(&sources),
    )?;
    process::run(
        "build pages",
        process::command(packages().join(".bin/vite"))
            .args(["build", "--outDir"])
            .arg(folder)
            .current_dir(&sources),
    )?;
    Ok(())
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
