//! The package's methods for SQL text, in Node: their results, and that no text makes them trap.
//!
//! The package must have been built: `cargo xtask test --only wasm` does both.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use wherefore_engine::Knowledge;
use wherefore_sql::explain::{explain, sentence};
use wherefore_sql::lint::lint;
use wherefore_sql::repair::autocorrect;
use wherefore_sql::{Diagnostic, ReadDialect, Target, transpile};
use wherefore_tests::package::{self, as_javascript, plain};
use wherefore_tests::workspace;

/// Statements on the bookshop: correct, wrong with every kind of fix, of other dialects, and not SQL.
const STATEMENTS: [&str; 12] = [
    "SELECT name FROM authors WHERE born > 1900 ORDER BY name LIMIT 5",
    "SELECT '🍷🍷' AS wine, nmae FROM authors",
    "SELECT \"größe\", a.name FROM authors a WHERE a.nmae = '日本🍷' AND b.id = 1",
    "SELECT a.name, COUNT(*) FROM authors a JOIN books b ON b.author_id = a.id",
    "WITH old AS (SELECT id FROM authors WHERE born < 1900) SELECT COUNT(*) FROM old",
    "SELECT * FROM authors, books",
    "SELECT name FROM authors WHERE id IN (SELECT author_id FROM books WHERE title LIKE '%🍷%') LIMIT 3",
    "SELECT TOP 3 [name] FROM [authors]",
    "DELETE FROM authors",
    "SELECT name FROM authors WHERE name = NULL -- 🍷",
    "MATCH (a:Author) RETURN a.name",
    "",
];

