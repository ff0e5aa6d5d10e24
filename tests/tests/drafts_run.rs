//! Functions of other databases in a model's statement are rewritten, pass the guard and return the right value on real
//! SQLite and PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use postgres::{Client, NoTls, SimpleQueryMessage};
use rusqlite::types::Value;
use wherefore_engine::catalog::{Catalog, DataType};
use wherefore_sql::{Dialect, GuardLimits, adopt, check_text};
use wherefore_tests::orders;
use wherefore_tests::postgres::Cluster;

const CASES: &str = include_str!("../data/drafts.tsv");

const ORDERS: &str = "CREATE TABLE orders (id INTEGER PRIMARY KEY, placed DATE, seen TIMESTAMP, paid TEXT, \
     amount NUMERIC(10, 2), units INTEGER, status TEXT, note TEXT);
     INSERT INTO orders VALUES (7, '2024-02-29', '2024-03-05 14:07:09', '2024-03-31', 12.5, 3, 'open ', NULL);";

fn catalog(dialect: Dialect) -> Catalog {
    orders::catalog(
        dialect,
        &[
            ("id", DataType::Integer),
            ("placed", DataType::Date),
            ("seen", DataType::Timestamp),
            ("paid", DataType::Text),
            ("amount", DataType::Number),
            ("units", DataType::Integer),
            ("status", DataType::Text),
            ("note", DataType::Text),
        ],
    )
}

/// The statement that runs for a draft.
fn written(draft: &str, catalog: &Catalog) -> Result<String, String> {
    let limits = GuardLimits::default();
    let own = catalog.dialect.into();
    if let Some(adopted) = adopt(draft, catalog) {
        let told = adopted.rewritten.iter().all(|note| note.starts_with("wrote `"));
        assert!(told && !adopted.rewritten.is_empty(), "{draft}: {:?}", adopted.rewritten);
        let checked = check_text(&adopted.sql, own, catalog, catalog.dialect, &limits);
        return checked.map(|it| it.sql().to_owned()).map_err(|faults| format!("{faults:?}"));
    }
    let checked = check_text(draft, own, catalog, catalog.dialect, &limits);
    checked.map(|it| it.sql().to_owned()).map_err(|faults| format!("{faults:?}"))
}

/// Expressions with the value that they must have on a data source.
fn cases(own: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(move |line| {
        let (expression, value) = line.split_once('\t').unwrap();
        match value.split_once(':') {
            Some((only @ ("postgres" | "sqlite"), value)) => {
                (only == own).then_some((expression, value))
            }
            _ => Some((expression, value)),
        }
    })
}

fn same(found: &str, expected: &str) -> bool {
    match (found.parse::<f64>(), expected.parse::<f64>()) {
        (Ok(found), Ok(expected)) => (found - expected).abs() < 1e-6,
        _ => found == expected,
    }
}

fn check(dialect: Dialect, own: &str, run: &mut dyn FnMut(&str) -> Result<String, String>) {
    let catalog = catalog(dialect);
    let mut wrong = Vec::new();
    let mut count = 0;
    for (expression, expected) in cases(own) {
        count += 1;
        let draft = format!("SELECT {expression} AS value FROM orders");
        let outcome = written(&draft, &catalog).and_then(|sql| {
            run(&sql).map_err(|error| format!("{error}: {sql}")).map(|value| (value, sql))
        });
        match outcome {
            Ok((value, _)) if same(&value, expected) => {}
            Ok((value, sql)) => wrong.push(format!("{expression}: {value}, not {expected}: {sql}")),
            Err(error) => wrong.push(format!("{expression}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {count} wrong on {own}:\n{}", wrong.len(), wrong.join("\n"));
}

// Promise: models.foreign-functions-run
#[test]
fn functions_of_other_databases_have_their_value_on_sqlite() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch(ORDERS).unwrap();
    check(Dialect::Sqlite, "sqlite", &mut |sql| {
        let value: Value =
            connection.query_row(sql, [], |row| row.get(0)).map_err(|error| error.to_string())?;
        Ok(match value {
            Value::Null => "null".to_owned(),
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Text(text) => text,
            Value::Blob(bytes) => format!("{bytes:?}"),
        })
    });
}

// Promise: models.foreign-functions-run
#[test]
fn functions_of_other_databases_have_their_value_on_postgresql() {
    let cluster = Cluster::start().unwrap();
    let mut client = Client::connect(&cluster.create_database("drafts").unwrap(), NoTls).unwrap();
    client.batch_execute(ORDERS).unwrap();
    check(Dialect::Postgres, "postgres", &mut |sql| {
        let sql = format!("SELECT CAST(value AS text) FROM ({sql}) AS t");
        let messages = client.simple_query(&sql).map_err(|error| format!("{error:?}"))?;
        let row = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or("null").to_owned()),
            _ => None,
        });
        row.ok_or_else(|| "no row".to_owned())
    });
}

