//! `eval`: how well questions are understood, on sets that the caller names.

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

/// Profile that evaluations are built with.
const PROFILE: &str = "eval";

/// Runs an evaluation; its paths are those of the caller's folder.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    process::run(
        "compile bench",
        process::cargo().args(["build", "--profile", PROFILE, "--package", "wherefore-bench"]),
    )?;
    let binary = workspace::target().join(PROFILE).join("wherefore-bench");
    let status = std::process::Command::new(&binary)
        .arg("eval")
        .args(arguments)
        .status()
        .with_context(|| format!("cannot start {}", binary.display()))?;
    if !status.success() {
        bail!("the evaluation failed");
    }
    Ok(())
}
