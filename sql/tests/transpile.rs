//! Translation between dialects: the output, that it can be read back, and which constructs are errors.

use proptest::prelude::*;
use sqlparser::dialect::{
    BigQueryDialect, DatabricksDialect, Dialect, GenericDialect, MsSqlDialect, MySqlDialect,
    PostgreSqlDialect, SQLiteDialect, SnowflakeDialect,
};
use sqlparser::parser::Parser;
use wherefore_sql::{Code, ReadDialect, Target, transpile};

/// A text that the second parser can read: its Databricks dialect lacks the operator DIV.
fn without_div(written: &str) -> String {
    written.replace(" DIV ", " / ")
}

/// Rows of source dialect, target, query and expectation: a query, or `refused: ` and a part of the message.
const CASES: &str = include_str!("data/transpile.tsv");

fn read_dialect(name: &str) -> ReadDialect {
    match name {
        "bigquery" => ReadDialect::Bigquery,
        "duckdb" => ReadDialect::Duckdb,
        "tsql" => ReadDialect::Mssql,
        "mysql" => ReadDialect::Mysql,
        "oracle" => ReadDialect::Oracle,
        "postgres" => ReadDialect::Postgres,
        "redshift" => ReadDialect::Redshift,
        "snowflake" => ReadDialect::Snowflake,
        "sqlite" => ReadDialect::Sqlite,
        other => panic!("{other}"),
    }
}

fn target(name: &str) -> (Target, &'static dyn Dialect) {
    match name {
        "postgres" => (Target::Postgres, &PostgreSqlDialect {}),
        "sqlite" => (Target::Sqlite, &SQLiteDialect {}),
        "tsql" => (Target::Tsql, &MsSqlDialect {}),
        "bigquery" => (Target::Bigquery, &BigQueryDialect {}),
        "mysql" => (Target::Mysql, &MySqlDialect {}),
        "snowflake" => (Target::Snowflake, &SnowflakeDialect {}),
        "databricks" => (Target::Databricks, &DatabricksDialect {}),
        "trino" => (Target::Trino, &GenericDialect {}),
        other => panic!("{other}"),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
}

fn cases() -> impl Iterator<Item = [&'static str; 4]> {
    let lines = CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        fields.try_into().unwrap_or_else(|_| panic!("four fields: {line}"))
    })
}

#[test]
fn habits_are_carried_over_or_refused_by_name() {
    let mut wrong = Vec::new();
    for [from, to, sql, expected] in cases() {
        let written = match transpile(sql, read_dialect(from), target(to).0) {
            Ok(written) => one_line(&written),
            Err(faults) => format!("refused: {}", faults[0].message),
        };
        let as_expected = match expected.strip_prefix("refused: ") {
            Some(words) => written.starts_with("refused: ") && written.contains(words),
            None => written == expected,
        };
        if !as_expected {
            wrong.push(format!("{from}\t{to}\t{sql}\t{written}"));
        }
    }
    assert!(wrong.is_empty(), "found:\n{}", wrong.join("\n"));
}

#[test]
fn what_is_written_is_read_by_a_second_parser() {
    for [from, to, sql, _] in cases() {
        let (target, parser) = target(to);
        let Ok(written) = transpile(sql, read_dialect(from), target) else { continue };
        match Parser::parse_sql(parser, &without_div(&written)) {
            Ok(statements) => assert_eq!(statements.len(), 1, "{written}"),
            Err(error) => panic!("{error}: {written}"),
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the generated file is updated")]
fn every_statement_is_printed_for_the_warehouses_or_refused_by_name() {
    let mut texts = String::new();
    for [from, _, sql, _] in cases() {
        for to in ["snowflake", "databricks", "trino"] {
            let (target, parser) = target(to);
            let (from, name) = (read_dialect(from), target.to_string());
            match transpile(sql, from, target) {
                Ok(written) => {
                    let statements = Parser::parse_sql(parser, &without_div(&written))
                        .unwrap_or_else(|error| panic!("{error}: {written}"));
                    assert_eq!(statements.len(), 1, "{written}");
                    texts.extend([to, "\t", &one_line(&written), "\n"]);
                }
                Err(faults) => {
                    let fault = &faults[0];
                    let is_named = match fault.code {
                        Code::Unprintable => fault.message.contains(&name),
                        _ => !fault.message.is_empty(),
                    };
                    assert!(is_named, "{sql}: {fault}");
                }
            }
        }
    }
    // `sqlglot_reads.py` reads the file, too.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/warehouses.tsv");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file, &texts).unwrap();
    }
    assert_eq!(texts, std::fs::read_to_string(file).unwrap_or_default(), "UPDATE_EXPECT=1");
}

#[test]
fn what_takes_an_argument_several_times_does_not_grow_without_bound() {
    let nested = |start: &str, end: &str| {
        (0..18).fold("a".to_owned(), |inner, _| format!("{start}{inner}{end}"))
    };
    for sql in [
        nested("locate('x', b, ", ")"),
        nested("concat(greatest(b, ", "), 'x')"),
        vec!["a"; 40].join(" XOR "),
    ] {
        let faults =
            transpile(&format!("SELECT {sql} FROM t"), ReadDialect::Mysql, Target::Postgres);
        assert!(faults.is_err(), "{sql}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..30),
        from in 0..9_usize,
        to in 0..8_usize,
    ) {
        let from = ["bigquery", "duckdb", "tsql", "mysql", "oracle", "postgres", "redshift", "snowflake", "sqlite"][from];
        let to = ["postgres", "sqlite", "tsql", "bigquery", "mysql", "snowflake", "databricks", "trino"][to];
        let sql = format!("SELECT {}", words.join(" "));
        drop(transpile(&sql, read_dialect(from), target(to).0));
    }
}

/// Words from which valid and almost valid queries are built.
const WORDS: &[&str] = &[
    "a",
    "b",
    "t",
    "FROM t",
    "WHERE",
    "+",
    "-",
    "/",
    "||",
    "(",
    ")",
    "(",
    ")",
    ",",
    "DATEADD(day, 1, a)",
    "'x'",
    "'2025-01-01'",
    "1",
    "INTERVAL 1 DAY",
    "INTERVAL '1' MONTH",
    "DATE_FORMAT(a, '%Y')",
    "QUALIFY",
    "ROW_NUMBER()",
    "OVER (ORDER BY a)",
    "LIKE",
    "CASE WHEN a THEN b END",
    "IS NULL",
    "AND",
    "NOT",
    "TOP 3",
    "LIMIT 2",
    "ORDER BY a",
    "CAST(a AS DATE)",
    "a:b.c",
    "->",
    "'$.a[0]'",
    "CONCAT(a, b)",
    "DECODE(a, 1, 2)",
    "JSON_EXTRACT(a, '$.b')",
    "=",
    ">",
    "CROSS APPLY",
    "SEMI JOIN u ON",
    "LEFT JOIN u USING (a)",
    "SUM(a) FILTER (WHERE b)",
    "TRUE",
    "é",
    "''",
    "`c`",
    "[d]",
];
