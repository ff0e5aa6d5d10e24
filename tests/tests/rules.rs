//! Checks that `sql/RULES.md` matches the documentation of the lint rules.

#[path = "../../sql/tests/support/rules.rs"]
mod rules;

use wherefore_sql::lint::ALL;
use wherefore_tests::expect::generated_file;

/// The page of the lint rules, generated from the module documentation of their files.
fn page() -> String {
    let mut page = "# Rules of the linter\n\n\
        What the linter checks before a statement runs. The rules under “What was asked” compare it with the question. \
        A *refusal* is unsafe and never runs; an *error* would be rejected by the data source; a *warning* runs, but \
        its answer is probably wrong; a *note* is worth knowing. SQLite is more permissive, so some errors are \
        warnings there.\n\n\
        The examples use `users(id, name, email, city, created_at, manager_id)`, `orders(id, user_id, amount, \
        status, created_at)`, `products(id, name, price)` and `order_items(order_id, product_id, qty)`, on PostgreSQL \
        unless stated otherwise; tests run them.\n"
        .to_owned();
    let mut family = "";
    for ((_, source), rule) in rules::files().into_iter().zip(ALL) {
        let named = match &rule.id[..1] {
            "G" => "Guard",
            "N" => "Names",
            "A" => "Aggregates and groups",
            "J" => "Joins",
            "P" => "Conditions",
            "D" => "Dialects and functions",
            "O" => "Output",
            "S" => "What was asked",
            _ => "Reading",
        };
        if named != family {
            page.extend(["\n## ", named, "\n"]);
            family = named;
        }
        page.extend([
            "
### ",
            rule.id,
            " ",
            rule.name,
            " (",
            rule.severity.word(),
            ")

",
        ]);
        let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
        let text: Vec<&str> = lines.map(str::trim).collect();
        let first = text[0].split_once(": ").map_or("", |(_, rest)| rest);
        let mut said = first.to_owned();
        let mut examples = String::new();
        for line in &text[1..] {
            let example = ["why", "asked", "wrong", "right"]
                .iter()
                .find_map(|kind| Some((kind, line.strip_prefix(&format!("{kind}: "))?)));
            match example {
                Some((kind, sql)) => examples.extend(["- ", kind, ": ", sql, "\n"]),
                None if line.is_empty() => said.push_str("\n\n"),
                None => {
                    if !said.ends_with('\n') {
                        said.push(' ');
                    }
                    said.push_str(line);
                }
            }
        }
        let mut said = said.trim().to_owned();
        if let Some(letter) = said.get_mut(..1) {
            letter.make_ascii_uppercase();
        }
        page.extend([&said, "\n\n", &examples]);
    }
    page
}

#[test]
fn the_page_of_the_rules_is_that_of_their_files() {
    let command = "cargo test -p wherefore-tests --test rules";
    generated_file("sql/RULES.md", command, &page());
}