fn knowledge() -> Knowledge {
    let path = workspace::root().join("tests/data/bookshop.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn call(knowledge: &Knowledge, calls: &[Value]) -> Vec<Value> {
    let input = json!({"knowledge": knowledge, "calls": calls});
    let results = package::run("statements.mjs", &input).unwrap();
    serde_json::from_value(results).unwrap()
}

fn thrown(code: &str, faults: &[Diagnostic], sql: &str) -> Value {
    let message = faults[0].to_string();
    let diagnostics = as_javascript(&json!(faults), sql);
    let name = "StatementError";
    json!({"error": {"name": name, "code": code, "message": message, "diagnostics": diagnostics}})
}

#[test]
fn i2_statements_are_judged_the_same_natively_and_in_wasm() {
    let knowledge = knowledge();
    let catalog = &knowledge.catalog;
    let (mut calls, mut expected) = (Vec::new(), Vec::new());
    for sql in STATEMENTS {
        calls.push(json!({"method": "lint", "sql": sql}));
        expected.push(json!({"value": as_javascript(&json!(lint(sql, catalog, None)), sql)}));
        calls.push(json!({"method": "explain", "sql": sql}));
        expected.push(match explain(sql, catalog) {
            Ok(steps) => {
                let steps = as_javascript(&json!(steps), sql);
                let steps_alone = explain(sql, catalog).unwrap();
                json!({"value": {"sentence": sentence(&steps_alone), "steps": steps}})
            }
            Err(faults) => thrown("statement_unreadable", &faults, sql),
        });
        calls.push(json!({"method": "autocorrect", "sql": sql}));
        let corrected = autocorrect(sql, catalog, None);
        expected.push(json!({"value": as_javascript(&json!(corrected), &corrected.sql)}));
        calls.push(json!({"method": "transpile", "sql": sql, "more": ["mssql", "sqlite"]}));
        expected.push(match transpile(sql, ReadDialect::Mssql, Target::Sqlite) {
            Ok(text) => json!({"value": text}),
            Err(faults) => thrown("statement_not_carried_over", &faults, sql),
        });
    }
    let results = call(&knowledge, &calls);
    assert_eq!(results.len(), calls.len());
    for ((call, result), expected) in calls.iter().zip(&results).zip(&expected) {
        assert_eq!(plain(result), *expected, "{call}");
    }
}

#[test]
fn places_behind_a_non_bmp_character_count_code_units() {
    let sql = "SELECT '🍷🍷' AS wine, nmae FROM authors";
    let calls = [
        json!({"method": "lint", "sql": sql}),
        json!({"method": "explain", "sql": sql.replace("nmae", "name")}),
        json!({"method": "explain", "sql": "SELECT '🍷🍷' AS wine; SELECT 1"}),
    ];
    let results = call(&knowledge(), &calls);
    let units: Vec<u16> = sql.encode_utf16().collect();
    let told = |span: &Value| {
        let place = |name: &str| span[name].as_u64().unwrap() as usize;
        String::from_utf16(&units[place("start")..place("end")]).unwrap()
    };
    let finding = &results[0]["value"][0];
    assert_eq!(told(&finding["span"]), "nmae", "{finding}");
    assert_eq!(told(&finding["fixes"][0]["edits"][0]["span"]), "nmae", "{finding}");
    let read = &results[1]["value"]["steps"][0];
    assert_eq!(told(&read["span"]), "authors", "{read}");
    let fault = &results[2]["error"]["diagnostics"][0];
    let behind = "SELECT '🍷🍷' AS wine; ".encode_utf16().count();
    assert_eq!(fault["span"]["start"], behind, "{fault}");
}

#[test]
fn what_was_asked_for_reaches_the_rules_of_the_package() {
    let sql = "SELECT name FROM authors";
    let asked = json!({"aggregate": "count"});
    let calls = [
        json!({"method": "lint", "sql": sql}),
        json!({"method": "lint", "sql": sql, "more": [asked]}),
        json!({"method": "autocorrect", "sql": sql, "more": [asked]}),
    ];
    let results = call(&knowledge(), &calls);
    assert_eq!(results[0]["value"], json!([]));
    assert!(results[1]["value"][0]["rule"].as_str().unwrap().starts_with('S'), "{}", results[1]);
    assert_eq!(results[2]["value"]["left"], results[1]["value"]);
}

#[test]
fn wrong_input_is_thrown_with_a_stable_code() {
    let sql = "SELECT name FROM authors";
    let calls = [
        json!({"method": "lint", "sql": sql, "more": [{"aggregate": "cuont"}]}),
        json!({"method": "autocorrect", "sql": sql, "more": [7]}),
        json!({"method": "transpile", "sql": sql, "more": ["dbase", "sqlite"]}),
        json!({"method": "transpile", "sql": sql, "more": ["sqlite", null]}),
        json!({"method": "explain", "sql": "SELECT name FROM"}),
        json!({"method": "transpile", "sql": "SELECT name FROM", "more": ["mysql", "sqlite"]}),
    ];
    let codes: Vec<(Value, Value)> = call(&knowledge(), &calls)
        .iter()
        .map(|result| (result["error"]["name"].clone(), result["error"]["code"].clone()))
        .collect();
    let expected = [
        ("AskedError", "invalid_asked"),
        ("AskedError", "invalid_asked"),
        ("DialectError", "unknown_dialect"),
        ("ArgumentError", "invalid_argument"),
        ("StatementError", "statement_unreadable"),
        ("StatementError", "statement_not_carried_over"),
    ];
    assert_eq!(codes, expected.map(|(name, code)| (json!(name), json!(code))));
}

#[test]
fn a_statement_of_no_known_dialect_gets_one_diagnostic_with_a_place() {
    let sql = "RETRIEVE (authors.name) WHERE authors.born = 1900 SORT BY name";
    let methods = ["lint", "explain", "transpile", "autocorrect"];
    let calls = methods.map(|method| {
        let more = if method == "transpile" { json!(["postgres", "sqlite"]) } else { json!([]) };
        json!({"method": method, "sql": sql, "more": more})
    });
    let results = call(&knowledge(), &calls);
    let found = [
        &results[0]["value"],
        &results[1]["error"]["diagnostics"],
        &results[2]["error"]["diagnostics"],
        &results[3]["value"]["left"],
    ];
    for (method, found) in methods.iter().zip(found) {
        assert_eq!(found.as_array().unwrap().len(), 1, "{method}: {found}");
        assert_ne!(found[0]["span"]["start"], found[0]["span"]["end"], "{method}: {found}");
    }
    assert_eq!(results[3]["value"]["sql"], sql);
}

/// No input makes the engine panic or overflow the stack, natively or in Wasm with its smaller stack.
#[test]
fn i4_no_statement_exhausts_the_stack_natively_or_in_wasm() {
    let deep = |open: &str, middle: &str, close: &str, times: usize| {
        format!("SELECT {}{middle}{}", open.repeat(times), close.repeat(times))
    };
    let mut texts = vec![
        "SELECT '\0' FROM authors".to_owned(),
        "\0".to_owned(),
        "(".repeat(8_000),
        "[".repeat(8_000),
        format!("SELECT {}", "1+".repeat(33_000)),
        format!("SELECT {}1", "1+".repeat(33_000)),
        format!("SELECT {}1", "1+".repeat(3_900)),
        format!("SELECT {}1 FROM authors", "1 = 1 AND ".repeat(1_900)),
        format!("SELECT name FROM authors WHERE {}id = 1", "id = 1 OR ".repeat(1_900)),
        "SELECT 1 UNION ALL ".repeat(1_500) + "SELECT 1",
        "SELECT name FROM authors UNION ALL ".repeat(98) + "SELECT name FROM authors",
        format!("SELECT * FROM authors {}", "JOIN authors USING (id) ".repeat(1_300)),
        format!("SELECT 'a'{} FROM authors", " || 'a'".repeat(3_900)),
        format!("SELECT '{}' FROM authors", "🍷".repeat(9_000)),
        "SELECT nmae, ".repeat(600) + "1 FROM authors",
        "'".repeat(8_001),
        "/*".repeat(8_000),
        "$a$".repeat(2_667),
    ];
    for times in [10, 20, 30, 34, 36, 60, 99, 120, 4_000] {
        texts.push(deep("(", "1", ")", times));
        texts.push(deep("NOT ", "true", "", times));
        texts.push(deep("- ", "1", "", times));
        texts.push(deep("(SELECT ", "1", ")", times));
        texts.push(deep("1 + (", "born", ") FROM authors", times.min(99)));
        texts.push(deep("CASE WHEN true THEN ", "1", " END", times));
        texts.push(deep("coalesce(1, ", "1", ")", times));
        texts.push(deep("(", "1", "", times));
        texts.push(deep("EXISTS (SELECT 1 FROM authors WHERE ", "true", ")", times));
        texts.push(deep("1 IN (SELECT id FROM (", "SELECT 1 AS id", ") AS t)", times));
        texts.push(format!(
            "{}SELECT 1{}",
            "WITH t AS (".repeat(times),
            ") SELECT 1".repeat(times)
        ));
        texts.push(format!("{}SELECT 1{}", "(".repeat(times), ")".repeat(times)));
        texts.push(format!(
            "SELECT 1 FROM {}authors{}",
            "(".repeat(times),
            " JOIN authors ON true)".repeat(times)
        ));
    }
    let knowledge = knowledge();
    for sql in &texts {
        lint(sql, &knowledge.catalog, None);
        autocorrect(sql, &knowledge.catalog, None);
        let _ = explain(sql, &knowledge.catalog);
        let _ = transpile(sql, ReadDialect::Mysql, Target::Postgres);
    }
    let sources: Vec<Value> = texts
        .iter()
        .map(|sql| json!({"sql": sql}))
        .chain([
            json!({"units": [0xd800]}),
            json!({"units": "SELECT '".encode_utf16().chain([0xdc00, 0xd83c]).collect::<Vec<_>>()}),
        ])
        .collect();
    let methods = ["lint", "explain", "autocorrect", "transpile"];
    let mut calls = Vec::new();
    for source in &sources {
        for method in methods {
            let mut call = source.clone();
            call["method"] = json!(method);
            call["more"] =
                if method == "transpile" { json!(["mysql", "postgres"]) } else { json!([]) };
            calls.push(call);
        }
    }
    // The last call shows that the module still works.
    calls.push(json!({"method": "lint", "sql": "SELECT nmae FROM authors"}));
    let results = call(&knowledge, &calls);
    for (call, result) in calls.iter().zip(&results) {
        let shown: String = call["sql"].as_str().unwrap_or("units").chars().take(60).collect();
        if let Some(error) = result.get("error") {
            assert_eq!(error["name"], "StatementError", "{} {shown}: {error}", call["method"]);
            assert_eq!(error["diagnostics"].as_array().unwrap().len(), 1, "{shown}: {error}");
        }
    }
    assert_eq!(results.last().unwrap()["value"][0]["rule"], "N02");
}
