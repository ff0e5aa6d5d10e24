//! Statements of other databases, translated and run on real SQLite, PostgreSQL, MariaDB and DuckDB: each returns the rows that it
//! returns in its own database, or is refused with the name of what cannot be translated. The outcome of each statement
//! is committed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;

use postgres::{Client, NoTls, SimpleQueryMessage};
use rusqlite::types::Value;
use serde_json::json;
use wherefore_engine::catalog::{Catalog, DataType};
use wherefore_sql::{Code, Diagnostic, Dialect, ReadDialect, Target, translate};
use wherefore_tests::duckdb::DuckDb;
use wherefore_tests::expect::generated_file;
use wherefore_tests::mariadb::MariaDb;
use wherefore_tests::orders;
use wherefore_tests::postgres::Cluster;
use wherefore_tests::proxy::Proxy;

/// The statements of a dialect, in two files.
macro_rules! cases {
    ($dialect:literal) => {
        [
            include_str!(concat!("../data/dialects/", $dialect, ".tsv")),
            include_str!(concat!("../data/dialects/more/", $dialect, ".tsv")),
        ]
    };
}

/// Statements by dialect.
const DIALECTS: [(ReadDialect, &str, [&str; 2]); 7] = [
    (ReadDialect::Bigquery, "bigquery", cases!("bigquery")),
    (ReadDialect::Duckdb, "duckdb", cases!("duckdb")),
    (ReadDialect::Mssql, "mssql", cases!("mssql")),
    (ReadDialect::Mysql, "mysql", cases!("mysql")),
    (ReadDialect::Oracle, "oracle", cases!("oracle")),
    (ReadDialect::Redshift, "redshift", cases!("redshift")),
    (ReadDialect::Snowflake, "snowflake", cases!("snowflake")),
];

const ORDERS: &str = "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, placed DATE, \
     seen TIMESTAMP, amount NUMERIC(10, 2), units INTEGER, note TEXT);
     INSERT INTO orders VALUES
     (1, 'Ann', '2024-01-31', '2024-01-31 10:15:30', 120.50, 3, 'red,green'),
     (2, 'Bob', '2024-02-29', '2024-02-29 23:59:59', 80.00, 1, NULL),
     (3, 'Ann', '2024-03-01', '2024-03-01 00:00:00', 45.25, 5, 'blue'),
     (4, 'Cid', '2023-12-31', '2023-12-31 12:00:00', 200.00, 2, 'red'),
     (5, 'bob', '2024-07-15', '2024-07-15 08:30:00', NULL, 4, '');";

/// The table as a catalog, which knows the types of the columns.
fn catalog(dialect: Dialect) -> Catalog {
    orders::catalog(
        dialect,
        &[
            ("id", DataType::Integer),
            ("customer", DataType::Text),
            ("placed", DataType::Date),
            ("seen", DataType::Timestamp),
            ("amount", DataType::Number),
            ("units", DataType::Integer),
            ("note", DataType::Text),
        ],
    )
}

type Rows = Result<Vec<Vec<String>>, String>;

/// What became of a statement on a target.
enum Outcome {
    /// The rows of its own database.
    Same,
    /// The rows of its own database once the catalog is known, and without it other rows, with a doubt.
    Doubted(String),
    /// A refusal that names its reason.
    Refused(Diagnostic),
    /// The bundled SQLite lacks the function, or the proxy refuses the statement.
    Lacking(String),
    /// Other rows, an error of the server or a refusal that names nothing.
    Wrong(String),
}

impl Outcome {
    fn line(&self) -> String {
        match self {
            Self::Same => "same".to_owned(),
            Self::Doubted(message) => format!("same with a catalog, else in doubt: {message}"),
            Self::Refused(fault) => format!("refused: {} {}", fault.code.id(), fault.message),
            Self::Lacking(error) => format!("not run: {error}"),
            Self::Wrong(what) => format!("WRONG: {what}"),
        }
    }
}

