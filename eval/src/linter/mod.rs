//! `lint` and `mutate`: how well the linter finds mistakes, and how well autocorrection repairs them.

mod cases;
mod evidence;
mod mutate;
mod mutation;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

/// Usage of the evaluations `lint` and `mutate`.
pub(super) const USAGE: &str = "\
eval lint --cases FILE [--show N]
eval mutate --questions FILE --databases DIR [--limit N] [--show N]";

/// Runs `lint` or `mutate`; `None` for any other name.
pub(super) fn run(name: &str, arguments: &[String]) -> Option<Result<()>> {
    let harness = match name {
        "lint" => cases::run,
        "mutate" => mutate::run,
        _ => return None,
    };
    Some(Options::parse(arguments).and_then(|options| harness(&options)))
}

/// Command-line options of `lint` and `mutate`.
#[derive(Debug, Default, PartialEq)]
struct Options {
    /// File of cases or questions.
    file: PathBuf,
    /// Folder of the databases.
    databases: PathBuf,
    /// Maximum number of questions.
    limit: Option<usize>,
    /// Maximum number of examples shown for each kind of mistake.
    show: usize,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self { show: 3, ..Self::default() };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            let value = arguments
                .next()
                .with_context(|| format!("{name} needs a value\n\nusage: {USAGE}"))?;
            let number = || value.parse().with_context(|| format!("{name} {value} is no number"));
            match name.as_str() {
                "--cases" | "--questions" => options.file = value.into(),
                "--databases" => options.databases = value.into(),
                "--limit" => options.limit = Some(number()?),
                "--show" => options.show = number()?,
                other => bail!("unknown option: {other}\n\nusage: {USAGE}"),
            }
        }
        if options.file.as_os_str().is_empty() {
            bail!("a file is missing\n\nusage: {USAGE}");
        }
        Ok(options)
    }
}

/// Examples of wrong results, by reason.
#[derive(Default)]
struct Examples {
    by_reason: BTreeMap<String, Vec<String>>,
}

impl Examples {
    fn add(&mut self, reason: impl Into<String>, example: String) {
        self.by_reason.entry(reason.into()).or_default().push(example);
    }

    /// Writes the reasons, most frequent first, each with its first examples.
    fn write(&self, show: usize, output: &mut impl Write) -> Result<()> {
        let mut reasons: Vec<_> = self.by_reason.iter().collect();
        reasons.sort_by_key(|(reason, examples)| (usize::MAX - examples.len(), reason.as_str()));
        for (reason, examples) in reasons {
            writeln!(output, "{} × {reason}", examples.len())?;
            for example in examples.iter().take(show) {
                writeln!(output, "    {}", example.replace('\n', "\n    "))?;
            }
        }
        Ok(())
    }
}
