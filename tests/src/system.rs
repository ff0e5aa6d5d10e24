//! Programs of the system, run as an unprivileged user.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::Failure;

/// A program that runs as a user if the current one is root, as the direct child process.
pub(crate) fn as_user(user: &str, program: &Path) -> Result<Command, Failure> {
    let mut command = if is_root()? {
        // `setpriv` execs the program; `runuser` would stay as its parent.
        let mut command = Command::new("setpriv");
        command.args(["--reuid", user, "--regid", user, "--clear-groups", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir("/").stdin(Stdio::null());
    Ok(command)
}

/// Whether the current user is root.
pub(crate) fn is_root() -> Result<bool, Failure> {
    let output = Command::new("id").arg("-u").output()?;
    Ok(output.stdout.trim_ascii() == b"0")
}

/// Runs a program to its end; its error output is the failure.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let program = Path::new(command.get_program()).display().to_string();
    let message = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} failed ({}): {message}", output.status).into())
}
