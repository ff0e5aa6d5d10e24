//! Reads scenarios from Markdown: front lines, then one `##` section per scenario with fenced blocks.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use wherefore_sql::Dialect;

/// A file of scenarios with common front lines.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// Path of the file.
    pub(crate) path: PathBuf,
    /// Front lines of the file.
    pub(crate) front: Front,
    /// Scenarios of the file, in order.
    pub(crate) scenarios: Vec<Scenario>,
}

/// `key: value` lines above the first heading.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    /// `catalog: NAME`, a file of `data/catalogs`.
    pub(crate) catalog: String,
    /// `today: yyyy-mm-dd`.
    pub(crate) today: String,
    /// Whether there is a database; false with `database: none`.
    pub(crate) database: bool,
    /// `settings.NAME: JSON`.
    pub(crate) settings: Map<String, Value>,
}

/// One dialogue.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scenario {
    /// Heading of the scenario.
    pub(crate) title: String,
    /// Blocks of the scenario, in order.
    pub(crate) blocks: Vec<Block>,
}

/// A fenced block: an input, or an expected output.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Kind.
    pub(crate) kind: Kind,
    /// Rest of the opening line.
    pub(crate) flag: String,
    /// Text between the fences, without the last line break.
    pub(crate) text: String,
    /// Index of the opening line, from 0.
    pub(crate) opens: usize,
}

/// Kinds of blocks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// Input: answers to open clarifications.
    Answer,
    /// Expected: clarifications, each with its options.
    Asks,
    /// Expected: assumptions, made without asking or by an answer.
    Assumes,
    /// Input: the user cancels.
    Cancel,
    /// Input: another choice for an assumption, or a changed answer.
    Change,
    /// Input: a correction, in words or as JSON.
    Correct,
    /// Input: a column `table.column` to remove from the catalog.
    Drop,
    /// Input: a meaning to remove from memory.
    Forget,
    /// Input: a phrase whose question is marked as needless; with the flag `helpful`, as helpful.
    Mark,
    /// Input: a phrase whose choice is to be remembered.
    Remember,
    /// Expected: the reason for each clarification.
    Reasons,
    /// Expected: the contents of memory.
    Remembers,
    /// Expected: what a follow-up question kept and changed.
    Follows,
    /// Expected: the options that have a confidence.
    Rates,
    /// Expected: lessons in memory, each with its strength, successes and uses.
    Lessons,
    /// Input: replies of a model, separated by lines of `---`.
    Model,
    /// Expected: notes about the rows.
    Notes,
    /// Expected: the outcome with the code of the problem; the state if there is no outcome yet.
    Outcome,
    /// Expected: the value of each parameter of the template, with its confidence and its source.
    Parameters,
    /// Expected: message and hint of the problem.
    Problem,
    /// Expected: the sentence that states how the question was understood.
    Reads,
    /// Expected: why the last event was refused.
    Refused,
    /// Input: run again.
    Retry,
    /// Input: result of the pending statement.
    Rows,
    /// Expected: pending searches for stored values.
    Searches,
    /// Expected: the statement.
    Sql,
    /// Expected: suggested follow-up questions.
    Suggests,
    /// Expected: the steps that led to the statement.
    Trace,
    /// Expected: what the clarifications list as understood.
    Understood,
    /// Input: a question; with the flag `by NAME`, of this person.
    User,
    /// Input: results of the pending searches.
    Values,
    /// Expected: the writer and the mode of the statement, and what was assumed.
    Written,
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "answer" => Self::Answer,
            "asks" => Self::Asks,
            "assumes" => Self::Assumes,
            "cancel" => Self::Cancel,
            "change" => Self::Change,
            "correct" => Self::Correct,
            "drop" => Self::Drop,
            "forget" => Self::Forget,
            "mark" => Self::Mark,
            "remember" => Self::Remember,
            "reasons" => Self::Reasons,
            "remembers" => Self::Remembers,
            "follows" => Self::Follows,
            "lessons" => Self::Lessons,
            "model" => Self::Model,
            "notes" => Self::Notes,
            "outcome" => Self::Outcome,
            "parameters" => Self::Parameters,
            "problem" => Self::Problem,
            "rates" => Self::Rates,
            "reads" => Self::Reads,
            "refused" => Self::Refused,
            "retry" => Self::Retry,
            "rows" => Self::Rows,
            "searches" => Self::Searches,
            "sql" => Self::Sql,
            "suggests" => Self::Suggests,
            "trace" => Self::Trace,
            "understood" => Self::Understood,
            "user" => Self::User,
            "values" => Self::Values,
            "written" => Self::Written,
            _ => return None,
        })
    }

    /// Whether the block is an input rather than an expected output.
    pub(crate) fn is_input(self) -> bool {
        matches!(
            self,
            Self::Answer
                | Self::Cancel
                | Self::Change
                | Self::Correct
                | Self::Drop
                | Self::Forget
                | Self::Mark
                | Self::Model
                | Self::Remember
                | Self::Retry
                | Self::Rows
                | Self::User
                | Self::Values
        )
    }
}

impl Block {
    /// Whether the block applies to this dialect: ```` ```sql postgres ```` is for PostgreSQL, plain `sql` for
    /// SQLite.
    pub(crate) fn is_for(&self, dialect: Dialect) -> bool {
        self.kind != Kind::Sql || (self.flag == "postgres") == (dialect == Dialect::Postgres)
    }
}

impl Front {
    /// Default front lines for a catalog.
    pub(crate) fn of_catalog(catalog: &str) -> Self {
        Self {
            catalog: catalog.to_owned(),
            today: "2026-11-20".to_owned(),
            database: true,
            settings: Map::new(),
        }
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let (key, value) = line.split_once(": ")?;
        match key {
            "catalog" => value.clone_into(&mut self.catalog),
            "today" => value.clone_into(&mut self.today),
            "database" => self.database = value != "none",
            _ => {
                let name = key.strip_prefix("settings.")?;
                self.settings.insert(name.to_owned(), serde_json::from_str(value).ok()?);
            }
        }
        Some(())
    }
}

/// All files in `dialogues`, sorted by path.
pub(crate) fn files() -> Vec<File> {
    let folder = super::catalogs::tests_folder().join("dialogues");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> File {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<&str> = text.lines().collect();
    let mut front = Front::of_catalog("");
    let mut scenarios: Vec<Scenario> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let place = || format!("{}:{}", path.display(), at + 1);
        if let Some(title) = line.strip_prefix("## ") {
            scenarios.push(Scenario { title: title.to_owned(), blocks: Vec::new() });
        } else if let Some(opening) = line.strip_prefix("```") {
            let (name, flag) = opening.split_once(' ').unwrap_or((opening, ""));
            let kind = Kind::named(name)
                .unwrap_or_else(|| panic!("{}: unknown kind of block {name}", place()));
            let length = lines[at + 1..]
                .iter()
                .position(|line| *line == "```")
                .unwrap_or_else(|| panic!("{}: block is not closed", place()));
            let closes = at + 1 + length;
            let block = Block {
                kind,
                flag: flag.to_owned(),
                text: lines[at + 1..closes].join("\n"),
                opens: at,
            };
            scenarios
                .last_mut()
                .unwrap_or_else(|| panic!("{}: block outside of a scenario", place()))
                .blocks
                .push(block);
            at = closes;
        } else if scenarios.is_empty() && !line.is_empty() && !line.starts_with(['#', '>']) {
            front.read(line).unwrap_or_else(|| panic!("{}: unknown front line", place()));
        }
        at += 1;
    }
    File { path: path.to_owned(), front, scenarios }
}
