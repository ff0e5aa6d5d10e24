//! Explanations of statements, compared with `data/explain.md`; `UPDATE_EXPECT=1` rewrites the file.
#![expect(
    clippy::disallowed_methods,
    reason = "the statements are a file, and a variable rewrites it"
)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use wherefore_catalog::{Catalog, ColumnRef};
use wherefore_sql::Dialect;
use wherefore_sql::explain::{Decision, Step, explain, kept, sentence};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The catalog for a title such as `shop postgres`; `base` is the catalog of the linter tests.
fn catalog(title: &str) -> Catalog {
    let (name, dialect) = title.split_once(' ').expect("a catalog and a dialect");
    let path = match name {
        "base" => folder().join("shop.json"),
        name => folder().join(format!("../../../engine/tests/data/catalogs/{name}.json")),
    };
    let text = std::fs::read_to_string(path).expect("a catalog");
    let mut catalog: Catalog = serde_json::from_str(&text).expect("a catalog");
    catalog.dialect = match dialect {
        "postgres" => Dialect::Postgres,
        _ => Dialect::Sqlite,
    };
    catalog
}

fn listed(steps: &[Step], depth: usize, text: &mut String) {
    for step in steps {
        let _ = writeln!(text, "{}{}: {}", "  ".repeat(depth), step.kind.word(), step.text);
        listed(&step.inner, depth + 1, text);
    }
}

fn said(sql: &str, catalog: &Catalog) -> String {
    let steps = explain(sql, catalog).unwrap_or_else(|faults| panic!("{sql}: {faults:?}"));
    let mut text = String::new();
    listed(&steps, 0, &mut text);
    let _ = write!(text, "= {}", sentence(&steps));
    text
}

/// Statements with the title above each.
fn statements(file: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut title = String::new();
    let mut lines = file.lines();
    while let Some(line) = lines.next() {
        if let Some(text) = line.strip_prefix("## ") {
            text.clone_into(&mut title);
        } else if line == "```sql" {
            let sql: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push((title.clone(), sql.join("\n")));
        }
    }
    found
}

#[test]
fn statements_are_said_as_written() {
    let path = folder().join("explain.md");
    let file = std::fs::read_to_string(&path).expect("the statements");
    let statements = statements(&file);
    assert!(statements.len() >= 60, "only {} statements", statements.len());
    let mut text =
        file.lines().take_while(|line| !line.starts_with("## ")).collect::<Vec<_>>().join("\n");
    let mut above = String::new();
    for (title, sql) in &statements {
        if *title != above {
            let _ = write!(text, "\n## {title}\n");
            above.clone_from(title);
        }
        let said = said(sql, &catalog(title));
        let _ = write!(text, "\n```sql\n{sql}\n```\n```steps\n{said}\n```\n");
    }
    let text = text.trim_end().to_owned() + "\n";
    if std::env::var("UPDATE_EXPECT").is_ok_and(|value| value == "1") {
        std::fs::write(&path, text).expect("the statements are written");
        return;
    }
    let diff = similar::TextDiff::from_lines(&file, &text);
    let report = diff.unified_diff().context_radius(4).to_string();
    assert!(report.is_empty(), "\n{report}\nUPDATE_EXPECT=1 writes what was found instead");
}

/// Checks that every step has text and a span inside the statement.
fn check(sql: &str, steps: &[Step]) {
    assert!(!steps.is_empty(), "{sql}");
    for step in steps {
        assert!(!step.text.trim().is_empty() && !step.clause.trim().is_empty(), "{sql}: {step:?}");
        let span = step.span.start as usize..step.span.end as usize;
        assert!(sql.get(span).is_some(), "{sql}: {step:?}");
        if !step.inner.is_empty() {
            check(sql, &step.inner);
        }
    }
}

fn analytic() -> Vec<(Dialect, &'static str)> {
    let mut found = Vec::new();
    let mut lines = include_str!("data/analytic.sql").lines();
    while let (Some(dialect), Some(sql)) = (lines.next(), lines.next()) {
        let sql = sql.trim_end_matches(';');
        match dialect.trim_start_matches("-- ") {
            "postgres" => found.push((Dialect::Postgres, sql)),
            "sqlite" => found.push((Dialect::Sqlite, sql)),
            _ => found.extend([(Dialect::Postgres, sql), (Dialect::Sqlite, sql)]),
        }
    }
    found
}

