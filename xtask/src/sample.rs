//! The sample database, whose dates are relative to today.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::{process, workspace};

const SECONDS_A_DAY: u64 = 86_400;

/// Path of the sample's pack.
pub(crate) fn pack() -> PathBuf {
    workspace::root().join("sample/pack.toml")
}

/// Path of the sample database; generated unless an up-to-date one of today exists.
pub(crate) fn database() -> Result<PathBuf> {
    let file = workspace::target().join("demo/sample.sqlite");
    let generator = workspace::binary("wherefore-sample");
    if is_current(&file, &generator) {
        return Ok(file);
    }
    let folder = file.parent().context("the sample database has no folder")?;
    std::fs::create_dir_all(folder)?;
    let unfinished = folder.join("unfinished.sqlite");
    if unfinished.exists() {
        std::fs::remove_file(&unfinished)?;
    }
    process::run(
        "generate sample database",
        process::command(generator).arg("--out").arg(&unfinished),
    )?;
    std::fs::rename(&unfinished, &file)?;
    Ok(file)
}

fn is_current(file: &Path, generator: &Path) -> bool {
    let modified = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let day = |time: SystemTime| {
        time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / SECONDS_A_DAY)
    };
    match (modified(file), modified(generator)) {
        (Some(made), Some(built)) => made >= built && day(made) == day(SystemTime::now()),
        _ => false,
    }
}
