//! Installs pinned Python packages below `target/tools`, for test suites of other projects and drivers of the demo.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::{process, system, workspace};

/// Folder of the virtual environment with the packages of a requirements file, installed if they are not.
pub(crate) fn environment(name: &str, requirements: &str) -> Result<PathBuf> {
    with_packages(name, &read(requirements)?)
}

/// Path of the library of an ADBC driver from a requirements file, installed without the packages beside it.
pub(crate) fn adbc_driver(requirements: &str) -> Result<PathBuf> {
    let wanted = read(requirements)?;
    let line = wanted.lines().find(|line| line.starts_with("adbc-driver-"));
    let line = line.with_context(|| format!("{requirements} has no ADBC driver"))?;
    let package = line.split("==").next().unwrap_or(line);
    let module = package.replace('-', "_");
    let folder = with_packages(package, line)?;
    let versions = fs::read_dir(folder.join("lib"))?.flatten();
    let places = versions.map(|version| version.path().join("site-packages").join(&module));
    let files = places.filter_map(|place| fs::read_dir(place).ok()).flatten().flatten();
    let mut libraries = files.map(|file| file.path()).filter(|path| {
        path.extension().is_some_and(|extension| extension == "so" || extension == "dylib")
    });
    libraries.next().with_context(|| format!("{package} has no library for this system"))
}

fn read(requirements: &str) -> Result<String> {
    let path = workspace::root().join(requirements);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

fn with_packages(name: &str, wanted: &str) -> Result<PathBuf> {
    let folder = workspace::target().join("tools").join(format!("python-{name}"));
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
    let requirements = folder.join("wanted.txt");
    fs::write(&requirements, wanted)?;
    process::run(
        &format!("install {name}"),
        process::command(folder.join("bin/pip"))
            .args(["install", "--disable-pip-version-check", "--requirement"])
            .arg(&requirements),
    )?;
    fs::write(&installed, wanted)?;
    Ok(folder)
}
