//! PostgreSQL-only syntax is read and printed unchanged, and the guard refuses it in every position.

use wherefore_catalog::{Catalog, Column, Table};
use wherefore_sql::{
    Code, Dialect, GuardLimits, ReadDialect, Target, check, check_text, print, read, transpile,
};

/// Expressions over the columns `a` and `b`, with the guard's diagnostic code.
const EXPRESSIONS: &[(&str, Code)] = &[
    ("a @> b", Code::Unsupported),
    ("a <-> b", Code::Unsupported),
    ("a *<> b", Code::Unsupported),
    ("a OPERATOR(pg_catalog.+) b", Code::Unsupported),
    ("@ a", Code::Unsupported),
    ("pg_catalog.lower(a)", Code::Function),
    ("\"lower\"(a)", Code::Function),
    ("pg_catalog.max(DISTINCT a) FILTER (WHERE a = 1) OVER (ORDER BY b)", Code::Function),
    ("current_user", Code::Function),
    ("CAST(a AS regclass)", Code::Type),
    ("a::int[][]", Code::Type),
    ("a::other.\"Kind\"", Code::Type),
    ("regclass 'pg_class'", Code::Type),
    ("kind 'value'", Code::Syntax),
    ("a[1]", Code::Unsupported),
    ("a[1:2][:3]", Code::Unsupported),
    ("(a).field", Code::Unsupported),
    ("s.t.a", Code::Unsupported),
    ("lower(named => a)", Code::Unsupported),
    ("lower(named := a)", Code::Unsupported),
    ("lower(VARIADIC a)", Code::Unsupported),
    ("lower(t.*)", Code::WholeRow),
    ("a = ANY (b)", Code::Unsupported),
    ("a < ALL (SELECT 1)", Code::Unsupported),
    ("a LIKE ANY (b)", Code::Unsupported),
    ("a SIMILAR TO b ESCAPE '#'", Code::Unsupported),
    ("a LIKE b ESCAPE NULL", Code::Unsupported),
    ("a IS NOT NFC NORMALIZED", Code::Unsupported),
    ("a IS JSON OBJECT", Code::Unsupported),
    ("a IS NOT DOCUMENT", Code::Unsupported),
    ("a COLLATE pg_catalog.\"C\"", Code::Unsupported),
    ("INTERVAL '1-2' YEAR TO MONTH", Code::Unsupported),
    ("B'101'", Code::Unsupported),
    ("X'1F'", Code::Unsupported),
    ("0x1F", Code::Unsupported),
    ("1_000", Code::Unsupported),
    ("U&'\\0061'", Code::Lexical),
    ("xmlelement(name foo, a)", Code::Unsupported),
    ("json_object('k': a RETURNING jsonb)", Code::Unsupported),
    ("sum(a) OVER (ORDER BY b ROWS 1 PRECEDING EXCLUDE TIES)", Code::Unsupported),
    (
        "sum(a) OVER (RANGE BETWEEN CAST('1' AS interval) PRECEDING AND CURRENT ROW)",
        Code::Unsupported,
    ),
];

/// Sources, with the guard's diagnostic code.
const SOURCES: &[(&str, Code)] = &[
    ("ONLY t", Code::Unsupported),
    ("x.y.t", Code::Relation),
    ("t AS u (a, b)", Code::Unsupported),
    ("t TABLESAMPLE SYSTEM (10) REPEATABLE (1)", Code::Unsupported),
    ("(t JOIN t AS u ON TRUE) AS j", Code::Unsupported),
    ("generate_series(1, 2) WITH ORDINALITY AS g (a, b)", Code::Unsupported),
    ("unnest(ARRAY[1]) WITH ORDINALITY", Code::Unsupported),
    ("pg_catalog.generate_series(1, 2) AS a", Code::Function),
    ("json_to_record('{}') AS r (a int, b text[])", Code::Unsupported),
    ("json_to_record('{}') AS (a int, b text)", Code::Unsupported),
    ("ROWS FROM (generate_series(1, 2), unnest(ARRAY[1])) WITH ORDINALITY AS r", Code::Unsupported),
    ("xmltable('/a' PASSING b COLUMNS a int) AS x", Code::Unsupported),
    ("t JOIN t AS u USING (a) AS j", Code::Unsupported),
];

/// Statements, with the guard's diagnostic code.
const STATEMENTS: &[(&str, Code)] = &[
    ("TABLE t", Code::SelectOnly),
    ("SELECT a FROM t FOR UPDATE OF t SKIP LOCKED", Code::IntoOrLock),
    ("SELECT a FROM t FOR SHARE NOWAIT", Code::IntoOrLock),
    ("SELECT a, b AS c INTO TEMPORARY u FROM t", Code::IntoOrLock),
    ("SELECT * INTO u FROM t", Code::IntoOrLock),
    ("SELECT FROM t", Code::Unsupported),
    ("SELECT a FROM t ORDER BY a USING <", Code::Unsupported),
    ("SELECT a FROM t ORDER BY a FETCH FIRST 2 ROWS WITH TIES", Code::Unsupported),
    ("SELECT (t).* FROM t", Code::Unsupported),
    ("SELECT public.t.* FROM t", Code::Unsupported),
    (
        "SELECT a FROM t GROUP BY GROUPING SETS (a, GROUPING SETS (a, ROLLUP (b)))",
        Code::Unsupported,
    ),
    ("WITH x AS (DELETE FROM t RETURNING a) SELECT a FROM x", Code::DataModification),
    ("WITH x AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM x", Code::DataModification),
    (
        "WITH RECURSIVE x (a) AS (SELECT 1 UNION ALL SELECT a FROM x) SEARCH DEPTH FIRST BY a SET o \
         CYCLE a SET c USING p SELECT a FROM x",
        Code::Unsupported,
    ),
];

