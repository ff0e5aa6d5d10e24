//! `fuzz`: any bytes as SQL for some minutes, from the corpus that is kept and into it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::{process, tools, workspace};

/// Seconds of a run where none are given.
const SECONDS: u64 = 600;
/// Longest input, in bytes.
const LONGEST: u64 = 600;

/// Runs the fuzzer; of what it found, the inputs that reach what none did before go into `fuzz/corpus`.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let seconds = match arguments {
        [] => SECONDS,
        [seconds] => seconds.parse().context("seconds are a whole number")?,
        _ => bail!("usage: cargo xtask fuzz [SECONDS]"),
    };
    let program = tools::cargo_fuzz()?;
    let folder = workspace::root().join("fuzz");
    let corpus = folder.join("corpus/sql");
    let found = workspace::target().join("fuzz-found");
    fs::create_dir_all(&found)?;
    let fuzz = |folders: [&Path; 2], flags: &[String]| {
        let mut it = process::command(&program);
        // The sanitizers need a nightly compiler; a panic or a hang is found without them.
        it.args(["fuzz", "run", "--sanitizer", "none", "--features", "libfuzzer"]);
        // Optimising over crates takes minutes and gains a fuzzer little.
        it.env("CARGO_PROFILE_RELEASE_LTO", "off");
        it.arg("--fuzz-dir").arg(&folder).arg("sql").args(folders).arg("--");
        it.arg(format!("-max_len={LONGEST}")).arg("-timeout=10").args(flags);
        it
    };
    let looked = process::run(
        &format!("fuzz sql for {seconds} s"),
        &mut fuzz(
            [&found, &corpus],
            &[
                format!("-max_total_time={seconds}"),
                format!("-dict={}", folder.join("sql.dict").display()),
                "-len_control=20".to_owned(),
                "-print_final_stats=1".to_owned(),
            ],
        ),
    )?;
    for line in looked.lines().filter(|line| line.starts_with("stat::") || line.contains("Done ")) {
        process::say(line);
    }
    let before = fs::read_dir(&corpus)?.count();
    process::run(
        "keep what is new",
        // How often a line is reached counts for nothing: it would keep thousands.
        &mut fuzz([&corpus, &found], &["-merge=1".to_owned(), "-use_counters=0".to_owned()]),
    )?;
    process::say(&format!("{} inputs are new", fs::read_dir(&corpus)?.count() - before));
    fs::remove_dir_all(&found)?;
    Ok(())
}
