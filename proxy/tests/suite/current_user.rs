//! A default of a template that is the person who asks: who is signed in, otherwise who the request names.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::json;
use wherefore_proxy::access::keys::{digest, new_key};
use wherefore_proxy::store::NewKey;

use crate::support::client::Answer;
use crate::support::{Client, SqliteFile};

const DESK: &str = "CREATE TABLE parcels (id INTEGER PRIMARY KEY, clerk VARCHAR(40));
     INSERT INTO parcels VALUES (1, 'ann'), (2, 'clerk-ben-0123456'), (3, 'ann');";

const PACK: &str = r#"
[[templates]]
name = "desk_work"
description = "Parcels on the desk of a clerk"
examples = ["my desk work"]
sql = "SELECT p.id FROM parcels AS p WHERE p.clerk = :clerk ORDER BY p.id"
[[templates.parameters]]
name = "clerk"
type = "string"
default = "current_user"
"#;

async fn start(options: &[&str]) -> (Client, SqliteFile) {
    let file = SqliteFile::new(DESK);
    let pack = file.file("pack.toml", PACK);
    let options: Vec<&str> =
        options.iter().copied().chain(["--pack", pack.to_str().unwrap()]).collect();
    (Client::start(&file.config(&options)).await, file)
}

async fn asked(client: &Client, person: Option<&str>, key: Option<&str>) -> Answer {
    let body = json!({ "question": "my desk work", "person": person }).to_string();
    let mut request = Request::builder().method("POST").uri("/api/v1/query");
    if let Some(key) = key {
        request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
    }
    let request = request.header(header::CONTENT_TYPE, "application/json");
    client.send(request.body(Body::from(body)).unwrap()).await
}

// Promise: templates.current-user
#[tokio::test]
async fn the_person_of_the_request_fills_the_default_or_is_asked_for() {
    let (client, _file) = start(&[]).await;
    let answered = asked(&client, Some("clerk-ben-0123456"), None).await.ok(200);
    assert_eq!(answered["view"]["result"]["rows"], json!([[2]]), "{answered}");
    assert_eq!(answered["view"]["parameters"][0]["value"], "clerk-ben-0123456");
    let waits = asked(&client, None, None).await.ok(202);
    assert_eq!(waits["questions"][0]["question"], "Which clerk do you mean?");
}

// Promise: templates.current-user
#[tokio::test]
async fn who_is_signed_in_fills_the_default() {
    let (client, _file) = start(&["--auth", "keys"]).await;
    let key = new_key().unwrap();
    let kept = NewKey {
        hash: digest(&key).to_vec(),
        tenant: "default".to_owned(),
        user: Some("ann".to_owned()),
        name: String::new(),
        expires_at: None,
    };
    client.state.store.add_key(kept).await.unwrap();
    let answered = asked(&client, None, Some(&key)).await.ok(200);
    assert_eq!(answered["view"]["result"]["rows"], json!([[1], [3]]), "{answered}");
    asked(&client, Some("clerk-ben-0123456"), Some(&key)).await.problem(403, "other_person");
}
