//! Runs child processes: each step has a name, progress messages, and its output when it fails.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{counts, workspace};

const POLL: Duration = Duration::from_millis(100);
const HEARTBEAT: Duration = Duration::from_secs(15);
const LINES_OF_A_FAILURE: usize = 300;

/// Set when a step has failed, so that concurrent steps stop too.
static STOP: AtomicBool = AtomicBool::new(false);

/// Prints a line to standard output.
pub(crate) fn say(line: &str) {
    // A closed pipe is not an error.
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A command with the workspace as working directory.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root()).stdin(Stdio::null());
    command
}

/// The cargo that started this program.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command to its end and returns its output.
///
/// The output goes to a file in `target/xtask`, and to the terminal when the command fails.
pub(crate) fn run(step: &str, command: &mut Command) -> Result<String> {
    let folder = workspace::target().join("xtask");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}.log", step.replace(|c: char| !c.is_alphanumeric(), "-")));
    let log = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .with_context(|| format!("{step}: cannot start {program}"))?;
    let start = Instant::now();
    let mut next = Duration::from_secs(1);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if STOP.load(Ordering::Relaxed) {
            child.kill()?;
            child.wait()?;
            bail!("{step}: stopped, because another step failed");
        }
        if start.elapsed() >= next {
            say(&format!("{step} … {} s  {}", start.elapsed().as_secs(), last_line(&path)));
            next = if next < HEARTBEAT { HEARTBEAT } else { next + HEARTBEAT };
        }
        thread::sleep(POLL);
    };
    let output = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
    if !status.success() {
        STOP.store(true, Ordering::Relaxed);
        let lines: Vec<&str> = output.lines().collect();
        let first = lines.len().saturating_sub(LINES_OF_A_FAILURE);
        say(&lines[first..].join("\n"));
        say(&counts::failures_of_cargo(&output, LINES_OF_A_FAILURE).join("\n"));
        bail!("{step} failed ({status}); whole output: {}", path.display());
    }
    if start.elapsed() >= Duration::from_secs(1) {
        say(&format!("{step}: done in {} s", start.elapsed().as_secs()));
    }
    Ok(output)
}

/// Runs two jobs concurrently; the first failure stops both.
pub(crate) fn side_by_side<A: Send, B: Send>(
    left: impl FnOnce() -> Result<A> + Send,
    right: impl FnOnce() -> Result<B> + Send,
) -> Result<(A, B)> {
    thread::scope(|scope| {
        let left = scope.spawn(|| stopping_others(left()));
        let right = stopping_others(right());
        let left = left.join().map_err(|_| anyhow::anyhow!("a step panicked"))?;
        match (left, right) {
            (Ok(left), Ok(right)) => Ok((left, right)),
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
            // Both failed: one of them only because it was stopped.
            (Err(left), Err(right)) => {
                Err(if left.to_string().contains("another step failed") { right } else { left })
            }
        }
    })
}

fn stopping_others<T>(result: Result<T>) -> Result<T> {
    if result.is_err() {
        STOP.store(true, Ordering::Relaxed);
    }
    result
}

/// Standard output of a command; `None` when it cannot be run or fails.
pub(crate) fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn last_line(path: &Path) -> String {
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().chars().take(80).collect()
}
