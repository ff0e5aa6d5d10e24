//! Malformed requests, and headers of every response.

use axum::body::Body;
use axum::http::{Request, header};

use crate::support::{Client, SHOP, SqliteFile};

async fn client() -> (SqliteFile, Client) {
    let shop = SqliteFile::new(SHOP);
    let client = Client::start(&shop.config(&[])).await;
    (shop, client)
}

#[tokio::test]
async fn bodies_that_cannot_be_read_are_problem_documents() {
    let (_shop, client) = client().await;
    for path in
        ["/api/v1/query", "/api/v1/query/clarify", "/api/v1/sql/check", "/api/v1/sql/execute"]
    {
        client.post(path, "{\"").await.problem(400, "invalid_json");
        client.post(path, "").await.problem(400, "invalid_json");
        client.post(path, "[]").await.problem(400, "invalid_request");
        client.post(path, "{\"model_url\": \"http://x\"}").await.problem(400, "invalid_request");
        let large = format!("{{\"question\": \"{}\"}}", "x".repeat(300_000));
        client.post(path, large).await.problem(413, "body_too_large");
        let plain = Request::post(path).body(Body::from("{}")).unwrap();
        client.send(plain).await.problem(415, "unsupported_media_type");
        client.get(path).await.problem(405, "method_not_allowed");
    }
}

#[tokio::test]
async fn an_unknown_field_is_named() {
    let (_shop, client) = client().await;
    let answer = client.post("/api/v1/query", "{\"question\": \"x\", \"api_base\": \"y\"}").await;
    let problem = answer.problem(400, "invalid_request");
    assert!(problem["detail"].as_str().unwrap().contains("api_base"), "{problem}");
}

#[tokio::test]
async fn unknown_routes_are_problem_documents() {
    let (_shop, client) = client().await;
    client.get("/api/v1/nothing").await.problem(404, "unknown_route");
    client.get("/nothing").await.problem(404, "unknown_route");
}

#[tokio::test]
async fn questions_that_hold_nothing_to_read_are_refused() {
    let (_shop, client) = client().await;
    client.ask("how many\u{0} customers").await.problem(422, "question_control_characters");
    client.ask("how many \u{1b}[31mcustomers").await.problem(422, "question_control_characters");
    for question in ["", " \n\t "] {
        let problem = client.ask(question).await.problem(422, "question_empty");
        assert_eq!(problem["pointer"], "/question");
    }
    let problem = client.ask(&"customers ".repeat(10_000)).await.problem(422, "question_too_long");
    assert!(problem["question"].as_str().unwrap().len() <= 200);
    let body = "{\"question\": \"how many customers\", \"today\": \"2024-02-30\"}";
    let problem = client.post("/api/v1/query", body).await.problem(422, "invalid_today");
    assert_eq!(problem["pointer"], "/today");
}

#[tokio::test]
async fn an_unknown_clarification_is_not_found() {
    let (_shop, client) = client().await;
    let body = "{\"clarification_id\": \"clf_00\", \"answers\": []}";
    client.post("/api/v1/query/clarify", body).await.problem(404, "unknown_clarification");
}

#[tokio::test]
async fn every_answer_bears_the_security_headers() {
    let (_shop, client) = client().await;
    for path in ["/api/v1/health", "/nothing"] {
        let answer = client.get(path).await;
        let policy = answer.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"),
            "{policy}"
        );
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert!(answer.headers.contains_key("x-request-id"));
    }
}

#[tokio::test]
async fn other_hosts_and_other_sites_are_refused() {
    let (_shop, client) = client().await;
    let host = |name: &str| {
        Request::get("/api/v1/health").header(header::HOST, name).body(Body::empty()).unwrap()
    };
    client.send(host("rebound.example")).await.problem(403, "host_refused");
    client.send(host("localhost:8080")).await.ok(200);
    let from = |site: &str| {
        Request::post("/api/v1/query")
            .header("sec-fetch-site", site)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from("[]"))
            .unwrap()
    };
    client.send(from("cross-site")).await.problem(403, "cross_site_refused");
    client.send(from("same-origin")).await.problem(400, "invalid_request");
}

#[tokio::test]
async fn the_web_app_is_served_with_its_types() {
    let shop = SqliteFile::new(SHOP);
    let folder = shop.folder.path().join("web");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("index.html"), "<!doctype html><title>w</title>").unwrap();
    std::fs::write(folder.join("app-0123456789abcdef_bg.wasm"), "wasm").unwrap();
    std::fs::write(folder.join("app-0123456789abcdef_bg.wasm.br"), "smaller").unwrap();
    let client = Client::start(&shop.config(&["--static", folder.to_str().unwrap()])).await;
    for path in ["/", "/some/session"] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.headers[header::CONTENT_TYPE], "text/html");
        assert_eq!(answer.headers[header::CACHE_CONTROL], "no-cache");
    }
    let wasm = client.get("/app-0123456789abcdef_bg.wasm").await;
    assert_eq!(wasm.headers[header::CONTENT_TYPE], "application/wasm");
    assert!(wasm.headers[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
    let request =
        Request::get("/app-0123456789abcdef_bg.wasm").header(header::ACCEPT_ENCODING, "br, gzip");
    let smaller = client.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(smaller.headers[header::CONTENT_ENCODING], "br");
    assert_eq!(smaller.text, "smaller");
    client.get("/missing.js").await.problem(404, "unknown_route");
    client.get("/../store.sqlite").await.problem(404, "unknown_route");
    client.get("/api/v1/nothing").await.problem(404, "unknown_route");
}

// Promise: http.null-fields
#[tokio::test]
async fn null_is_an_absent_field_and_an_integer_can_have_a_fraction_of_zero() {
    let (_shop, client) = client().await;
    let question = "{\"question\": \"how many customers\", \"id\": null, \"thread_id\": null, \
         \"today\": null, \"skip_clarification\": null, \"context\": null, \"person\": null, \"flags\": null}";
    client.post("/api/v1/query", question).await.ok(200);
    let statement = "{\"sql\": \"SELECT id FROM orders\", \"dialect\": null, \"row_limit\": 1.0, \
         \"formula_guard\": null, \"file_name\": null}";
    let rows = client.post("/api/v1/sql/execute", statement).await.ok(200);
    assert_eq!(rows["rows"].as_array().unwrap().len(), 1);
    let half = "{\"sql\": \"SELECT id FROM orders\", \"row_limit\": 1.5}";
    client.post("/api/v1/sql/execute", half).await.problem(400, "invalid_request");
}

// Promise: http.excluded-values
#[tokio::test]
async fn values_that_the_description_excludes_are_refused() {
    let (_shop, client) = client().await;
    for (path, status, code) in [
        ("figures?from=20240101", 422, "invalid_date"),
        ("figures?to=2024-01-01T00:00", 422, "invalid_date"),
        ("history?before=5.x", 422, "invalid_cursor"),
        ("memory/me", 403, "other_person"),
    ] {
        client.get(&format!("/api/v1/{path}")).await.problem(status, code);
    }
    client.get("/api/v1/figures?to=9999-12-31").await.ok(200);
    let old = "{\"version\": 0, \"patterns\": []}";
    let memory = "/api/v1/memory/someone-0123456789";
    client.put(memory, old).await.problem(400, "invalid_request");
    let events = Request::get("/api/v1/query/question-0123456789/events");
    let events = events.header("last-event-id", "last").body(Body::empty()).unwrap();
    client.send(events).await.problem(400, "invalid_request");
}
