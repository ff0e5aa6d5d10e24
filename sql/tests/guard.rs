//! What the guard accepts and refuses, on both dialects.

use wherefore_catalog::{Catalog, Column, DataType, ForeignKey, Table};
use wherefore_sql::{
    CheckedSql, Code, Diagnostic, Dialect, GuardLimits, ReadDialect, check_text, read,
};

fn table(name: &str, columns: &[(&str, &str)]) -> Table {
    let columns = columns
        .iter()
        .map(|(name, declared)| Column {
            name: (*name).to_owned(),
            data_type: DataType::from_declaration(declared),
            declared_type: (*declared).to_owned(),
            ..Column::default()
        })
        .collect();
    Table { name: name.to_owned(), columns, ..Table::default() }
}

/// The catalog of the test cases.
fn catalog() -> Catalog {
    let foreign_key = |from: &str, column: &str, to: &str| ForeignKey {
        from_table: from.to_owned(),
        from_columns: vec![column.to_owned()],
        to_table: to.to_owned(),
        to_columns: vec!["id".to_owned()],
        inferred: false,
    };
    Catalog {
        name: "shop".to_owned(),
        tables: vec![
            table("delete", &[("id", "integer")]),
            table(
                "order_items",
                &[("order_id", "integer"), ("product_id", "integer"), ("qty", "integer")],
            ),
            table(
                "orders",
                &[
                    ("id", "integer"),
                    ("user_id", "integer"),
                    ("amount", "decimal(10,2)"),
                    ("status", "text"),
                    ("created_at", "timestamp"),
                ],
            ),
            table("products", &[("id", "integer"), ("name", "text"), ("price", "decimal(10,2)")]),
            table(
                "users",
                &[
                    ("id", "integer"),
                    ("name", "text"),
                    ("email", "text"),
                    ("city", "text"),
                    ("created_at", "timestamp"),
                    ("update_time", "timestamp"),
                    ("manager_id", "integer"),
                ],
            ),
        ],
        foreign_keys: vec![
            foreign_key("order_items", "order_id", "orders"),
            foreign_key("order_items", "product_id", "products"),
            foreign_key("orders", "user_id", "users"),
            foreign_key("users", "manager_id", "users"),
        ],
        ..Catalog::default()
    }
}

fn checked(sql: &str, from: ReadDialect, to: Dialect) -> Result<CheckedSql, Vec<Diagnostic>> {
    check_text(sql, from, &catalog(), to, &GuardLimits::default())
}

fn on(dialect: Dialect, sql: &str) -> Result<CheckedSql, Vec<Diagnostic>> {
    checked(sql, dialect.into(), dialect)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn faults(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Resolves the escapes of the file of test cases.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        plain.push(match characters.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('0') => '\0',
            Some(other) => other,
            None => '\\',
        });
    }
    plain
}

fn dialects(name: &str) -> (ReadDialect, Dialect) {
    match name {
        "bigquery" => (ReadDialect::Bigquery, Dialect::Postgres),
        "duckdb" => (ReadDialect::Duckdb, Dialect::Postgres),
        "mysql" => (ReadDialect::Mysql, Dialect::Postgres),
        "postgres" => (ReadDialect::Postgres, Dialect::Postgres),
        "sqlite" => (ReadDialect::Sqlite, Dialect::Sqlite),
        "tsql" => (ReadDialect::Mssql, Dialect::Postgres),
        other => panic!("unknown dialect {other}"),
    }
}