fn outcome(
    sql: &str,
    expected: &[Vec<String>],
    from: ReadDialect,
    (target, catalog): (Target, &Catalog),
    run: &mut dyn FnMut(&str) -> Rows,
) -> Outcome {
    let translated = match translate(sql, from, target, None) {
        Ok(translated) => translated,
        Err(faults) => {
            let fault = faults.into_iter().next().unwrap();
            return match named(&fault, sql) {
                Ok(()) => Outcome::Refused(fault),
                Err(what) => Outcome::Wrong(format!("{what}: {fault}")),
            };
        }
    };
    match run(&translated.sql) {
        Ok(rows) if same(&rows, expected) => return Outcome::Same,
        Err(error) if target == Target::Sqlite && error.contains("no such function: p") => {
            let what = error.split(" in ").next().unwrap_or_default();
            return Outcome::Lacking(what.to_owned());
        }
        found if translated.doubts.is_empty() => {
            let written = translated.sql.split_whitespace().collect::<Vec<_>>().join(" ");
            return Outcome::Wrong(format!("{found:?} from {written}"));
        }
        _ => {}
    }
    let known = translate(sql, from, target, Some(catalog)).map(|it| (run(&it.sql), it.sql));
    match known {
        Ok((Ok(rows), _)) if same(&rows, expected) => {
            let messages: Vec<String> =
                translated.doubts.into_iter().map(|doubt| doubt.message).collect();
            Outcome::Doubted(messages.join("; "))
        }
        found => Outcome::Wrong(format!("{found:?} with a catalog")),
    }
}

/// Checks that a refusal of a valid statement says what cannot be translated: by a message that names it, or, if the
/// parser stopped, by the place in the text.
fn named(fault: &Diagnostic, sql: &str) -> Result<(), &'static str> {
    let Diagnostic { code, message, span, .. } = fault;
    let has_place = span.end > 0 && span.start as usize <= sql.len();
    match code {
        Code::Unprintable | Code::Unsupported => {
            let subject = message
                .strip_prefix("cannot be expressed in ")
                .and_then(|rest| rest.split_once(": "))
                .map_or(message.as_str(), |(_, subject)| subject);
            let subject = subject.trim_end_matches("cannot be translated");
            if subject.trim().is_empty() { Err("a refusal that names nothing") } else { Ok(()) }
        }
        Code::Lexical | Code::Syntax if has_place => Ok(()),
        Code::Lexical | Code::Syntax => Err("a parse error without a place"),
        _ => Err("a refusal with the code of another check"),
    }
}

fn check(target: Target, file: &str, run: &mut dyn FnMut(&str) -> Rows) {
    let dialect = if target == Target::Sqlite { Dialect::Sqlite } else { Dialect::Postgres };
    let catalog = catalog(dialect);
    check_each(file, &mut |sql, expected, from| {
        outcome(sql, expected, from, (target, &catalog), run)
    });
}

/// Outcome of a statement, given its text, its rows and its dialect.
type Decide<'a> = dyn FnMut(&str, &[Vec<String>], ReadDialect) -> Outcome + 'a;

/// Checks the outcome of each statement, given its text, its rows and its dialect.
fn check_each(file: &str, outcome: &mut Decide<'_>) {
    let mut page = "# Outcome of each statement on this target, generated by tests/tests/dialects_run.rs: dialect, \
         outcome, statement.\n"
        .to_owned();
    let mut wrong = Vec::new();
    for (from, name, files) in DIALECTS {
        let lines = files.into_iter().flat_map(str::lines);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (sql, expected) = line.split_once('\t').unwrap();
            let expected: Vec<Vec<String>> = expected
                .replace("\\t", "\t")
                .split(';')
                .map(|row| row.split('|').map(str::to_owned).collect())
                .collect();
            let outcome = outcome(sql, &expected, from);
            let text = outcome.line();
            if matches!(outcome, Outcome::Wrong(_)) {
                wrong.push(format!("{name}: {sql}\n  {text}"));
            }
            writeln!(page, "{name}\t{text}\t{sql}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let command = "cargo test -p wherefore-tests --test dialects_run";
    generated_file(file, command, &page);
}

fn same(found: &[Vec<String>], expected: &[Vec<String>]) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(found, expected)| same_cell(found, expected))
        })
}

/// Compares numbers by value; a time at midnight equals its date, and true equals 1.
fn same_cell(found: &str, expected: &str) -> bool {
    if let (Ok(found), Ok(expected)) = (found.parse::<f64>(), expected.parse::<f64>()) {
        return (found - expected).abs() < 1e-6;
    }
    let found = match found {
        "t" => "1",
        "f" => "0",
        other if other.contains(':') && other.contains('.') => {
            other.trim_end_matches('0').trim_end_matches('.')
        }
        other => other.trim_end_matches("+00"),
    };
    found.strip_suffix(" 00:00:00").unwrap_or(found) == expected
}

#[test]
fn statements_of_other_databases_return_their_rows_on_sqlite() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch(ORDERS).unwrap();
    check(Target::Sqlite, "tests/data/dialects/outcomes_sqlite.tsv", &mut |sql| {
        let mut statement = connection.prepare(sql).map_err(|error| error.to_string())?;
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            (0..columns).map(|at| Ok(text(&row.get::<_, Value>(at)?))).collect()
        });
        let rows = rows.map_err(|error| error.to_string())?;
        rows.collect::<Result<_, _>>().map_err(|error| error.to_string())
    });
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Blob(bytes) => format!("{bytes:?}"),
    }
}

