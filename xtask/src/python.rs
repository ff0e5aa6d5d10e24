//! Installs pinned Python packages below `target/tools`, for test suites of other projects.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::{process, system, workspace};

/// Folder of the virtual environment with the packages of a requirements file, installed if they are not.
pub(crate) fn environment(name: &str, requirements: &str) -> Result<PathBuf> {
    let folder = workspace::target().join("tools").join(format!("python-{name}"));
    let requirements = workspace::root().join(requirements);
    let wanted = fs::read_to_string(&requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    // Written last, so that an installation that was interrupted is repeated.
    let installed = folder.join("requirements.txt");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(folder);
    }
    system::python()?;
    process::run(
        "python environment",
        process::command("python3").args(["-m", "venv", "--clear"]).arg(&folder),
    )?;
    process::run(
        &format!("install {name}"),
        process::command(folder.join("bin/pip"))
            .args(["install", "--disable-pip-version-check", "--requirement"])
            .arg(&requirements),
    )?;
    fs::write(&installed, wanted)?;
    Ok(folder)
}
