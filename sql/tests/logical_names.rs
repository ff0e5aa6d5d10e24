//! A statement that names a table without the prefix or suffix of the stored names is mended.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use wherefore_catalog::{Catalog, Table};
use wherefore_sql::lint::{Finding, lint};
use wherefore_sql::repair::autocorrect;

/// The shop with other names of its tables.
fn renamed(name: impl Fn(&str) -> String) -> Catalog {
    let mut catalog: Catalog = serde_json::from_str(include_str!("data/shop.json")).unwrap();
    for table in &mut catalog.tables {
        table.name = name(&table.name);
    }
    for key in &mut catalog.foreign_keys {
        key.from_table = name(&key.from_table);
        key.to_table = name(&key.to_table);
    }
    catalog
}

fn unknown(sql: &str, catalog: &Catalog) -> Finding {
    lint(sql, catalog, None).into_iter().find(|it| it.rule.id == "N01").unwrap()
}

// Promise: models.logical-tables
#[test]
fn a_logical_name_is_replaced_with_the_stored_one() {
    let prefixed = renamed(|name| format!("PROD_{name}"));
    let versioned = renamed(|name| format!("{name}_v2"));
    for (catalog, sql, mended) in [
        (
            &prefixed,
            "SELECT status, count(*) FROM orders GROUP BY status",
            "SELECT status, count(*) FROM \"PROD_orders\" GROUP BY status",
        ),
        (
            &prefixed,
            "SELECT orders.id FROM orders WHERE orders.amount > 3",
            "SELECT orders.id FROM \"PROD_orders\" AS orders WHERE orders.amount > 3",
        ),
        (
            &prefixed,
            "SELECT o.id, u.name FROM orders o JOIN users u ON u.id = o.user_id",
            "SELECT o.id, u.name FROM \"PROD_orders\" o JOIN \"PROD_users\" u ON u.id = o.user_id",
        ),
        (
            &prefixed,
            "SELECT name AS who FROM users WHERE id IN (SELECT user_id FROM orders) ORDER BY who",
            "SELECT name AS who FROM \"PROD_users\" WHERE id IN (SELECT user_id FROM \"PROD_orders\") ORDER BY who",
        ),
        (
            &versioned,
            "SELECT users.* FROM public.users",
            "SELECT users.* FROM public.users_v2 AS users",
        ),
    ] {
        let corrected = autocorrect(sql, catalog, None);
        assert_eq!(corrected.sql, mended, "{:?}", corrected.left);
        assert!(corrected.made.iter().all(|made| made.rule == "N01"), "{:?}", corrected.made);
    }
}

#[test]
fn a_column_that_the_stored_table_lacks_leaves_the_name_to_a_person() {
    let catalog = renamed(|name| format!("PROD_{name}"));
    for sql in [
        "SELECT weight FROM orders",
        "SELECT orders.weight FROM orders",
        "SELECT u.name, o.weight FROM users u JOIN orders o ON o.user_id = u.id",
        "SELECT name, (SELECT max(weight) FROM orders WHERE user_id = u.id) FROM users u",
    ] {
        let corrected = autocorrect(sql, &catalog, None);
        assert!(!corrected.sql.contains("PROD_orders"), "{}", corrected.sql);
        let found = lint(sql, &catalog, None);
        let offered =
            found.iter().flat_map(|it| &it.fixes).any(|fix| fix.title.contains("PROD_orders"));
        assert!(offered, "{sql}: {found:?}");
    }
}

#[test]
fn a_name_with_rivals_or_with_the_affix_of_few_is_not_replaced() {
    let sql = "SELECT id FROM orders";
    let mut rivals = renamed(|name| format!("PROD_{name}"));
    let tables = rivals.tables.clone();
    rivals.tables.extend(
        tables.into_iter().map(|table| Table { name: table.name.replace("PROD", "TEST"), ..table }),
    );
    assert!(!unknown(sql, &rivals).fixes.iter().any(|fix| fix.is_safe));
    let few = renamed(|name| match name {
        "orders" => "sales_orders".to_owned(),
        _ => name.to_owned(),
    });
    assert!(!unknown(sql, &few).fixes.iter().any(|fix| fix.is_safe));
    let mut plural = renamed(str::to_owned);
    let others = plural.tables.clone();
    plural.tables.extend(
        others.into_iter().filter(|table| table.name != "users").map(|table| Table {
            name: format!("old_{}", table.name.trim_end_matches('s')),
            ..table
        }),
    );
    let fixes = unknown("SELECT id FROM product", &plural).fixes;
    assert!(fixes[0].is_safe && fixes[0].title.ends_with("`products`"), "{fixes:?}");
    let elsewhere = renamed(|name| format!("PROD_{name}"));
    assert!(
        !unknown("SELECT id FROM sales.orders", &elsewhere).fixes.iter().any(|fix| fix.is_safe)
    );
}
