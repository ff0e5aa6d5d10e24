//! Everyday questions about the sample, asked on SQLite and on another database.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;
use wherefore_engine::catalog::Catalog;
use wherefore_sql::{ReadDialect, Target, Translated, translate};
use wherefore_tests::proxy::{Proxy, Reply};
use wherefore_tests::recordings::inputs::everyday;
use wherefore_tests::recordings::sample::TODAY;
use wherefore_tests::workspace;

/// Maximum number of rounds of clarifications.
const ROUNDS: usize = 6;

/// The sample as a SQLite file.
pub(crate) fn sample() -> (TempDir, PathBuf) {
    let folder = TempDir::with_prefix("wherefore-sample-").unwrap();
    let file = folder.path().join("sample.sqlite");
    wherefore_sample::load_sqlite(&file, TODAY.parse().unwrap()).unwrap();
    (folder, file)
}

/// Compares the rows of a SQLite file with those of another database, which refuses only what contains these words.
#[allow(dead_code, reason = "for databases with keys")]
pub(crate) fn compare(file: &Path, options: &[&str], lacks: &str) {
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

/// Asks the questions on another database, whose catalog may differ, and runs each statement there and on a SQLite file.
#[allow(dead_code, reason = "for databases without keys")]
pub(crate) fn compare_statements(file: &Path, options: &[&str]) {
    let pack = workspace::root().join("sample/pack.toml");
    let start = |options: &[&str]| {
        Proxy::start(&[&["--pack", pack.to_str().unwrap()], options].concat()).unwrap()
    };
    let sqlite = start(&["--database", file.to_str().unwrap()]);
    let other = start(options);
    let catalog = other.get("catalog").unwrap().body["catalog"].take();
    let catalog: Catalog = serde_json::from_value(catalog).unwrap();
    let (mut same, mut untranslated, mut unlike) = (0, 0, Vec::new());
    for question in everyday().unwrap().into_iter().filter(|question| question.before.is_none()) {
        let asked = ended(&other, &question.text);
        let Some(sql) = asked.body["view"]["sql"].as_str() else { continue };
        let translated = translate(sql, ReadDialect::Postgres, Target::Sqlite, Some(&catalog));
        let Ok(Translated { sql: on_sqlite, .. }) = translated else {
            untranslated += 1;
            continue;
        };
        let run =
            |proxy: &Proxy, sql: &str| proxy.post("sql/execute", &json!({ "sql": sql })).unwrap();
        let (found, expected) = (run(&other, sql), run(&sqlite, &on_sqlite));
        if found.status == 200 && sorted(&found.body["rows"]) == sorted(&expected.body["rows"]) {
            same += 1;
        } else {
            unlike.push(format!(
                "{}: {} instead of {}\n{sql}",
                question.text,
                shown(&found.body),
                shown(&expected.body)
            ));
        }
    }
    assert!(unlike.is_empty(), "{} of {same} are unlike:\n{}", unlike.len(), unlike.join("\n\n"));
    assert!(untranslated < 10, "SQLite lacks what {untranslated} statements need");
    assert!(same > 150, "only {same} statements have the same rows");
}

/// The start of the rows or of the problem.
fn shown(body: &Value) -> String {
    let text = format!("{} {}", body["rows"], body["detail"]);
    text.chars().take(300).collect()
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

#[allow(dead_code, reason = "for databases with keys")]
fn short(body: &Value) -> String {
    let result = &body["view"]["result"]["rows"];
    let text = format!("{} {} {}", body["outcome"], body["detail"], result);
    text.chars().take(300).collect()
}
