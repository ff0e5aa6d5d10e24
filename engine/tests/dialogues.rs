//! Dialogues in Markdown, played on both dialects; `UPDATE_EXPECT=1` rewrites the expectations.
#![expect(
    clippy::disallowed_methods,
    reason = "the scenarios are files, and a variable rewrites them"
)]

mod support;

use std::fmt::Write;

use similar::TextDiff;
use support::catalogs::engine;
use support::play::play;
use support::scenario::{File, Scenario, files};
use wherefore_sql::Dialect;

/// A block that differs from the engine's output.
#[derive(Debug)]
struct Difference {
    opens: usize,
    title: String,
    dialect: Dialect,
    expected: String,
    found: String,
}

#[test]
fn dialogues_go_as_written() {
    let update = std::env::var("UPDATE_EXPECT").is_ok_and(|value| value == "1");
    let mut report = String::new();
    let mut played = 0;
    for file in files() {
        played += file.scenarios.len();
        let mut differences = differences(&file);
        if update {
            rewrite(&file, &mut differences);
        } else {
            for difference in &differences {
                report.push_str(&described(&file, difference));
            }
        }
    }
    assert!(report.is_empty(), "\n{report}\nUPDATE_EXPECT=1 writes what was found instead");
    assert!(played >= 45, "only {played} scenarios were found");
}

#[test]
fn no_scenario_is_named_twice_in_a_file() {
    for file in files() {
        let mut titles: Vec<&str> =
            file.scenarios.iter().map(|scenario| scenario.title.as_str()).collect();
        titles.sort_unstable();
        let count = titles.len();
        titles.dedup();
        assert_eq!(titles.len(), count, "{}", file.path.display());
    }
}

fn differences(file: &File) -> Vec<Difference> {
    let mut found = Vec::new();
    for dialect in [Dialect::Sqlite, Dialect::Postgres] {
        let engine = engine(&file.front, dialect);
        for scenario in &file.scenarios {
            let seen = play(&engine, &file.front.today, scenario, &mut |_| {});
            found.extend(seen.into_iter().filter_map(|(position, seen)| {
                difference(scenario, position, seen.trim_end(), dialect)
            }));
        }
    }
    found
}

fn difference(
    scenario: &Scenario,
    position: usize,
    found: &str,
    dialect: Dialect,
) -> Option<Difference> {
    let block = &scenario.blocks[position];
    (block.text != found).then(|| Difference {
        opens: block.opens,
        title: scenario.title.clone(),
        dialect,
        expected: block.text.clone(),
        found: found.to_owned(),
    })
}

fn described(file: &File, difference: &Difference) -> String {
    let name = file.path.file_name().unwrap_or_default().to_string_lossy();
    let diff = TextDiff::from_lines(&difference.expected, &difference.found);
    let mut text = format!(
        "engine/tests/dialogues/{name}:{}: {} ({})\n",
        difference.opens + 1,
        difference.title,
        difference.dialect
    );
    for change in diff.iter_all_changes() {
        let _ = writeln!(text, "    {}{}", change.tag(), change.value().trim_end());
    }
    text
}

/// Writes the actual output into the file, last block first so that positions stay valid.
fn rewrite(file: &File, differences: &mut [Difference]) {
    if differences.is_empty() {
        return;
    }
    differences.sort_by_key(|difference| std::cmp::Reverse(difference.opens));
    let text = std::fs::read_to_string(&file.path).expect("the scenario file is readable");
    let mut lines: Vec<&str> = text.lines().collect();
    let mut last = usize::MAX;
    for difference in differences {
        if difference.opens != last {
            last = difference.opens;
            let first = difference.opens + 1;
            let length = lines[first..].iter().position(|line| *line == "```").unwrap_or_default();
            lines.splice(first..first + length, difference.found.lines());
        }
    }
    std::fs::write(&file.path, lines.join("\n") + "\n").expect("the scenario file is writable");
}
