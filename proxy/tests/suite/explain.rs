//! `explain`: prints how a question is read, and runs nothing.

use crate::support::serving::run;
use crate::support::{SHOP, SqliteFile};

fn explain(question: &str) -> String {
    let shop = SqliteFile::new(SHOP);
    let database = shop.path.to_str().unwrap();
    let output = run(&["explain", question, "--today", "2026-11-20", "--database", database]);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_clause_is_printed_with_its_words() {
    let told = explain("How many orders per country?");
    for line in [
        "Clauses:",
        "  number of orders: “How many”",
        "  orders: “orders”",
        "  orders with their customers: joins two tables",
        "  for each country: “per” “country”",
        "Other words:",
        "  ?: punctuation",
        "Confidence: ",
        "GROUP BY",
    ] {
        assert!(told.contains(line), "{line}:\n{told}");
    }
}

#[test]
fn words_that_are_not_understood_are_printed_as_such() {
    let told = explain("how many zyxes");
    assert!(told.contains("  zyxes: not understood"), "{told}");
    assert!(told.contains("What does it mean?: customers | orders"), "{told}");
    let told = explain("what is the zyx today");
    assert!(told.contains("Problem: "), "{told}");
}