#[test]
fn what_the_guard_refuses_stays_refused() {
    for dialect in [Dialect::Postgres, Dialect::Sqlite] {
        let catalog = catalog(dialect);
        for draft in [
            "SELECT YEAR(placed), pg_sleep(5) FROM orders",
            "SELECT YEAR(placed), load_extension('x') FROM orders",
            "SELECT NVL(password, 'x') FROM users",
            "SELECT YEAR(placed) FROM pg_catalog.pg_class",
            "SELECT NVL(note, (SELECT sql FROM sqlite_master LIMIT 1)) FROM orders",
            "SELECT YEAR(nosuch) FROM orders",
            "SELECT LEN(orders) FROM orders",
        ] {
            assert!(written(draft, &catalog).is_err(), "{dialect:?}: {draft}");
        }
    }
}

#[test]
fn a_statement_without_such_functions_is_left_as_it_is() {
    for dialect in [Dialect::Postgres, Dialect::Sqlite] {
        let catalog = catalog(dialect);
        for draft in [
            "SELECT count(*) FROM orders WHERE amount / 2 > units AND status LIKE 'o%'",
            "SELECT coalesce(note, status) FROM orders ORDER BY placed DESC LIMIT 3",
            "SELECT my_own(placed) FROM orders",
        ] {
            assert_eq!(adopt(draft, &catalog), None, "{dialect:?}: {draft}");
        }
    }
    // An age in years, as statements for SQLite compute it.
    assert_eq!(
        adopt("SELECT date('now') - date(placed) FROM orders", &catalog(Dialect::Sqlite)),
        None
    );
}

#[test]
fn rewriting_a_call_leaves_other_comparisons_as_they_are() {
    let catalog = catalog(Dialect::Sqlite);
    for (draft, kept) in [
        (
            "SELECT YEAR(placed) FROM orders WHERE seen >= date('now', '-7 days')",
            "seen >= date('now', '-7 days')",
        ),
        (
            "SELECT YEAR(placed) FROM orders WHERE paid BETWEEN date('2024-01-01') AND '2024-12-31'",
            "paid BETWEEN date('2024-01-01') AND '2024-12-31'",
        ),
        ("SELECT id FROM orders WHERE units < LAST_DAY(placed)", "units < date("),
        ("SELECT NVL(note, '') FROM orders WHERE date(seen) = placed", "date(seen) = placed"),
    ] {
        let adopted = adopt(draft, &catalog).unwrap();
        assert!(adopted.sql.contains(kept), "{draft}: {}", adopted.sql);
    }
    // A comparison with a rewritten call has the same form on both sides.
    let draft = "SELECT id FROM orders WHERE seen < LAST_DAY(placed)";
    let adopted = adopt(draft, &catalog).unwrap();
    assert!(adopted.sql.contains("datetime(seen) <"), "{}", adopted.sql);
}