/// Positions of an expression in a statement.
const EXPRESSION_PLACES: &[&str] = &[
    "SELECT {} FROM t",
    "SELECT DISTINCT ON ({}) a FROM t",
    "SELECT a FROM t WHERE {} AND a = 1",
    "SELECT a FROM t WHERE NOT ({})",
    "SELECT a FROM t WHERE a IN (1, {})",
    "SELECT a FROM t WHERE a BETWEEN 1 AND ({})",
    "SELECT count(*) FROM t GROUP BY a, ({})",
    "SELECT count(*) FROM t GROUP BY ROLLUP (a, ({}))",
    "SELECT a FROM t GROUP BY a HAVING ({})",
    "SELECT a FROM t ORDER BY ({})",
    "SELECT a FROM t LIMIT ({})",
    "SELECT lower({}) FROM t",
    "SELECT count(*) FILTER (WHERE {}) FROM t",
    "SELECT sum(a) OVER (PARTITION BY ({})) FROM t",
    "SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY ({}))",
    "SELECT CASE WHEN ({}) THEN 1 ELSE 2 END FROM t",
    "SELECT CAST(({}) AS text) FROM t",
    "SELECT ARRAY[{}] FROM t",
    "SELECT a FROM t WHERE a = ANY (ARRAY[{}])",
    "SELECT (SELECT {} FROM t)",
    "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM t WHERE ({}))",
    "SELECT t.a FROM t JOIN t AS u ON ({})",
    "SELECT d.a FROM (SELECT ({}) AS a FROM t) AS d",
    "WITH c AS (SELECT ({}) AS a FROM t) SELECT a FROM c",
    "SELECT a FROM t UNION SELECT ({}) FROM t",
    "SELECT v.a FROM t, LATERAL (VALUES (({}))) AS v (a)",
    "SELECT g FROM t, LATERAL generate_series(1, ({})) AS g",
];

/// Positions of a source in a statement.
const SOURCE_PLACES: &[&str] = &[
    "SELECT 1 FROM {}",
    "SELECT 1 FROM t AS first CROSS JOIN {}",
    "SELECT d.a FROM (SELECT 1 AS a FROM {}) AS d",
    "WITH c AS (SELECT 1 AS a FROM {}) SELECT a FROM c",
    "SELECT a FROM t WHERE a IN (SELECT 1 FROM {})",
    "SELECT 1 UNION ALL SELECT 2 FROM {}",
];

/// Positions of a statement inside a statement.
const STATEMENT_PLACES: &[&str] = &[
    "{}",
    "SELECT 1 FROM ({}) AS d",
    "WITH c AS ({}) SELECT 1 FROM c",
    "SELECT a FROM t WHERE EXISTS ({})",
    "(SELECT 1) UNION ({})",
];

fn catalog() -> Catalog {
    let column = |name: &str| Column { name: name.to_owned(), ..Column::default() };
    let columns = vec![column("a"), column("b")];
    let table = Table { name: "t".to_owned(), columns, ..Table::default() };
    Catalog { tables: vec![table], ..Catalog::default() }
}

/// Every construct in every position, with its code.
fn placed(list: &[(&str, Code)], places: &[&str]) -> Vec<(String, Code)> {
    let each = |(construct, code): &(&str, Code)| {
        let at = |place: &&str| (place.replace("{}", construct), *code);
        places.iter().map(at).collect::<Vec<_>>()
    };
    list.iter().flat_map(each).collect()
}

fn everything() -> Vec<(String, Code)> {
    let mut all = placed(EXPRESSIONS, EXPRESSION_PLACES);
    all.extend(placed(SOURCES, SOURCE_PLACES));
    all.extend(placed(STATEMENTS, STATEMENT_PLACES));
    all
}

