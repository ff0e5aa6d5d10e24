//! The lint rules on the examples of their documentation and on further statements.

#[path = "support/rules.rs"]
mod rules;

use serde::Deserialize;
use wherefore_catalog::{Catalog, Table};
use wherefore_sql::Dialect;
use wherefore_sql::lint::{ALL, Asked, Finding, Severity, lint};

fn shop() -> Catalog {
    serde_json::from_str(include_str!("data/shop.json")).expect("a catalog")
}

/// An example of a rule's documentation, with the catalog that it applies to.
struct Example<'a> {
    sql: &'a str,
    catalog: Catalog,
}

fn example<'a>(doc: &'a str, kind: &str) -> Option<Example<'a>> {
    let line = doc.lines().find_map(|line| line.strip_prefix(&format!("//! {kind}: `")))?;
    let (sql, rest) = line.split_once('`')?;
    let mut catalog = shop();
    if rest.contains("SQLite") {
        catalog.dialect = Dialect::Sqlite;
    }
    if let Some(name) = rest.split("table called `").nth(1).and_then(|rest| rest.split('`').next())
    {
        let orders = catalog.tables.iter().find(|table| table.name == "orders").cloned();
        catalog.tables.extend(orders.map(|orders| Table { name: name.to_owned(), ..orders }));
    }
    Some(Example { sql, catalog })
}

fn asked(doc: &str) -> Option<Asked> {
    let line = doc.lines().find_map(|line| line.strip_prefix("//! asked: `"))?;
    Some(serde_json::from_str(line.trim_end_matches('`')).expect("a shape"))
}

fn is_bad(finding: &Finding) -> bool {
    finding.severity > Severity::Note
}

fn shown(found: &[Finding]) -> String {
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
}

#[test]
fn every_rule_finds_its_wrong_example_and_nothing_bad_in_its_right_one() {
    let files = rules::files();
    assert_eq!(files.len(), ALL.len());
    let mut wrongs = Vec::new();
    for ((file, doc), rule) in files.iter().zip(ALL) {
        let title = format!("//! {} ", rule.id);
        assert!(doc.starts_with(&title), "{file} starts with its rule");
        let asked = asked(doc);
        let wrong = example(doc, "wrong").unwrap_or_else(|| panic!("{file} has a wrong example"));
        let found = lint(wrong.sql, &wrong.catalog, asked.as_ref());
        if !found.iter().any(|it| it.rule.id == rule.id) {
            wrongs.push(format!("{file}: {} gives {}", wrong.sql, shown(&found)));
        }
        let right = example(doc, "right").unwrap_or_else(|| panic!("{file} has a right example"));
        let found = lint(right.sql, &right.catalog, asked.as_ref());
        if found.iter().any(|it| is_bad(it) || it.rule.id == rule.id) {
            wrongs.push(format!("{file}: {} gives {}", right.sql, shown(&found)));
        }
    }
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}

#[test]
fn every_rule_says_in_one_line_why_the_pattern_is_bad() {
    for (file, doc) in rules::files() {
        let reasons = doc.lines().filter_map(|line| line.strip_prefix("//! why: ")).count();
        assert_eq!(reasons, 1, "{file} has one line that starts with `why:`");
    }
}

#[derive(Deserialize)]
struct Case {
    rule: String,
    sql: String,
    kind: String,
}

#[test]
fn queries_are_found_wrong_where_they_are_and_correct_ones_are_left_alone() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("data/lint.json")).unwrap();
    let shop = shop();
    let mut missed = Vec::new();
    for Case { rule, sql, kind } in cases {
        let found = lint(&sql, &shop, None);
        let fits = match kind.as_str() {
            "rejected by PostgreSQL" => found.iter().any(|it| it.severity >= Severity::Error),
            "runs but wrong" => !found.is_empty(),
            _ => !found.iter().any(is_bad),
        };
        if !fits {
            missed.push(format!("{rule} {sql}: {}", shown(&found)));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn each_statement_is_found_wrong_by_the_rule_that_is_about_it() {
    let lines = include_str!("data/lint_more.tsv").lines().filter(|line| !line.starts_with('#'));
    let shop = shop();
    let mut missed = Vec::new();
    for line in lines {
        let (rule, sql) = line.split_once('\t').unwrap();
        let found = lint(sql, &shop, None);
        let fits = match rule {
            "-" => !found.iter().any(is_bad),
            id => found.iter().any(|it| it.rule.id == id),
        };
        if !fits {
            missed.push(format!("{line}: {}", shown(&found)));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_set_operation_is_ordered_by_what_it_gives_out() {
    let found = |order: &str| {
        let sql =
            format!("SELECT city FROM users UNION ALL SELECT status FROM orders ORDER BY {order}");
        lint(&sql, &shop(), None)
            .iter()
            .filter(|it| is_bad(it))
            .map(|it| it.rule.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(found("city"), Vec::<&str>::new());
    assert_eq!(found("1"), Vec::<&str>::new());
    assert_eq!(found("status"), ["N02"]);
}

#[test]
fn a_source_that_is_joined_later_is_said_to_be() {
    let sql = "SELECT u.name FROM users u JOIN orders o ON o.id = i.order_id \
               JOIN order_items i ON i.order_id = o.id AND o.user_id = u.id";
    let found = lint(sql, &shop(), None);
    let said = found.iter().find(|finding| finding.rule.id == "N03").unwrap();
    assert_eq!(
        said.message,
        "`i` is joined later; a join condition can only use sources to its left"
    );
    assert!(said.fixes.is_empty(), "{:?}", said.fixes);
}
