//! `eval`: builds and runs the evaluations.

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

/// Cargo profile of the evaluations.
const PROFILE: &str = "eval";

/// Runs an evaluation in the caller's working directory, so that relative paths work.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let mut build = process::cargo();
    build.args(["build", "--profile", PROFILE, "--package", "wherefore-eval"]);
    // Only this evaluation needs libclang.
    if arguments.first().is_some_and(|name| name == "pg-selects") {
        build.args(["--features", "judge"]);
    }
    process::run("compile eval", &mut build)?;
    let binary = workspace::target().join(PROFILE).join("wherefore-eval");
    let status = std::process::Command::new(&binary)
        .args(arguments)
        .status()
        .with_context(|| format!("cannot start {}", binary.display()))?;
    if !status.success() {
        bail!("the evaluation failed");
    }
    Ok(())
}
