//! `guard` and `pg-selects`: accuracy of reading and checking SQL, on files of statements that the caller names.

mod guard;
mod judge;
mod pg_selects;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Usage of the evaluations `guard` and `pg-selects`.
pub(super) const USAGE: &str = "eval pg-selects|guard --cases FILE [--show N]";

/// Runs `pg-selects` or `guard`; `None` for any other name.
pub(super) fn run(name: &str, arguments: &[String]) -> Option<Result<()>> {
    let harness = match name {
        "guard" => guard::run,
        "pg-selects" => pg_selects::run,
        _ => return None,
    };
    Some(Options::parse(arguments).and_then(|options| harness(&options)))
}

/// Command-line options of `guard` and `pg-selects`.
struct Options {
    /// File of cases.
    cases: PathBuf,
    /// Maximum number of examples shown for each kind of failure.
    show: usize,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut cases = None;
        let mut show = 1;
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            let value = arguments
                .next()
                .with_context(|| format!("{name} needs a value\n\nusage: {USAGE}"))?;
            match name.as_str() {
                "--cases" => cases = Some(PathBuf::from(value)),
                "--show" => show = value.parse().with_context(|| format!("{name} {value}"))?,
                other => bail!("unknown option: {other}\n\nusage: {USAGE}"),
            }
        }
        let cases = cases.with_context(|| format!("--cases is missing\n\nusage: {USAGE}"))?;
        Ok(Self { cases, show })
    }
}

/// Content of a text file; decompressed when its name ends in `.gz`.
fn text_of(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    } else {
        bytes.as_slice().read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Failures by reason, with the statements that show them.
#[derive(Default)]
struct Faults {
    by_reason: BTreeMap<String, Vec<String>>,
}

impl Faults {
    fn add(&mut self, reason: String, example: String) {
        self.by_reason.entry(reason).or_default().push(example);
    }

    /// Writes the reasons, most frequent first, each with a few examples.
    fn write(&self, heading: &str, show: usize, output: &mut impl Write) -> Result<()> {
        let mut reasons: Vec<_> = self.by_reason.iter().collect();
        reasons.sort_by_key(|(reason, examples)| (usize::MAX - examples.len(), reason.as_str()));
        for (reason, examples) in reasons {
            writeln!(output, "{heading} {} × {reason}", examples.len())?;
            for example in examples.iter().take(show) {
                writeln!(output, "    {}", example.replace('\n', "\n    "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_faults_are_said() {
        let parse =
            |line: &str| Options::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let options = parse("--cases a.json.gz --show 3").unwrap();
        assert_eq!((options.cases, options.show), (PathBuf::from("a.json.gz"), 3));
        for line in ["--show 3", "--cases", "--cases a --show x", "--other 1"] {
            assert!(parse(line).is_err(), "{line}");
        }
        assert!(run("composer", &[]).is_none());
    }
}