#[test]
fn analytic_statements_have_steps_in_their_text() {
    let mut catalog = catalog("base postgres");
    let mut count = 0;
    for (dialect, sql) in analytic() {
        catalog.dialect = dialect;
        let steps = explain(sql, &catalog).unwrap_or_else(|faults| panic!("{sql}: {faults:?}"));
        check(sql, &steps);
        assert!(sentence(&steps).ends_with('.'));
        count += 1;
    }
    assert!(count > 60);
}

#[test]
fn what_is_no_query_is_no_list_of_steps() {
    let catalog = catalog("base postgres");
    for sql in ["", "DELETE FROM users", "SELECT 1; SELECT 2", "SELECT FROM", "nonsense"] {
        assert!(explain(sql, &catalog).is_err(), "{sql}");
    }
}

#[test]
fn deep_and_long_statements_are_said_in_a_bounded_text() {
    let catalog = catalog("base postgres");
    let mut deep = "SELECT max(amount) FROM orders".to_owned();
    for _ in 0..8 {
        deep = format!("SELECT max(amount) AS m FROM orders WHERE amount < ({deep})");
    }
    let list: Vec<String> = (0..1_500).map(|number| number.to_string()).collect();
    let long = format!("SELECT id FROM users WHERE id IN ({})", list.join(", "));
    let ors = vec!["name = 'a'"; 60].join(" OR ");
    let wide = format!("SELECT id FROM users WHERE {ors}");
    for sql in [deep, long, wide] {
        let steps = explain(&sql, &catalog).unwrap_or_else(|faults| panic!("{faults:?}"));
        check(&sql, &steps);
        let mut text = String::new();
        listed(&steps, 0, &mut text);
        assert!(text.len() < 20 * sql.len() + 1_000, "{} for {}", text.len(), sql.len());
    }
}

#[test]
fn i9_what_was_decided_is_found_again_in_steps_and_text() {
    let catalog = catalog("base postgres");
    let sql = "SELECT u.city, sum(o.amount) AS total FROM orders o JOIN users u ON u.id = o.user_id \
               WHERE o.status = 'paid' AND o.created_at >= '2026-01-01' GROUP BY u.city";
    let paid = Decision {
        phrase: "paid".to_owned(),
        columns: vec![ColumnRef::new("orders", "status")],
        literals: vec![vec!["paid".to_owned()]],
        ..Decision::default()
    };
    let volume = Decision {
        phrase: "volume".to_owned(),
        columns: vec![ColumnRef::new("orders", "amount")],
        functions: vec!["sum".to_owned()],
        ..Decision::default()
    };
    let average = Decision {
        phrase: "typical".to_owned(),
        functions: vec!["avg".to_owned()],
        ..Decision::default()
    };
    let found = kept(sql, &catalog, &[paid, volume, average]).unwrap();
    let steps = explain(sql, &catalog).unwrap();
    assert!(found[0].is_kept && found[1].is_kept && !found[2].is_kept);
    let said: Vec<&str> = found[0].steps.iter().map(|at| steps[*at].text.as_str()).collect();
    assert_eq!(said, ["keep only orders where status is “paid”"]);
    let parts: Vec<&str> =
        found[0].spans.iter().map(|span| &sql[span.start as usize..span.end as usize]).collect();
    assert_eq!(parts, ["status", "'paid'"]);
    assert!(found[1].steps.iter().any(|at| steps[*at].text.contains("total amount")));
    assert!(found[2].steps.is_empty() && found[2].spans.is_empty());
}

#[test]
fn i9_a_column_is_found_through_a_list_that_passes_it_on() {
    let catalog = catalog("base postgres");
    let sql = "WITH t AS (SELECT amount AS a, status FROM orders) SELECT a FROM t WHERE a > 5";
    let decision = Decision {
        phrase: "amount".to_owned(),
        columns: vec![ColumnRef::new("orders", "amount")],
        literals: vec![vec!["5.0".to_owned()]],
        ..Decision::default()
    };
    let found = kept(sql, &catalog, &[decision]).unwrap();
    assert!(found[0].is_kept);
    assert_eq!(found[0].steps, [0, 2, 3]);
}

