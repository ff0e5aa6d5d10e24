//! Measures how well questions are understood and SQL is read, on data sets that the caller names.

mod all;
mod ambiguity;
mod changed;
mod clarify;
mod completions;
mod composer;
mod coverage;
mod dialogue;
mod edit;
mod facts;
mod gold;
mod item;
mod lenient;
mod linter;
mod options;
mod parts;
mod report;
mod rows;
mod score;
mod sets;
mod source;
mod sql;
mod train;
mod transpile;
mod unanswerable;
mod user;
mod work;

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};

use options::Options;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one evaluation: its name, then its options.
fn run(arguments: &[String]) -> Result<()> {
    let Some((harness, rest)) = arguments.split_first() else {
        bail!("usage: {}\n\n{}", options::USAGE, sql::USAGE)
    };
    if let Some(result) = linter::run(harness, rest).or_else(|| sql::run(harness, rest)) {
        return result;
    }
    if harness == "transpile" {
        return transpile::run(rest);
    }
    if harness == "train" {
        return train::run(rest);
    }
    if harness == "all" {
        return all::run(rest);
    }
    let options = Options::parse(rest)?;
    let items = sets::load(&options)?;
    match harness.as_str() {
        "ambiguity" => ambiguity::run(&items, &options),
        "clarify" => clarify::run(&items, &options),
        "completions" => completions::run(&items, &options),
        "composer" => composer::run(&items, &options),
        "reword" => composer::reword::run(&items, &options),
        "unanswerable" => unanswerable::run(&items, &options),
        other => {
            bail!("unknown evaluation: {other}\n\nusage: {}\n\n{}", options::USAGE, sql::USAGE)
        }
    }
}
