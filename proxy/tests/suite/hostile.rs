//! Statements of a hostile client, sent to the real program: those that must be rejected never reach the database.

use serde_json::{Value, json};

use crate::support::corpus::{Case, cases};
use crate::support::{Cluster, DuckDb, Http, MariaDb, Serving, SqliteFile};

const TABLES: &str = include_str!("data/guarded.sql");

/// Sends every case, and returns those that were handled wrongly.
fn send_all(program: &Http, engine: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let (mut refused, mut ran) = (0, 0);
    for Case { dialect, allowed, sql } in cases() {
        let dialect = if dialect == "tsql" { "mssql" } else { dialect };
        let shown: String = sql.chars().take(120).collect();
        let reply = program.post("sql/execute", &json!({ "sql": sql, "dialect": dialect }));
        let code = reply.body["code"].as_str().unwrap_or_default();
        // Diagnostics come only from the guard, which runs before the database.
        let by_guard = code == "statement_refused" && reply.body["diagnostics"] != Value::Null;
        let own = match engine {
            "sqlite" => dialect == "sqlite",
            "postgres" => dialect != "sqlite",
            _ => false,
        };
        // What a server of another dialect cannot express is refused when it is translated.
        let detail = reply.body["detail"].as_str().unwrap_or_default();
        let unexpressed = code == "statement_refused" && detail.contains("cannot be expressed in");
        // DuckDB's own short form is read as `SELECT * FROM users`.
        let read = (engine, dialect, &*sql) == ("duckdb", "duckdb", "FROM users");
        let right = match (allowed || read, own) {
            (false, _) => reply.status == 422 && by_guard,
            (true, true) => reply.status == 200,
            // A statement that is allowed on one database need not be supported by the other.
            (true, false) => reply.status == 200 || by_guard || unexpressed,
        };
        if !right {
            wrong.push(format!("{engine}, {dialect}: {shown}\n  {} {}", reply.status, reply.body));
        }
        if reply.status == 200 { ran += 1 } else { refused += 1 }
    }
    assert!(refused >= 200 && ran >= 8, "{refused} were refused and {ran} ran");
    wrong
}

/// Refused statements in a log that has this text for each line feed. Lines that also occur in allowed statements, such as
/// `FROM users`, prove nothing.
fn arrived(log: &str, line_feed: &str) -> Vec<String> {
    let (allowed, refused): (Vec<Case>, Vec<Case>) = cases().partition(|case| case.allowed);
    refused
        .into_iter()
        .filter(|case| case.sql.trim().len() > 8)
        .filter(|case| !allowed.iter().any(|other| other.sql.contains(&case.sql)))
        .map(|case| case.sql.replace('\n', line_feed))
        .filter(|sql| log.contains(sql.as_str()))
        .collect()
}

// Promise: security.no-denied-statement
#[test]
fn nothing_that_must_be_refused_reaches_an_sqlite_file() {
    let file = SqliteFile::new(TABLES);
    let before = std::fs::read(&file.path).unwrap();
    let program = Serving::start(file.folder.path(), &["--database", file.path.to_str().unwrap()]);
    let wrong = send_all(&program.http(), "sqlite");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(std::fs::read(&file.path).unwrap() == before, "the file was changed");
}

// Promise: security.no-denied-statement
#[test]
fn nothing_that_must_be_refused_reaches_a_postgres_server() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(TABLES);
    cluster.run("ALTER SYSTEM SET log_statement = 'all'");
    cluster.run("SELECT pg_reload_conf()");
    let folder = tempfile::tempdir().unwrap();
    let program = Serving::start(folder.path(), &["--database", &cluster.url("asker")]);
    let wrong = send_all(&program.http(), "postgres");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let log = cluster.log();
    assert!(log.contains("EXPLAIN (FORMAT JSON) SELECT * FROM ("), "what runs is logged");
    // The log has each statement as sent, with continuation lines after a tab.
    let arrived = arrived(&log, "\n\t");
    assert!(arrived.is_empty(), "these arrived: {arrived:#?}");
}

// Promise: security.no-denied-statement
#[test]
fn nothing_that_must_be_refused_reaches_a_duckdb_file() {
    let Some(file) = DuckDb::new(TABLES) else { return };
    let before = std::fs::read(&file.path).unwrap();
    let program = Serving::start(file.folder.path(), &file.options());
    let wrong = send_all(&program.http(), "duckdb");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(std::fs::read(&file.path).unwrap() == before, "the file was changed");
}

// Promise: security.no-denied-statement
#[test]
fn nothing_that_must_be_refused_reaches_a_mariadb_server() {
    let Some(server) = MariaDb::start() else { return };
    server.run(&["SET sql_mode = 'ANSI_QUOTES';", TABLES].concat());
    server.run("SET GLOBAL log_output = 'TABLE'; SET GLOBAL general_log = 1");
    let folder = tempfile::tempdir().unwrap();
    let program = Serving::start(folder.path(), &["--database", &server.url("asker")]);
    let wrong = send_all(&program.http(), "mariadb");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    server.run("SET GLOBAL general_log = 0");
    let own = server.run(
        "SELECT argument FROM mysql.general_log WHERE user_host LIKE 'asker%' \
         AND command_type IN ('Query', 'Prepare', 'Execute')",
    );
    assert!(own.contains("SELECT"), "what runs is logged");
    let mut arrived = arrived(&own, "\\n");
    // The proxy itself asks for these when it connects.
    arrived.retain(|sql| !["SHOW GRANTS", "SELECT version()"].contains(&sql.as_str()));
    assert!(arrived.is_empty(), "these arrived: {arrived:#?}");
}
