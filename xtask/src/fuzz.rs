//! `fuzz`: runs the fuzzer from the committed corpus and adds inputs that reach new code.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{process, tools, workspace};

/// Default duration, in seconds.
const SECONDS: u64 = 600;
/// Maximum length of an input, in bytes.
const LONGEST: u64 = 600;

/// Runs the fuzzer, then packs inputs that reach new code into `fuzz/corpus.tar.gz`.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let seconds = match arguments {
        [] => SECONDS,
        [seconds] => seconds.parse().context("seconds are a whole number")?,
        _ => bail!("usage: cargo xtask fuzz [SECONDS]"),
    };
    let program = tools::cargo_fuzz()?;
    let corpus = workspace::target().join("fuzz-corpus");
    if corpus.exists() {
        fs::remove_dir_all(&corpus)?;
    }
    convert_corpus("unpack", &corpus)?;
    // Not emptied: it may hold the inputs of an interrupted run.
    let found = workspace::target().join("fuzz-found");
    fs::create_dir_all(&found)?;
    search(&program, seconds, &corpus, &found)?;
    let before = fs::read_dir(&corpus)?.count();
    process::run(
        "keep what is new",
        // With counters, libFuzzer would also keep thousands of inputs that only run a line more often.
        fuzzer(&program, [&corpus, &found]).args(["-merge=1", "-use_counters=0"]),
    )?;
    let new = fs::read_dir(&corpus)?.count() - before;
    process::say(&format!("{new} inputs are new"));
    if new > 0 {
        convert_corpus("pack", &corpus)?;
    }
    fs::remove_dir_all(&found)?;
    Ok(())
}

/// Fuzzes for `seconds`, starting from both folders; writes new inputs into `found` and prints statistics.
fn search(program: &Path, seconds: u64, corpus: &Path, found: &Path) -> Result<()> {
    let dictionary = workspace::root().join("fuzz/sql.dict");
    let output = process::run(
        &format!("fuzz sql for {seconds} s"),
        fuzzer(program, [found, corpus])
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-dict={}", dictionary.display()))
            .args(["-len_control=20", "-print_final_stats=1"]),
    )?;
    for line in output.lines().filter(|line| line.starts_with("stat::") || line.contains("Done ")) {
        process::say(line);
    }
    Ok(())
}

/// A libFuzzer command on two folders of inputs; it writes into the first one.
fn fuzzer(program: &Path, folders: [&Path; 2]) -> Command {
    let mut command = process::command(program);
    // Sanitizers need a nightly compiler; panics and hangs are found without them.
    command.args(["fuzz", "run", "--sanitizer", "none", "--features", "libfuzzer"]);
    // Link-time optimisation takes minutes and hardly speeds up the fuzzer.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off");
    command.arg("--fuzz-dir").arg(workspace::root().join("fuzz")).arg("sql").args(folders);
    command.arg("--").arg(format!("-max_len={LONGEST}")).arg("-timeout=10");
    command
}

/// Unpacks the committed corpus into a folder, or packs the folder into it.
fn convert_corpus(command: &str, folder: &Path) -> Result<()> {
    process::run(
        &format!("{command} the corpus"),
        process::cargo()
            .args(["run", "--package", "wherefore-fuzz", "--bin", "wherefore-fuzz-corpus", "--"])
            .arg(command)
            .arg(folder),
    )?;
    Ok(())
}
