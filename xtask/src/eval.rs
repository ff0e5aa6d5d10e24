//! `eval`: how well questions are understood, on sets that the caller names.

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

/// Profile that evaluations are built with.
const PROFILE: &str = "eval";

/// Runs an evaluation; its paths are those of the caller's folder.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let mut build = process::cargo();
    build.args(["build", "--profile", PROFILE, "--package", "wherefore-bench"]);
    // The judge of these needs libclang; the others do without it.
    if arguments.first().is_some_and(|name| name == "pg-selects") {
        build.args(["--features", "judge"]);
    }
    process::run("compile bench", &mut build)?;
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
