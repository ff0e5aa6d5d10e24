//! Statements of other databases, translated and run on real SQLite and PostgreSQL: each returns the rows that it
//! returns in its own database, or is refused with the name of what cannot be translated.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use postgres::{Client, NoTls, SimpleQueryMessage};
use rusqlite::types::Value;
use wherefore_sql::{ReadDialect, Target, transpile};
use wherefore_tests::postgres::Cluster;

/// Statements by dialect, and how many of them at least are translated to PostgreSQL and to SQLite.
const DIALECTS: [(ReadDialect, &str, usize, usize); 7] = [
    (ReadDialect::Bigquery, include_str!("../data/dialects/bigquery.tsv"), 39, 31),
    (ReadDialect::Duckdb, include_str!("../data/dialects/duckdb.tsv"), 35, 22),
    (ReadDialect::Mssql, include_str!("../data/dialects/mssql.tsv"), 42, 34),
    (ReadDialect::Mysql, include_str!("../data/dialects/mysql.tsv"), 39, 29),
    (ReadDialect::Oracle, include_str!("../data/dialects/oracle.tsv"), 40, 27),
    (ReadDialect::Redshift, include_str!("../data/dialects/redshift.tsv"), 42, 27),
    (ReadDialect::Snowflake, include_str!("../data/dialects/snowflake.tsv"), 37, 27),
];

/// Without a catalog, a column plus a number is taken for a number. SQLite adds it to the year of a date.
const UNTYPED: &str = "SELECT placed + 7 FROM orders WHERE id = 1";

const ORDERS: &str = "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, placed DATE, \
     seen TIMESTAMP, amount NUMERIC(10, 2), units INTEGER, note TEXT);
     INSERT INTO orders VALUES
     (1, 'Ann', '2024-01-31', '2024-01-31 10:15:30', 120.50, 3, 'red,green'),
     (2, 'Bob', '2024-02-29', '2024-02-29 23:59:59', 80.00, 1, NULL),
     (3, 'Ann', '2024-03-01', '2024-03-01 00:00:00', 45.25, 5, 'blue'),
     (4, 'Cid', '2023-12-31', '2023-12-31 12:00:00', 200.00, 2, 'red'),
     (5, 'bob', '2024-07-15', '2024-07-15 08:30:00', NULL, 4, '');";

type Rows = Result<Vec<Vec<String>>, String>;

fn check(target: Target, run: &mut dyn FnMut(&str) -> Rows) {
    let mut wrong = Vec::new();
    for (from, cases, least_postgres, least_sqlite) in DIALECTS {
        let lines = cases.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut carried = 0;
        for line in lines {
            let (sql, expected) = line.split_once('\t').unwrap();
            let Ok(written) = transpile(sql, from, target) else { continue };
            let expected: Vec<Vec<String>> = expected
                .replace("\\t", "\t")
                .split(';')
                .map(|row| row.split('|').map(str::to_owned).collect())
                .collect();
            match run(&written) {
                Ok(rows) if same(&rows, &expected) => carried += 1,
                // The bundled SQLite has no mathematical functions.
                Err(error) if error.contains("no such function: p") => {}
                Ok(_) if sql == UNTYPED && target == Target::Sqlite => {}
                found => wrong.push(format!("{from:?}: {sql}\n  {written}\n  {found:?}")),
            }
        }
        let least = if target == Target::Sqlite { least_sqlite } else { least_postgres };
        if carried < least {
            wrong.push(format!("{from:?}: {carried} translated, fewer than {least}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong on {target}:\n{}", wrong.len(), wrong.join("\n"));
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
        other => other.trim_end_matches("+00"),
    };
    found.strip_suffix(" 00:00:00").unwrap_or(found) == expected
}

#[test]
fn statements_of_other_databases_return_their_rows_on_sqlite() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch(ORDERS).unwrap();
    check(Target::Sqlite, &mut |sql| {
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
    check(Target::Postgres, &mut |sql| {
        let messages = client.simple_query(sql).map_err(|error| format!("{error:?}"))?;
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
