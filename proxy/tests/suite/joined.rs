//! Tables that can be joined in several ways, in statements of a language model.

use serde_json::json;

use crate::support::{Client, Reply, SqliteFile, Upstream};

const SALES: &str = "CREATE TABLE employees (id INTEGER PRIMARY KEY, full_name VARCHAR(40));
     CREATE TABLE sales (id INTEGER PRIMARY KEY, sold_by INTEGER REFERENCES employees,
         approved_by INTEGER REFERENCES employees, price NUMERIC(10,2));
     INSERT INTO employees VALUES (1, 'Ann'), (2, 'Bob');
     INSERT INTO sales VALUES (1, 1, 2, 10), (2, 1, 2, 20), (3, 2, 1, 30);";

fn draft(column: &str) -> Reply {
    let sql = format!(
        "SELECT e.full_name, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM sales) FROM sales s JOIN employees e ON e.id = s.{column} GROUP BY e.full_name"
    );
    Reply::Document(json!({ "sql": sql, "explanation": "x" }).to_string())
}

// Promise: models.join-ways
#[tokio::test]
async fn equal_ways_to_join_are_asked_about_and_the_answer_is_kept() {
    let upstream = Upstream::start([draft("sold_by"), draft("approved_by")]).await;
    let file = SqliteFile::new(SALES);
    let writing = file.file("writing.toml", "drafts = [2, 2, 2]\n");
    let (url, writing) = (upstream.url(), writing.display().to_string());
    let options = ["--llm-url", &url, "--llm-model", "writer", "--writing", &writing];
    let client = Client::start(&file.config(&options)).await;
    let asked = client.ask("ranking of the sales by employees").await.ok(202);
    let question = &asked["questions"][0];
    let options = question["options"].as_array().unwrap();
    let meant = options.iter().find(|option| option["label"] == "approved by").unwrap();
    assert_eq!(options.len(), 2, "{asked}");
    assert_eq!(upstream.count(), 0, "the model is asked only once the way is known");
    let body = json!({
        "clarification_id": asked["clarification_id"],
        "answers": [{
            "clarification_id": question["id"],
            "answer": { "type": "option", "option_id": meant["id"] },
        }],
    });
    let answered = client.post("/api/v1/query/clarify", body.to_string()).await.ok(200);
    assert_eq!(answered["outcome"], "answered", "{answered}");
    assert!(answered["view"]["sql"].as_str().unwrap().contains("approved_by"), "{answered}");
    let (_, prompt) = &upstream.requests()[0];
    let prompt = prompt["messages"][1]["content"].as_str().unwrap();
    assert!(prompt.contains(r#""joins":["sales.approved_by = employees.id"]"#), "{prompt}");
    assert!(prompt.contains(r#""other_joins":[["sales.sold_by = employees.id"]]"#), "{prompt}");
}