// Promise: security.unused-window
#[test]
fn every_case_is_judged_right() {
    let cases = include_str!("data/guard.tsv");
    let mut wrong = Vec::new();
    let mut total = 0;
    for line in cases.lines().skip(1).filter(|line| !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [dialect, expected, sql, why] = fields[..] else {
            panic!("a case of four fields: {line}")
        };
        let sql = unescaped(sql);
        let (from, to) = dialects(dialect);
        total += 1;
        let shown: String = sql.chars().take(200).collect();
        match (expected, checked(&sql, from, to)) {
            ("reject", Err(_)) => {}
            ("allow", Ok(statement)) => {
                // The printed text is a single statement, and checking it again changes nothing.
                match on(to, statement.sql()) {
                    Ok(second) if second.sql() == statement.sql() => {}
                    Ok(second) => wrong.push(format!("{shown}\n  twice: {}", second.sql())),
                    Err(found) => wrong.push(format!("{shown}\n  reread: {}", faults(&found))),
                }
            }
            ("allow", Err(found)) => {
                wrong.push(format!("{dialect} refused: {shown}\n  {why}\n  {}", faults(&found)));
            }
            (_, Ok(statement)) => {
                wrong.push(format!(
                    "{dialect} let through: {shown}\n  {why}\n  {}",
                    statement.sql()
                ));
            }
            (other, Err(_)) => panic!("unknown verdict {other}"),
        }
    }
    assert!(total >= 200, "only {total} cases were read");
    assert!(wrong.is_empty(), "{} of {total} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn analytic_statements_come_through() {
    let cases = include_str!("data/analytic.sql");
    let mut wrong = Vec::new();
    for case in cases.split(";\n").map(str::trim).filter(|case| !case.is_empty()) {
        let (heading, sql) = case.split_once('\n').unwrap();
        let dialects: &[Dialect] = match heading {
            "-- both" => &[Dialect::Postgres, Dialect::Sqlite],
            "-- postgres" => &[Dialect::Postgres],
            "-- sqlite" => &[Dialect::Sqlite],
            other => panic!("unknown heading {other}"),
        };
        for dialect in dialects {
            match on(*dialect, sql) {
                Err(found) => wrong.push(format!("{dialect}: {sql}\n  {}", faults(&found))),
                Ok(statement) => match on(*dialect, statement.sql()) {
                    Ok(second) if second.sql() == statement.sql() => {}
                    Ok(second) => wrong.push(format!("{sql}\n  twice: {}", second.sql())),
                    Err(found) => wrong.push(format!("{sql}\n  reread: {}", faults(&found))),
                },
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_listed_function_is_the_only_kind_that_passes_anywhere() {
    for dialect in [Dialect::Postgres, Dialect::Sqlite] {
        for place in [
            "SELECT evil(1)",
            "SELECT id FROM users WHERE evil(id) = 1",
            "SELECT id FROM users GROUP BY id, evil(id)",
            "SELECT count(*) FROM users HAVING evil(1) = 1",
            "SELECT id FROM users ORDER BY evil(id)",
            "SELECT id FROM users LIMIT evil(1)",
            "SELECT id FROM users LIMIT 1 OFFSET evil(1)",
            "SELECT * FROM evil(1)",
            "SELECT * FROM users JOIN orders ON evil(1) = 1",
            "SELECT * FROM (SELECT evil(1)) AS x",
            "WITH x AS (SELECT evil(1) AS a) SELECT a FROM x",
            "SELECT 1 UNION SELECT evil(1)",
            "VALUES (evil(1))",
            "SELECT sum(id) OVER (PARTITION BY evil(id)) FROM users",
            "SELECT sum(id) OVER (ORDER BY evil(id)) FROM users",
            "SELECT sum(id) FILTER (WHERE evil(id) = 1) FROM users",
            "SELECT CASE evil(1) WHEN 1 THEN 2 END",
            "SELECT CASE WHEN 1 = 1 THEN evil(1) ELSE 2 END",
            "SELECT coalesce(NULL, evil(1))",
            "SELECT CAST(evil(1) AS integer)",
            "SELECT id FROM users WHERE id IN (1, evil(1))",
            "SELECT id FROM users WHERE id IN (SELECT evil(1))",
            "SELECT id FROM users WHERE id BETWEEN 1 AND evil(1)",
            "SELECT id FROM users WHERE name LIKE evil(1)",
            "SELECT id FROM users WHERE EXISTS (SELECT evil(1))",
            "SELECT (SELECT evil(1))",
            "SELECT -evil(1)",
            "SELECT NOT evil(1)",
            "SELECT evil(1) IS NULL",
        ] {
            let found = on(dialect, place).unwrap_err();
            assert!(
                found.iter().any(|fault| fault.code == Code::Function),
                "{place}: {}",
                faults(&found)
            );
        }
    }
}

#[test]
fn wildcards_and_natural_joins_name_only_columns_of_the_catalog() {
    for (sql, expected) in [
        ("SELECT * FROM products", "SELECT id, name, price FROM products"),
        (
            "SELECT p.*, 1 AS one FROM products AS p",
            "SELECT p.id, p.name, p.price, 1 AS one FROM products AS p",
        ),
        (
            "SELECT * FROM delete AS d NATURAL JOIN products",
            "SELECT id, products.name, products.price FROM \"delete\" AS d JOIN products USING (id)",
        ),
        (
            "SELECT * FROM (SELECT count(*) FROM users) AS x",
            "SELECT count FROM ( SELECT count(*) AS count FROM users ) AS x",
        ),
        (
            "SELECT name FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE user_id = manager_id)",
            "SELECT name FROM users WHERE EXISTS ( SELECT 1 FROM orders WHERE user_id = users.manager_id )",
        ),
    ] {
        let sql = sql.replace("FROM delete", "FROM \"delete\"");
        for dialect in [Dialect::Postgres, Dialect::Sqlite] {
            let statement = on(dialect, &sql).map_err(|found| faults(&found)).unwrap();
            assert_eq!(one_line(statement.sql()), expected);
        }
    }
}

#[test]
fn output_columns_name_their_stored_source() {
    let sql = "SELECT u.name AS who, count(*) FROM users AS u GROUP BY u.name";
    let statement = on(Dialect::Postgres, sql).unwrap();
    let columns = statement.output_columns();
    assert_eq!(columns.len(), 2);
    assert_eq!(columns[0].name, "who");
    assert_eq!(columns[0].source.as_ref().unwrap().column, "name");
    assert_eq!(columns[0].data_type, Some(DataType::Text));
    assert_eq!((columns[1].name.as_str(), columns[1].source.as_ref()), ("count", None));
}

#[test]
fn an_unknown_name_comes_with_the_nearest_known_one() {
    for (sql, code, hint) in [
        ("SELECT nme FROM users", Code::UnknownColumn, "name"),
        ("SELECT u.emial FROM users AS u", Code::UnknownColumn, "email"),
        ("SELECT id FROM user_s", Code::UnknownTable, "users"),
        ("SELECT id FROM product", Code::UnknownTable, "products"),
        ("SELECT ordrs.id FROM orders", Code::UnknownAlias, "orders"),
        ("SELECT coalese(name, '') FROM users", Code::Function, "coalesce"),
    ] {
        for dialect in [Dialect::Postgres, Dialect::Sqlite] {
            let found = on(dialect, sql).unwrap_err();
            assert_eq!(found[0].code, code, "{sql}");
            assert!(found[0].hint.as_ref().unwrap().contains(&format!("{hint:?}")), "{}", found[0]);
        }
    }
}

#[test]
fn names_follow_the_case_rules_of_the_dialect() {
    assert!(on(Dialect::Sqlite, "SELECT ID FROM \"Users\"").is_ok());
    assert!(on(Dialect::Postgres, "SELECT ID FROM Users").is_ok());
    let found = on(Dialect::Postgres, "SELECT \"ID\" FROM users").unwrap_err();
    assert_eq!(found[0].code, Code::UnknownColumn);
    let found = on(Dialect::Postgres, "SELECT id FROM \"Users\"").unwrap_err();
    assert_eq!(found[0].code, Code::UnknownTable);
}

#[test]
fn each_fault_has_its_code() {
    for (sql, code) in [
        ("SELECT id FROM users, orders", Code::AmbiguousColumn),
        ("SELECT 1 FROM users, users", Code::DuplicateAlias),
        ("SELECT x.id FROM users", Code::UnknownAlias),
        ("SELECT u FROM users AS u", Code::WholeRow),
        ("SELECT count(u) FROM users AS u", Code::WholeRow),
        ("SELECT ctid FROM users", Code::WholeRow),
        ("SELECT :x", Code::Parameter),
        ("SELECT id FROM information_schema.tables", Code::Relation),
        ("SELECT id FROM users UNION SELECT id, name FROM users", Code::ColumnCount),
        ("SELECT id FROM users WHERE id IN (SELECT id, name FROM users)", Code::ColumnCount),
        ("SELECT row_number() FROM users", Code::Function),
        ("SELECT sum(*) FROM orders", Code::WholeRow),
        ("SELECT name COLLATE evil FROM users", Code::Type),
        (
            "WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
            Code::Limit,
        ),
        ("SELECT count(*) FROM users AS a, users AS b, users AS c, users AS d", Code::Limit),
        (
            "SELECT count(*) FROM (SELECT a.id FROM users AS a, users AS b) AS x, (SELECT a.id FROM users AS a, users AS b) AS y",
            Code::Limit,
        ),
    ] {
        for dialect in [Dialect::Postgres, Dialect::Sqlite] {
            let found = on(dialect, sql).unwrap_err();
            assert!(
                found.iter().any(|fault| fault.code == code),
                "{dialect}: {sql}: {}",
                faults(&found)
            );
        }
    }
}

#[test]
fn generators_need_small_constants() {
    for (sql, is_allowed) in [
        ("SELECT g FROM generate_series(1, 100) AS g", true),
        ("SELECT g FROM generate_series(1, 10000000) AS g", false),
        ("SELECT g FROM generate_series(1, 10, 0) AS g", false),
        ("SELECT g FROM generate_series(1, (SELECT max(id) FROM users)) AS g", false),
        (
            "SELECT d FROM generate_series(date '2024-01-01', date '2024-12-31', interval '1 day') AS d",
            true,
        ),
        (
            "SELECT d FROM generate_series(date '0001-01-01', date '9999-12-31', interval '1 second') AS d",
            false,
        ),
        (
            "SELECT d FROM generate_series((SELECT min(created_at) FROM orders), now(), interval '1 month') AS d",
            true,
        ),
        (
            "SELECT d FROM generate_series((SELECT min(created_at) FROM orders), now(), interval '1 second') AS d",
            false,
        ),
        ("SELECT repeat('x', 10)", true),
        ("SELECT repeat('x', 1000000000)", false),
        ("SELECT lpad(name, id) FROM users", false),
    ] {
        assert_eq!(on(Dialect::Postgres, sql).is_ok(), is_allowed, "{sql}");
    }
    assert!(on(Dialect::Sqlite, "SELECT printf('%05.2f', amount) FROM orders").is_ok());
    assert!(on(Dialect::Sqlite, "SELECT format('%9999d', 1)").is_err());
    assert!(on(Dialect::Sqlite, "SELECT printf(name) FROM users").is_err());
}

// Promise: security.growth-in-recursion
#[test]
fn growth_in_a_recursion_is_refused_with_its_place() {
    let hint = "append a value that does not grow, such as path || '/' || name, \
                or cut the result with substr(…, 1, 1000)";
    for (step, message, place) in [
        (
            "SELECT n + 1, x || x FROM c",
            "each step of the recursion in \"c\" can double \"x\"",
            "x || x",
        ),
        (
            "SELECT n + 1, upper(concat(x, x)) FROM c",
            "each step of the recursion in \"c\" can double \"x\"",
            "upper(concat(x, x",
        ),
    ] {
        let sql = format!(
            "WITH RECURSIVE c(n, x) AS (SELECT 1, 'a' UNION ALL {step} WHERE n < 9) SELECT x FROM c"
        );
        for dialect in [Dialect::Postgres, Dialect::Sqlite] {
            let found = on(dialect, &sql).unwrap_err();
            let [fault] = &found[..] else { panic!("{}", faults(&found)) };
            assert_eq!((fault.code, fault.message.as_str()), (Code::Limit, message));
            assert_eq!(fault.hint.as_deref(), Some(hint));
            assert_eq!(&sql[fault.span.start as usize..fault.span.end as usize], place);
        }
    }
}

#[test]
fn sqlite_common_tables_cannot_take_a_table_s_place_from_before() {
    // On SQLite, `users` refers to the CTE, with or without RECURSIVE.
    for sql in [
        "WITH users AS (SELECT id FROM users) SELECT id FROM users",
        "WITH a AS (SELECT id FROM users), users AS (SELECT 1 AS id) SELECT id FROM a",
        "WITH users(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM users) SELECT id FROM users",
    ] {
        assert!(on(Dialect::Sqlite, sql).is_err(), "{sql}");
    }
    let sql = "WITH users AS (SELECT id FROM users) SELECT id FROM users";
    assert!(on(Dialect::Postgres, sql).is_ok());
}

#[test]
fn a_checked_statement_reads_back_as_the_tree_that_was_checked() {
    let sql = "SELECT u.city, sum(o.amount) AS total FROM users AS u JOIN orders AS o ON o.user_id = u.id GROUP BY u.city ORDER BY total DESC LIMIT 3";
    let statement = on(Dialect::Postgres, sql).unwrap();
    let again = read(statement.sql(), ReadDialect::Postgres).unwrap();
    let printed = wherefore_sql::print(&again, Dialect::Postgres).unwrap();
    assert_eq!(printed, statement.sql());
}
