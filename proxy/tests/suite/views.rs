//! Questions that join a view, which declares no keys, with tables.

use serde_json::json;

use crate::support::Both;

/// Authors, their books, and a view of what was sold. `rank` is no key, although it is named after one.
const BOOKS: &str = "
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE books (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL REFERENCES authors(id), title TEXT NOT NULL);
CREATE TABLE receipts (id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES books(id), paid INTEGER NOT NULL);
INSERT INTO authors VALUES (1, 'Ann', 'Brazil'), (2, 'Bob', 'Norway'), (3, 'Cleo', 'Brazil'), (4, 'Dan', 'Chile');
INSERT INTO books VALUES (11, 1, 'Air'), (12, 2, 'Bay'), (13, 3, 'Cold'), (14, 4, 'Dew'), (15, 1, 'Ash');
INSERT INTO receipts VALUES (1, 11, 10), (2, 12, 50), (3, 13, 20), (4, 14, 5), (5, 15, 25), (6, 12, 1);
CREATE VIEW book_sales AS SELECT b.author_id, b.title, r.paid AS revenue FROM receipts r JOIN books b ON b.id = r.book_id;
CREATE VIEW shifted AS SELECT author_id + 100 AS author_id, paid AS surplus FROM receipts r JOIN books b ON b.id = r.book_id;
";

// Promise: asking.keys-of-views
#[tokio::test]
async fn a_column_of_a_view_that_holds_keys_joins_the_table_of_these_keys() {
    let both = Both::new(BOOKS, &[]).await;
    for client in &both.clients {
        let ask = |question: &str| {
            let body = json!({ "question": question, "skip_clarification": true });
            client.post("/api/v1/query", body.to_string())
        };
        for (question, rows) in [
            ("top 3 authors by revenue", json!(["Bob", "Ann", "Cleo"])),
            ("top 2 authors by book sales revenue", json!(["Bob", "Ann"])),
        ] {
            let answered = ask(question).await.ok(200);
            let names: Vec<_> = answered["view"]["result"]["rows"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row[0].clone())
                .collect();
            assert_eq!(json!(names), rows, "{question}: {answered}");
        }
        let by_country = ask("revenue by country of the author").await.ok(200);
        let rows = &by_country["view"]["result"]["rows"];
        assert!(rows.to_string().contains(r#"["Brazil",55]"#), "{by_country}");
        let assumed = by_country["view"]["assumptions"].to_string();
        assert!(assumed.contains("the values are found in the other table"), "{assumed}");
        // What is computed is no key, whatever its name.
        let refused = ask("top 3 authors by surplus").await.ok(200);
        assert_ne!(refused["outcome"], "answered", "{refused}");
    }
}

#[tokio::test]
async fn no_way_between_tables_leads_through_a_view() {
    let apart = format!(
        "{BOOKS} CREATE TABLE publishers (id INTEGER PRIMARY KEY, seat TEXT NOT NULL);
         INSERT INTO publishers VALUES (1, 'Oslo'), (2, 'Rome');
         CREATE VIEW contracts AS SELECT a.id AS author_id, p.id AS publisher_id FROM authors a CROSS JOIN publishers p;"
    );
    let both = Both::new(&apart, &[]).await;
    for client in &both.clients {
        let body = json!({ "question": "number of authors by seat", "skip_clarification": true });
        let refused = client.post("/api/v1/query", body.to_string()).await.ok(200);
        assert_eq!(refused["view"]["problem"]["code"], "no_join_path", "{refused}");
        let body = json!({ "question": "contracts by seat", "skip_clarification": true });
        let answered = client.post("/api/v1/query", body.to_string()).await.ok(200);
        assert_eq!(answered["view"]["result"]["rows"].as_array().unwrap().len(), 2, "{answered}");
    }
}