#[test]
fn the_guard_refuses_what_is_foreign_wherever_it_stands() {
    let catalog = catalog();
    let limits = GuardLimits::default();
    let mut wrong = Vec::new();
    for (sql, code) in everything() {
        match check_text(&sql, ReadDialect::Postgres, &catalog, Dialect::Postgres, &limits) {
            Ok(checked) => wrong.push(format!("let through: {sql}\n  {}", checked.sql())),
            Err(faults) if faults.iter().any(|fault| fault.code == code) => {}
            Err(faults) => wrong.push(format!("{}: {sql}", faults[0])),
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_foreign_is_printed_as_it_was_read() {
    let mut wrong = Vec::new();
    for (sql, _) in everything() {
        let again = read(&sql, ReadDialect::Postgres).map_err(|faults| faults[0].to_string());
        let again = again.and_then(|query| {
            let printed = print(&query, Dialect::Postgres).map_err(|fault| fault.to_string())?;
            let second = read(&printed, ReadDialect::Postgres);
            let second = second.map_err(|faults| format!("{}: {printed}", faults[0]))?;
            let twice = print(&second, Dialect::Postgres).map_err(|fault| fault.to_string())?;
            if printed == twice { Ok(()) } else { Err(format!("{printed}\nthen\n{twice}")) }
        });
        if let Err(fault) = again {
            wrong.push(format!("{sql}\n  {fault}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn other_dialects_neither_read_nor_print_what_is_foreign() {
    for (expression, _) in EXPRESSIONS {
        let sql = format!("SELECT {expression} FROM t");
        let query = read(&sql, ReadDialect::Postgres).unwrap();
        assert!(print(&query, Dialect::Sqlite).is_err(), "{sql}");
    }
    for sql in [
        "SELECT a::regclass FROM t",
        "SELECT pg_catalog.lower(a) FROM t",
        "SELECT lower(named => a) FROM t",
        "SELECT a SIMILAR TO b FROM t",
        "SELECT a INTO u FROM t",
        "SELECT a FROM (t JOIN u ON TRUE)",
    ] {
        for dialect in [ReadDialect::Duckdb, ReadDialect::Mysql, ReadDialect::Sqlite] {
            assert!(read(sql, dialect).is_err(), "{dialect:?}: {sql}");
        }
    }
}

#[test]
fn what_is_foreign_is_written_for_postgresql_alone() {
    let mut wrong = Vec::new();
    for (sql, _) in everything() {
        let from = ReadDialect::Postgres;
        // The first two have equivalent regular nodes; an interval of several fields is an error for every target.
        if ["0x1F", "1_000", "INTERVAL '1-2'"].iter().any(|own| sql.contains(own)) {
            continue;
        }
        match transpile(&sql, from, Target::Postgres) {
            Ok(written) if read(&written, from).is_ok() => {}
            Ok(written) => wrong.push(format!("{sql}\n  {written}")),
            Err(faults) => wrong.push(format!("{sql}\n  {}", faults[0])),
        }
        for target in [
            Target::Sqlite,
            Target::Tsql,
            Target::Bigquery,
            Target::Mysql,
            Target::Snowflake,
            Target::Databricks,
            Target::Trino,
        ] {
            if let Ok(written) = transpile(&sql, from, target) {
                wrong.push(format!("{sql}\n  for {target}: {written}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Statements of other dialects with syntax that they share with PostgreSQL.
const ALIKE: &[(ReadDialect, &str, Code)] = &[
    (ReadDialect::Mysql, "SELECT a FROM t FOR UPDATE OF t SKIP LOCKED", Code::IntoOrLock),
    (
        ReadDialect::Mysql,
        "SELECT a FROM t WHERE a IN (SELECT a FROM t FOR SHARE)",
        Code::IntoOrLock,
    ),
    (ReadDialect::Mssql, "SELECT g.a FROM t, s.f(t.a) AS g", Code::Function),
    (ReadDialect::Mssql, "SELECT dbo.f(a) FROM t", Code::Function),
];

#[test]
fn the_guard_refuses_what_other_dialects_have_alike() {
    for (from, sql, code) in ALIKE {
        let limits = GuardLimits::default();
        for dialect in [Dialect::Postgres, Dialect::Sqlite] {
            let faults = check_text(sql, *from, &catalog(), dialect, &limits).unwrap_err();
            assert!(faults.iter().any(|fault| fault.code == *code), "{sql}: {faults:?}");
            let faults = transpile(sql, *from, Target::Sqlite).unwrap_err();
            assert_eq!(faults[0].code, *code, "{sql}");
        }
    }
}

#[test]
fn what_is_checked_has_only_own_nodes() {
    let limits = GuardLimits::default();
    for sql in [
        "SELECT SUBSTRING(a FROM 1 FOR 2), POSITION('x' IN b), TRIM(LEADING FROM a), date(b) FROM t",
        "SELECT a ^ 2 FROM t WHERE a = ANY (ARRAY[1, 2]) AND b <> ALL (SELECT a FROM t AS u)",
        "SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY b) ORDER BY sum(a) OVER w",
        "WITH c AS (SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY b ^ 2)) SELECT sum FROM c",
        "SELECT a FROM t WHERE a IS UNKNOWN OR b LIKE 'x\\%' OR b > now() - INTERVAL '1' MONTH",
        "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9 WINDOW w AS ()) \
         SELECT n FROM c",
    ] {
        let query = read(sql, ReadDialect::Postgres).unwrap();
        let checked = check(&query, &catalog(), Dialect::Postgres, &limits).unwrap();
        let shown = format!("{:?}", checked.query());
        assert!(!shown.contains("Foreign") && !shown.contains("Spelled"), "{sql}\n{shown}");
    }
}
