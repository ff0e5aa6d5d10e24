//! Everyday questions about the sample have the same answers on MariaDB and DuckDB as on SQLite.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;
use wherefore_tests::copy::{sqlite_to_duckdb, sqlite_to_mariadb};
use wherefore_tests::duckdb::DuckDb;
use wherefore_tests::mariadb::MariaDb;
use wherefore_tests::proxy::{Proxy, Reply};
use wherefore_tests::recordings::inputs::everyday;
use wherefore_tests::recordings::sample::TODAY;
use wherefore_tests::workspace;

/// Maximum number of rounds of clarifications.
const ROUNDS: usize = 6;

// Promise: dialects.same-answers
#[test]
fn everyday_questions_have_the_same_rows_on_mariadb_and_on_sqlite() {
    let (_folder, file) = sample();
    let server = MariaDb::start().unwrap();
    sqlite_to_mariadb(&file, &server).unwrap();
    compare(&file, &["--database", &server.url()], "percentile_cont");
}

// Promise: dialects.same-answers
#[test]
fn everyday_questions_have_the_same_rows_on_duckdb_and_on_sqlite() {
    let (_folder, file) = sample();
    let Some(copy) = DuckDb::new(&sqlite_to_duckdb(&file).unwrap()) else { return };
    compare(&file, &copy.options(), "nothing");
}

/// The sample as a SQLite file.
fn sample() -> (TempDir, PathBuf) {
    let folder = TempDir::with_prefix("wherefore-sample-").unwrap();
    let file = folder.path().join("sample.sqlite");
    wherefore_sample::load_sqlite(&file, TODAY.parse().unwrap()).unwrap();
    (folder, file)
}

/// Compares the rows of a SQLite file with those of another database, which refuses only what contains these words.
fn compare(file: &Path, options: &[&str], lacks: &str) {
    let pack = workspace::root().join("sample/pack.toml");
    let start = |options: &[&str]| {
        Proxy::start(&[&["--pack", pack.to_str().unwrap()], options].concat()).unwrap()
    };
    let sqlite = start(&["--database", file.to_str().unwrap()]);
    let other = start(options);
    let (mut same, mut unlike, mut refused) = (0, Vec::new(), Vec::new());
    for question in everyday().unwrap().into_iter().filter(|question| question.before.is_none()) {
        let (expected, found) = (ended(&sqlite, &question.text), ended(&other, &question.text));
        let rows = |reply: &Reply| sorted(&reply.body["view"]["result"]["rows"]);
        if found.body["code"] == "statement_refused" {
            refused.push(format!("{}: {}", question.text, found.body["detail"]));
        } else if found.body["outcome"] == expected.body["outcome"]
            && rows(&found) == rows(&expected)
        {
            same += 1;
        } else {
            unlike.push(format!(
                "{}: {} instead of {}\n{}\n{}",
                question.text,
                short(&found.body),
                short(&expected.body),
                found.body["view"]["sql"],
                expected.body["view"]["sql"],
            ));
        }
    }
    assert!(unlike.is_empty(), "{} of {same} are unlike:\n{}", unlike.len(), unlike.join("\n\n"));
    assert!(same > 150, "only {same} questions have the same rows");
    let others: Vec<&String> = refused.iter().filter(|it| !it.contains(lacks)).collect();
    assert!(others.is_empty(), "only {lacks} cannot be expressed: {others:?}");
}

/// The last reply to a question, whose clarifications are answered with their first options.
fn ended(proxy: &Proxy, question: &str) -> Reply {
    let mut reply = proxy.post("query", &json!({ "question": question, "today": TODAY })).unwrap();
    for _ in 0..ROUNDS {
        let Some(asked) = reply.body["clarification_id"].as_str() else { break };
        let answers: Vec<Value> = reply.body["questions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|question| {
                let answer = match question["options"][0]["id"].as_str() {
                    Some(option) => json!({ "type": "option", "option_id": option }),
                    None => json!({ "type": "best_guess" }),
                };
                json!({ "clarification_id": question["id"], "answer": answer })
            })
            .collect();
        let body = json!({ "clarification_id": asked, "answers": answers });
        reply = proxy.post("query/clarify", &body).unwrap();
    }
    reply
}

/// Rows in an order of their own, since ties and missing sort keys leave it open; numbers are compared by their value.
fn sorted(rows: &Value) -> Vec<Vec<String>> {
    let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
    let cells = rows.iter().map(|row| row.as_array().unwrap().iter().map(cell).collect());
    let mut cells: Vec<Vec<String>> = cells.collect();
    cells.sort();
    cells
}

fn cell(cell: &Value) -> String {
    let number = match cell {
        Value::Bool(value) => Some(f64::from(u8::from(*value))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    match (number, cell) {
        (Some(number), _) => format!("{number:.6}"),
        (None, Value::String(text)) => text.strip_suffix(" 00:00:00").unwrap_or(text).to_owned(),
        (None, other) => other.to_string(),
    }
}

fn short(body: &Value) -> String {
    let result = &body["view"]["result"]["rows"];
    let text = format!("{} {} {}", body["outcome"], body["detail"], result);
    text.chars().take(300).collect()
}
