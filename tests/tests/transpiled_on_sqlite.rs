//! Queries transpiled to SQLite return what they return in their own dialect.

use rusqlite::Connection;
use rusqlite::types::Value;
use wherefore_sql::{ReadDialect, Target, transpile};

/// Runs a transpiled query on SQLite and returns its single value.
fn value(sql: &str, from: ReadDialect) -> String {
    let written = transpile(sql, from, Target::Sqlite).unwrap_or_else(|faults| {
        panic!("{sql}: {faults:?}");
    });
    let connection = Connection::open_in_memory().expect("a database in memory");
    let found: Value = connection
        .query_row(&written, [], |row| row.get(0))
        .unwrap_or_else(|error| panic!("{error}: {written}"));
    match found {
        Value::Null => "null".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text,
        Value::Blob(bytes) => format!("{bytes:?}"),
    }
}

#[test]
fn values_are_those_of_the_other_dialect() {
    use ReadDialect::{Bigquery, Duckdb, Mssql, Mysql, Postgres, Snowflake};
    for (from, sql, expected) in [
        // Ends of months.
        (Mysql, "SELECT DATE_ADD(DATE '2024-01-31', INTERVAL 1 MONTH)", "2024-02-29"),
        (Mssql, "SELECT DATEADD(week, -1, CAST('2024-03-05' AS DATE))", "2024-02-27"),
        (Postgres, "SELECT DATE '2024-03-31' - INTERVAL '1 month'", "2024-02-29 00:00:00"),
        // Differences of dates: crossed boundaries or complete units, depending on the dialect.
        (Mssql, "SELECT DATEDIFF(year, '2024-12-31', '2025-01-01')", "1"),
        (Mssql, "SELECT DATEDIFF(week, '2025-01-04', '2025-01-05')", "1"),
        (Snowflake, "SELECT DATEDIFF('week', '2025-01-04', '2025-01-05')", "0"),
        (Mysql, "SELECT DATEDIFF('2025-03-01', '2025-02-27')", "2"),
        (Mysql, "SELECT TIMESTAMPDIFF(DAY, '2025-01-01 12:00:00', '2025-01-03 11:00:00')", "1"),
        (Duckdb, "SELECT DATE_DIFF('month', '2025-01-31', '2025-02-01')", "1"),
        (Duckdb, "SELECT DATE_DIFF('hour', '2025-01-01 09:59:00', '2025-01-01 10:01:00')", "1"),
        (
            Postgres,
            "SELECT date_trunc('quarter', TIMESTAMP '2025-05-20 10:00:00')",
            "2025-04-01 00:00:00",
        ),
        (
            Postgres,
            "SELECT date_trunc('week', TIMESTAMP '2025-01-05 10:00:00')",
            "2024-12-30 00:00:00",
        ),
        // Integer division, NULLs, case.
        (Mysql, "SELECT 7 / 2", "3.5"),
        (Postgres, "SELECT 7 / 2", "3"),
        (Mysql, "SELECT 7 DIV 2", "3"),
        (Mysql, "SELECT 1 / 0", "null"),
        (Mysql, "SELECT CONCAT('a', NULL)", "null"),
        (Postgres, "SELECT CONCAT('a', NULL)", "a"),
        (Postgres, "SELECT GREATEST(1, NULL)", "1"),
        (Bigquery, "SELECT GREATEST(1, NULL)", "null"),
        (Postgres, "SELECT CASE WHEN 'Ab' LIKE 'a%' THEN 1 ELSE 0 END", "0"),
        (Mysql, "SELECT CASE WHEN 'Ab' LIKE 'a%' THEN 1 ELSE 0 END", "1"),
        // Substrings.
        (Postgres, "SELECT left('abcd', -1)", "abc"),
        (Postgres, "SELECT right('abcd', -1)", "bcd"),
        (Postgres, "SELECT right('ab', 5)", "ab"),
        (Mssql, "SELECT CHARINDEX('c', 'abcabc', 4)", "6"),
        (Mssql, "SELECT LEN('ab  ')", "2"),
        (Mssql, "SELECT STUFF('abcdef', 2, 3, 'X')", "aXef"),
        (Mysql, "SELECT DATE_FORMAT('2025-03-04 05:06:07', '%Y/%m/%d %H:%i')", "2025/03/04 05:06"),
        // Position of NULLs.
        (Postgres, "SELECT a FROM (SELECT NULL AS a UNION ALL SELECT 1) t ORDER BY a LIMIT 1", "1"),
        (Mysql, "SELECT a FROM (SELECT NULL AS a UNION ALL SELECT 1) t ORDER BY a LIMIT 1", "null"),
        (
            Snowflake,
            "SELECT a FROM (SELECT 1 AS a, 1 AS b UNION ALL SELECT 2, 2) t QUALIFY ROW_NUMBER() OVER (ORDER BY b DESC) = 1",
            "2",
        ),
    ] {
        assert_eq!(value(sql, from), expected, "{from:?}: {sql}");
    }
}
