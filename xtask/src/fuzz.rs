//! `fuzz`: any bytes as SQL for some minutes, from the corpus that is kept and into it.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::{process, tools, workspace};

/// Seconds of a run where none are given.
const SECONDS: u64 = 600;
/// Longest input, in bytes.
const LONGEST: u64 = 600;

/// Runs the fuzzer; what it found new and small goes into `fuzz/corpus`.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let seconds = match arguments {
        [] => SECONDS,
        [seconds] => seconds.parse().context("seconds are a whole number")?,
        _ => bail!("usage: cargo xtask fuzz [SECONDS]"),
    };
    let program = tools::cargo_fuzz()?;
    let folder = workspace::root().join("fuzz");
    let found = workspace::target().join("fuzz-found");
    fs::create_dir_all(&found)?;
    let fuzz = |command: &str| {
        let mut it = process::command(&program);
        // The sanitizers need a nightly compiler; a panic or a hang is found without them.
        it.args(["fuzz", command, "--sanitizer", "none", "--features", "libfuzzer"]);
        // Optimising over crates takes minutes and gains a fuzzer little.
        it.env("CARGO_PROFILE_RELEASE_LTO", "off");
        it.arg("--fuzz-dir").arg(&folder).arg("sql");
        it
    };
    let output = process::run(
        &format!("fuzz sql for {seconds} s"),
        fuzz("run")
            .arg(&found)
            .arg(folder.join("corpus/sql"))
            .arg("--")
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-max_len={LONGEST}"))
            .args(["-timeout=10", "-len_control=20", "-print_final_stats=1"])
            .arg(format!("-dict={}", folder.join("sql.dict").display())),
    )?;
    for line in output.lines().filter(|line| line.starts_with("stat::") || line.contains("Done ")) {
        process::say(line);
    }
    Ok(())
}
