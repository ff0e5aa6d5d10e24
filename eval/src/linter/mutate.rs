//! `mutate`: breaks correct statements in known ways and measures detection and repair.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context, Result};
use serde::Deserialize;
use wherefore_engine::catalog::Catalog;
use wherefore_sql::lint::{Finding, Severity, lint};
use wherefore_sql::repair::autocorrect;
use wherefore_sql::{Dialect, print, read};

use super::evidence::{Evidence, same};
use super::mutation::Mutation;
use super::{Examples, Options};
use crate::source::{Source, path_of, read_catalog};

/// A question with its statement.
#[derive(Deserialize)]
struct Record {
    db_id: String,
    query: String,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    n: usize,
    detected: usize,
    /// Mutants with an unresolved name, which do not run.
    unresolved: usize,
    repaired: usize,
}

/// Mutates every statement that runs and returns rows; mutants that return the same rows are not counted.
pub(super) fn run(options: &Options) -> Result<()> {
    let text = std::fs::read_to_string(&options.file)
        .with_context(|| format!("cannot read {}", options.file.display()))?;
    let mut records: Vec<Record> = serde_json::from_str(&text).context("no list of questions")?;
    records.truncate(options.limit.unwrap_or(usize::MAX));
    let mut by_database: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for record in records {
        let queries = by_database.entry(record.db_id).or_default();
        if !queries.contains(&record.query) {
            queries.push(record.query);
        }
    }
    let mut measured = Measured::default();
    for (id, queries) in by_database {
        let Ok(path) = path_of(&options.databases, &id) else { continue };
        let catalog = read_catalog(&path)?;
        let source = Source::open(&path, &catalog, None)?;
        for query in queries {
            measured.statement(&query, &catalog, &source);
        }
    }
    let mut output = std::io::stdout().lock();
    measured.write(options, &mut output)
}

#[derive(Default)]
struct Measured {
    clean: usize,
    /// Correct statements with a warning or an error.
    alarms: usize,
    /// Alarms that the stored rows confirm.
    confirmed: usize,
    by_mutation: BTreeMap<Mutation, Tally>,
    examples: Examples,
}

impl Measured {
    fn statement(&mut self, query: &str, catalog: &Catalog, source: &Source) {
        // SQLite accepts double-quoted strings, which the product never writes: correct them first.
        let query = autocorrect(query, catalog, None).sql;
        let Ok(tree) = read(&query, Dialect::Sqlite.into()) else { return };
        let Ok(printed) = print(&tree, Dialect::Sqlite) else { return };
        let Some(rows) = source.rows(&query) else { return };
        if rows.rows.is_empty() {
            return;
        }
        self.clean += 1;
        let found: Vec<Finding> = bad(lint(&query, catalog, None));
        if let Some(first) = found.first() {
            let confirmed =
                Evidence { source, catalog, query: &query, rows: &rows }.bears_out(&found);
            self.alarms += 1;
            self.confirmed += usize::from(confirmed);
            let kind = if confirmed { "confirmed" } else { "false" };
            let all: Vec<String> = found.iter().map(ToString::to_string).collect();
            let example = format!("{query}\n{}", all.join("\n"));
            self.examples.add(format!("{kind} alarm {}", first.rule.id), example);
        }
        if source.rows(&printed).is_none_or(|again| !same(&again, &rows)) {
            return;
        }
        for (at, mutation) in Mutation::ALL.into_iter().enumerate() {
            let seed = self.clean + at;
            let Some(broken) = mutation.apply(&tree, catalog, seed) else { continue };
            let Ok(broken) = print(&broken, Dialect::Sqlite) else { continue };
            if source.rows(&broken).is_some_and(|again| same(&again, &rows)) {
                continue;
            }
            let tally = self.by_mutation.entry(mutation).or_default();
            tally.n += 1;
            let found = bad(lint(&broken, catalog, None));
            if found.is_empty() {
                self.examples.add(format!("not detected: {}", mutation.name()), broken.clone());
            }
            tally.detected += usize::from(!found.is_empty());
            if mutation.is_of_name() && source.rows(&broken).is_none() {
                tally.unresolved += 1;
                let corrected = autocorrect(&broken, catalog, None);
                let right = source.rows(&corrected.sql).is_some_and(|again| same(&again, &rows));
                tally.repaired += usize::from(right);
                if !right {
                    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
                    let example = format!("{broken}\n{}\n{}", found.join("\n"), corrected.sql);
                    self.examples.add(format!("not repaired: {}", mutation.name()), example);
                }
            }
        }
    }

    fn write(&self, options: &Options, output: &mut impl Write) -> Result<()> {
        self.examples.write(options.show, output)?;
        let mut all = Tally::default();
        let mut names = Tally::default();
        for (mutation, tally) in &self.by_mutation {
            let Tally { n, detected, unresolved, repaired } = *tally;
            writeln!(
                output,
                "{:16} {n:6} detected {detected:6}, {unresolved:6} do not resolve: repaired {repaired:6}",
                mutation.name()
            )?;
            all.n += n;
            all.detected += detected;
            names.n += unresolved;
            names.repaired += repaired;
        }
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let figures = serde_json::json!({
            "n": all.n,
            "detected": share(all.detected, all.n),
            "names": names.n,
            "repaired": share(names.repaired, names.n),
            "clean": self.clean,
            "alarms": self.alarms,
            "confirmed": self.confirmed,
            "false_alarms_per_1000": 1000.0 * share(self.alarms - self.confirmed, self.clean),
        });
        writeln!(output, "{figures}")?;
        Ok(())
    }
}

/// Warnings and errors.
fn bad(found: Vec<Finding>) -> Vec<Finding> {
    found.into_iter().filter(|finding| finding.severity > Severity::Note).collect()
}