#[test]
fn statements_of_other_databases_return_their_rows_on_postgresql() {
    let cluster = Cluster::start().unwrap();
    let mut client = Client::connect(&cluster.create_database("dialects").unwrap(), NoTls).unwrap();
    client.batch_execute("SET timezone = 'UTC'").unwrap();
    client.batch_execute(ORDERS).unwrap();
    check(Target::Postgres, "tests/data/dialects/outcomes_postgres.tsv", &mut |sql| {
        let messages = client.simple_query(sql).map_err(|error| match error.as_db_error() {
            Some(error) => error.message().to_owned(),
            None => error.to_string(),
        })?;
        let rows = messages.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => {
                let cells = (0..row.len()).map(|at| row.get(at).unwrap_or("null").to_owned());
                Some(cells.collect())
            }
            _ => None,
        });
        Ok(rows.collect())
    });
}

// Promise: dialects.mariadb
#[test]
fn statements_of_other_databases_return_their_rows_on_mariadb() {
    let database = MariaDb::start().unwrap();
    // MySQL's TIMESTAMP has a time zone.
    database
        .query(&ORDERS.replace("TIMESTAMP", "DATETIME").replace("TEXT", "VARCHAR(100)"))
        .unwrap();
    check(Target::Mysql, "tests/data/dialects/outcomes_mysql.tsv", &mut |sql| {
        database.query(sql).map_err(|error| error.to_string())
    });
}

// Promise: dialects.duckdb
#[test]
fn statements_of_other_databases_return_their_rows_on_duckdb() {
    let Some(file) = DuckDb::new(ORDERS) else { return };
    let proxy = Proxy::start(&file.options()).unwrap();
    let catalog = catalog(Dialect::Postgres);
    check_each("tests/data/dialects/outcomes_duckdb.tsv", &mut |sql, expected, from| {
        let translated = match translate(sql, from, Target::Postgres, Some(&catalog)) {
            Ok(translated) => translated.sql,
            Err(faults) => return Outcome::Refused(faults.into_iter().next().unwrap()),
        };
        let reply = proxy.post("sql/execute", &json!({ "sql": translated })).unwrap();
        let detail = reply.body["detail"].as_str().unwrap_or_default();
        match (reply.status, reply.body["code"].as_str()) {
            (200, _) => {
                let rows = reply.body["rows"].as_array().unwrap();
                let mut rows: Vec<Vec<String>> = rows.iter().map(shown).collect();
                let mut expected = expected.to_vec();
                if !translated.contains("ORDER BY") {
                    rows.sort();
                    expected.sort();
                }
                if same(&rows, &expected) {
                    Outcome::Same
                } else {
                    Outcome::Wrong(format!("{rows:?} from {translated}"))
                }
            }
            (422, Some("statement_refused")) if !detail.is_empty() => {
                Outcome::Lacking(detail.lines().next().unwrap_or_default().to_owned())
            }
            _ => Outcome::Wrong(format!("{} from {translated}", reply.body)),
        }
    });
}

/// The cells of a row as text.
fn shown(row: &serde_json::Value) -> Vec<String> {
    let cells = row.as_array().unwrap().iter();
    let cells = cells.map(|cell| match cell {
        serde_json::Value::Bool(value) => if *value { "t" } else { "f" }.to_owned(),
        serde_json::Value::String(text) => match text.strip_suffix("+00:00") {
            Some(moment) => moment.replacen('T', " ", 1),
            None => text.clone(),
        },
        other => other.to_string(),
    });
    cells.collect()
}

#[test]
fn texts_and_names_end_where_they_should_on_mariadb() {
    let database = MariaDb::start().unwrap();
    for text in
        ["it's", "\\", "\\'", "' OR 1 = 1 -- ", "\\' OR 1 = 1 -- ", "`", "\"", "/* */ # --", "é\\n"]
    {
        let written =
            format!("SELECT '{}' AS \"{}\"", text.replace('\'', "''"), text.replace('"', "\"\""));
        let sql = wherefore_sql::transpile(&written, ReadDialect::Postgres, Target::Mysql).unwrap();
        let found = database.query(&sql).unwrap();
        assert_eq!(found, [[text.to_owned()]], "{sql}");
        // Without backslash escapes the text is another one, but it ends at the same place.
        let found = database.query(&format!("SET sql_mode = 'NO_BACKSLASH_ESCAPES'; {sql}"));
        assert_eq!(found.unwrap(), [[text.replace('\\', "\\\\")]], "{sql}");
    }
}