proptest! {
    /// Random combinations of clauses: every statement that can be read is explained, with valid spans.
    #[test]
    fn whatever_is_read_is_said(
        parts in prop::collection::vec(0_usize..PARTS.len(), 1..5),
        filters in prop::collection::vec(0_usize..FILTERS.len(), 1..4),
        frame in 0_usize..FRAMES.len(),
        sqlite: bool,
    ) {
        let mut catalog = catalog("base postgres");
        if sqlite {
            catalog.dialect = Dialect::Sqlite;
        }
        let items: Vec<&str> = parts.iter().map(|at| PARTS[*at]).collect();
        let conditions: Vec<&str> = filters.iter().map(|at| FILTERS[*at]).collect();
        let sql = FRAMES[frame]
            .replace("ITEMS", &items.join(", "))
            .replace("FILTERS", &conditions.join(if frame % 2 == 0 { " AND " } else { " OR " }));
        if let Ok(steps) = explain(&sql, &catalog) {
            check(&sql, &steps);
            prop_assert!(sentence(&steps).len() > 5);
            prop_assert_eq!(&explain(&sql, &catalog).unwrap(), &steps);
        }
    }

    #[test]
    fn any_text_is_taken(text in "\\PC{0,60}") {
        let catalog = catalog("base sqlite");
        if let Ok(steps) = explain(&text, &catalog) {
            check(&text, &steps);
        }
    }
}

const PARTS: &[&str] = &[
    "o.id",
    "*",
    "o.*",
    "count(*)",
    "count(DISTINCT o.user_id) AS n",
    "sum(o.amount)",
    "nowhere",
    "o.nothing",
    "x.y",
    "max(o.created_at)",
    "1",
    "'a''b'",
    "NULL",
    "-o.amount",
    "o.amount / 0",
    "CASE o.status WHEN 'a' THEN 1 END",
    "CAST(o.amount AS integer)",
    "(SELECT 1)",
    ":p",
    "now()",
    "(SELECT count(*) FROM users q WHERE q.id = o.user_id)",
    "lower(o.status) || 'é'",
    "row_number() OVER (PARTITION BY o.user_id ORDER BY o.amount DESC)",
    "strange(o.id)",
    "sum(o.amount) OVER (ORDER BY o.id ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)",
    "EXISTS (SELECT 1 FROM users)",
    "o.amount > 3 AS big",
    "coalesce(o.status, 'x', 'y')",
    "strftime('%Y', o.created_at)",
    "date_trunc('month', o.created_at)",
    "round(o.amount)",
    "count(CASE WHEN o.amount > 1 THEN 1 END)",
    "sum(CASE WHEN o.status = 'a' THEN o.amount ELSE 0 END)",
];

const FILTERS: &[&str] = &[
    "o.id = 1",
    "o.amount BETWEEN 1 AND 2",
    "o.status LIKE 'a%b_'",
    "o.status LIKE '%é%'",
    "o.created_at >= date('now', '-3 days')",
    "o.created_at >= now() - interval '1 month'",
    "o.created_at < '2026-02-31'",
    "o.created_at >= '2026-01-01'",
    "o.created_at < '2026-02-01'",
    "NOT (o.status IS NULL)",
    "o.user_id IN (SELECT id FROM users WHERE city = 'Bonn')",
    "o.user_id NOT IN (SELECT user_id FROM orders GROUP BY user_id)",
    "o.status IN ('a', 'b')",
    "EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = o.id AND i.qty > 1)",
    "o.nope > 1",
    "o.amount > (SELECT avg(amount) FROM orders)",
    "1 = 1",
    "true",
    "o.amount",
    "o.id <> o.user_id",
    "(o.id, o.user_id) IN (SELECT 1, 2)",
    "o.amount * 2 < o.id + 1",
    "5 < o.amount",
    ":q = o.id",
    "o.amount IS NOT DISTINCT FROM 4",
    "current_date = o.created_at",
];

const FRAMES: &[&str] = &[
    "SELECT ITEMS FROM orders o WHERE FILTERS",
    "SELECT DISTINCT ITEMS FROM orders o, users u WHERE FILTERS ORDER BY 1 DESC LIMIT 3 OFFSET 1",
    "WITH t AS (SELECT ITEMS FROM orders o WHERE FILTERS) SELECT * FROM t",
    "SELECT ITEMS FROM users u LEFT JOIN orders o ON o.user_id = u.id AND (FILTERS) GROUP BY 1",
    "SELECT ITEMS FROM orders o WHERE FILTERS UNION SELECT ITEMS FROM orders o ORDER BY 1",
    "SELECT ITEMS FROM orders o GROUP BY o.id HAVING FILTERS",
    "SELECT ITEMS FROM (SELECT * FROM orders) o JOIN users u USING (id) WHERE FILTERS",
    "SELECT ITEMS FROM missing o WHERE FILTERS",
    "SELECT ITEMS FROM orders o NATURAL JOIN users WHERE FILTERS",
    "SELECT ITEMS",
];
