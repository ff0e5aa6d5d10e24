//! A language model behind the proxy: its statements, its failures, and hostile output.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Client, Cluster, Reply, SHOP, SqliteFile, Upstream, config, corpus};

const GOOD: &str = r#"{"sql": "SELECT status, COUNT(*) * 100.0 / (SELECT COUNT(*) FROM orders) AS share FROM orders GROUP BY status ORDER BY status", "explanation": "The share of the orders that each status has, in percent.", "assumptions": [{"term": "share", "value": "of their number", "reason": "no amount is named", "confidence": 0.8}]}"#;
const QUESTION: &str = "what ratio of the orders does each status have";

fn options(upstream: &Upstream) -> Vec<String> {
    let url = upstream.url();
    [
        "--llm-url",
        &url,
        "--llm-model",
        "writer",
        "--llm-fast-model",
        "judge",
        "--llm-total-seconds",
        "3",
        "--llm-first-byte-seconds",
        "1",
    ]
    .map(str::to_owned)
    .to_vec()
}

async fn client(file: &SqliteFile, upstream: &Upstream) -> Client {
    let options = options(upstream);
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    Client::start(&file.config(&options)).await
}

fn problem_code(answer: &Value) -> &str {
    answer["view"]["problem"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn what_is_not_composed_is_written_checked_and_run_on_both_engines() {
    let upstream = Upstream::start([Reply::Stream(GOOD.into())]).await;
    let file = SqliteFile::new(SHOP);
    let cluster = Cluster::start();
    let mut clients = vec![client(&file, &upstream).await];
    if let Some(cluster) = &cluster {
        cluster.run(SHOP);
        let options = options(&upstream);
        let url = cluster.url("owner");
        let options: Vec<&str> =
            options.iter().map(String::as_str).chain(["--database", &url]).collect();
        clients.push(Client::start(&config(file.folder.path(), &options)).await);
    }
    for client in &clients {
        let answered = client.ask(QUESTION).await.ok(200);
        assert_eq!(answered["outcome"], "answered", "{answered}");
        assert_eq!(answered["view"]["writer"], "model");
        assert_eq!(answered["view"]["result"]["rows"].as_array().unwrap().len(), 2);
        assert_eq!(answered["view"]["stated"][0]["value"], "of their number");
    }
}

/// The share of the orders of 2024 with a status, in functions that neither engine has.
const FOREIGN: &str = r#"{"sql": "SELECT status, SAFE_DIVIDE(COUNT(*) * 100.0, (SELECT COUNT(*) FROM orders WHERE DATEDIFF(day, ordered_on, GETDATE()) > 0)) AS share FROM orders WHERE YEAR(ordered_on) = 2024 AND NVL(total, 0) >= 0 AND ordered_on < CURDATE() GROUP BY status ORDER BY status", "explanation": "The share of the orders that each status has, in percent.", "assumptions": []}"#;

// Promise: models.foreign-functions
#[tokio::test]
async fn functions_of_other_databases_are_rewritten_and_said_on_both_engines() {
    let upstream = Upstream::start([Reply::Stream(FOREIGN.into())]).await;
    let file = SqliteFile::new(SHOP);
    let cluster = Cluster::start();
    let mut clients = vec![client(&file, &upstream).await];
    if let Some(cluster) = &cluster {
        cluster.run(SHOP);
        let options = options(&upstream);
        let url = cluster.url("owner");
        let options: Vec<&str> =
            options.iter().map(String::as_str).chain(["--database", &url]).collect();
        clients.push(Client::start(&config(file.folder.path(), &options)).await);
    }
    for client in &clients {
        let answered = client.ask(QUESTION).await.ok(200);
        assert_eq!(answered["outcome"], "answered", "{answered}");
        let rows = answered["view"]["result"]["rows"].as_array().unwrap();
        let shares: Vec<f64> = rows.iter().map(|row| row[1].as_f64().unwrap_or(-1.0)).collect();
        assert_eq!(shares, [50.0, 50.0], "{answered}");
        let notes = answered["view"]["notes"].to_string();
        for before in ["YEAR(ordered_on)", "NVL(total, 0)", "CURDATE()", "SAFE_DIVIDE("] {
            assert!(notes.contains(&format!("wrote `{before}")), "{before}: {notes}");
        }
    }
}

// Promise: models.composed-first
#[tokio::test]
async fn what_can_be_composed_never_reaches_the_model() {
    let upstream = Upstream::start([Reply::Hang]).await;
    let file = SqliteFile::new(SHOP);
    let client = client(&file, &upstream).await;
    let answered = client.ask("how many customers are in Brazil").await.ok(200);
    assert_eq!(answered["view"]["writer"], "composer");
    assert_eq!(upstream.count(), 0);
}

#[tokio::test]
async fn requests_hold_typed_prompts_the_right_model_and_the_key() {
    let upstream = Upstream::start([Reply::Stream(GOOD.into())]).await;
    let file = SqliteFile::new(SHOP);
    let key = file.file("key", "sk-canary-7f3\n");
    let options = options(&upstream);
    let key = key.to_str().unwrap();
    let options: Vec<&str> =
        options.iter().map(String::as_str).chain(["--llm-key-file", key]).collect();
    let client = Client::start(&file.config(&options)).await;
    let answered = client.ask(QUESTION).await;
    assert!(!answered.text.contains("canary"), "{}", answered.text);
    let requests = upstream.requests();
    assert_eq!(requests.len(), 4, "an ordinary question takes four drafts");
    for (headers, body) in &requests {
        assert_eq!(headers["authorization"], "Bearer sk-canary-7f3");
        assert_eq!(body["model"], "writer");
        assert_eq!(body["response_format"]["type"], "json_schema");
        let user = body["messages"][1]["content"].as_str().unwrap();
        assert!(user.contains(QUESTION) && user.starts_with("<data-"), "{user}");
        assert!(!body["messages"][0]["content"].as_str().unwrap().contains(QUESTION));
        assert!(!user.contains("ann@example.com"), "a sensitive value was told: {user}");
    }
}

#[tokio::test]
async fn every_fault_of_the_server_leaves_the_rest_standing() {
    let file = SqliteFile::new(SHOP);
    let cut: String = GOOD.chars().take(60).collect();
    for (reply, code) in [
        (Reply::Hang, "model_timeout"),
        (Reply::Status(429, Some(60)), "model_busy"),
        (Reply::Status(500, None), "model_unavailable"),
        (Reply::Status(401, None), "not_composable"),
        (Reply::Truncated(cut), "model_unavailable"),
        (Reply::Malformed, "model_unavailable"),
        (Reply::Trickle, "model_timeout"),
        (Reply::Huge(20_000_000), "model_answer_too_large"),
        (Reply::Redirect("http://127.0.0.1:9/".into()), "not_composable"),
        (Reply::Document("I am a teapot.".into()), "not_composable"),
        (Reply::Document(String::new()), "model_unavailable"),
    ] {
        let upstream = Upstream::start([reply.clone()]).await;
        let client = client(&file, &upstream).await;
        let begun = Instant::now();
        let (unwritten, composed) =
            tokio::join!(client.ask(QUESTION), client.ask("how many orders are there"));
        assert_eq!(composed.ok(200)["outcome"], "answered", "{reply:?}");
        let unwritten = unwritten.ok(200);
        assert_eq!(unwritten["outcome"], "generation_failed", "{reply:?}: {unwritten}");
        assert_eq!(problem_code(&unwritten), code, "{reply:?}: {unwritten}");
        assert!(!unwritten["view"].to_string().contains("upstream words"), "{reply:?}");
        assert!(begun.elapsed() < Duration::from_secs(12), "{reply:?}");
        // The same server, working again.
        upstream.say([Reply::Document(GOOD.into())]);
        let answered = client.ask(QUESTION).await.ok(200);
        assert_eq!(answered["outcome"], "answered", "{reply:?}: {answered}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_said_so() {
    let upstream = Upstream::start([Reply::Hang]).await;
    let file = SqliteFile::new(SHOP);
    let mut options = options(&upstream);
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    options[1] = format!("http://{nobody}/v1");
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let client = Client::start(&file.config(&options)).await;
    let unwritten = client.ask(QUESTION).await.ok(200);
    assert_eq!(problem_code(&unwritten), "model_unavailable");
    assert_eq!(unwritten["view"]["problem"]["retryable"], true);
    for _ in 0..3 {
        client.ask(QUESTION).await.ok(200);
    }
    let ready = client.get("/api/v1/ready").await.ok(200);
    let model =
        ready["parts"].as_array().unwrap().iter().find(|part| part["name"] == "model").unwrap();
    assert_eq!(model["status"], "resting", "the breaker opened: {ready}");
}

// Promise: models.missing-feature
#[tokio::test]
async fn a_server_that_takes_no_schema_is_asked_for_less() {
    let upstream = Upstream::start([Reply::NoSchema(GOOD.into())]).await;
    let file = SqliteFile::new(SHOP);
    let client = client(&file, &upstream).await;
    assert_eq!(client.ask(QUESTION).await.ok(200)["outcome"], "answered");
    let before = upstream.count();
    assert_eq!(client.ask(QUESTION).await.ok(200)["outcome"], "answered");
    assert_eq!(upstream.count() - before, 4, "what it takes is remembered");
}

/// Bytes of the messages of a request.
fn prompt_bytes(body: &Value) -> usize {
    let messages = body["messages"].as_array().unwrap();
    messages.iter().map(|message| message["content"].as_str().unwrap().len()).sum()
}

// Promise: models.long-prompt
#[tokio::test]
async fn a_prompt_that_is_too_long_is_made_smaller_and_keeps_its_schema() {
    let upstream = Upstream::start([Reply::Document(GOOD.into())]).await;
    let file = SqliteFile::new(&format!("{SHOP}\n{}", wide_tables()));
    let client = client(&file, &upstream).await;
    assert_eq!(client.ask(QUESTION).await.ok(200)["outcome"], "answered");
    let (whole, drafts) = (prompt_bytes(&upstream.requests()[0].1), upstream.count());
    let most = whole * 3 / 4;
    upstream.say([Reply::Context(most, GOOD.into())]);
    assert_eq!(client.ask(QUESTION).await.ok(200)["outcome"], "answered");
    let requests = upstream.requests();
    let smaller = &requests[drafts..];
    let too_long = |body: &Value| prompt_bytes(body) > most;
    let refused = smaller.iter().filter(|(_, body)| too_long(body)).count();
    assert_eq!(refused, drafts, "only the first drafts are too long");
    for (_, body) in smaller {
        assert_eq!(body["response_format"]["type"], "json_schema", "no feature is missing");
    }
    let before = upstream.count();
    assert_eq!(client.ask(QUESTION).await.ok(200)["outcome"], "answered");
    let refused = upstream.requests()[before..].iter().filter(|(_, body)| too_long(body)).count();
    assert_eq!(refused, 0, "the size that fits is remembered");
}

/// Tables that a prompt holds as long as there is room.
fn wide_tables() -> String {
    let table = |at: usize| {
        let columns: Vec<String> = (0..30).map(|at| format!("measured_value_{at} REAL")).collect();
        format!("CREATE TABLE sensor_readings_{at} ({});", columns.join(", "))
    };
    (0..6).map(table).collect()
}

// Promise: models.long-prompt-said
#[tokio::test]
async fn a_prompt_that_cannot_be_made_to_fit_is_said_so() {
    let upstream = Upstream::start([Reply::Context(200, GOOD.into())]).await;
    let file = SqliteFile::new(SHOP);
    let client = client(&file, &upstream).await;
    let unwritten = client.ask(QUESTION).await.ok(200);
    let problem = &unwritten["view"]["problem"];
    let message = problem["message"].as_str().unwrap();
    assert!(message.contains("the prompt is too long for the model"), "{problem}");
    assert!(upstream.count() <= 16, "{} requests", upstream.count());
}

#[tokio::test]
async fn a_model_that_does_not_exist_is_not_taken_for_a_missing_feature() {
    let message = "Invalid model name passed in model=writer. The key secret-key may not use it.";
    let body =
        json!({ "error": { "message": message, "type": "invalid_request_error", "code": "400" } });
    let upstream = Upstream::start([Reply::Error(body)]).await;
    let file = SqliteFile::new(SHOP);
    let key = file.folder.path().join("key");
    std::fs::write(&key, "secret-key").unwrap();
    let mut options = options(&upstream);
    options.extend(["--llm-key-file".to_owned(), key.display().to_string()]);
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let client = Client::start(&file.config(&options)).await;
    let body = json!({ "question": QUESTION, "today": "2026-11-20" });
    let unwritten = client.post("/api/v1/query", body.to_string()).await.ok(200);
    for (_, body) in upstream.requests() {
        assert_eq!(body["response_format"]["type"], "json_schema");
    }
    let trace = unwritten["trace"]["model"].to_string();
    assert!(trace.contains("Invalid model name passed in model=writer"), "{unwritten}");
    assert!(!unwritten.to_string().contains("secret-key"), "{unwritten}");
    assert!(!unwritten["view"].to_string().contains("Invalid model name"), "{unwritten}");
}

#[tokio::test]
async fn a_short_pause_that_the_server_asks_for_is_kept() {
    let busy = Reply::Status(429, Some(1));
    let upstream = Upstream::start([busy, Reply::Stream(GOOD.into())]).await;
    let file = SqliteFile::new(SHOP);
    let client = client(&file, &upstream).await;
    let begun = Instant::now();
    assert_eq!(client.ask(QUESTION).await.ok(200)["outcome"], "answered");
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn retries_are_a_tenth_of_the_requests_when_everything_fails() {
    let upstream = Upstream::start([Reply::Status(500, None)]).await;
    let file = SqliteFile::new(SHOP);
    let client = client(&file, &upstream).await;
    let asked = (0..20).map(|_| client.ask(QUESTION));
    futures_util::future::join_all(asked).await;
    assert!(upstream.count() <= 20 * 4 * 11 / 10 + 2, "{}", upstream.count());
}

/// Sends every statement that must be rejected as the only draft of the language model.
async fn hostile_model(dialect: &str, file: &SqliteFile, database: &[&str]) -> usize {
    let settings = file.file("writing.toml", "drafts = [1, 1, 1]\nrepairs = 0\n");
    let settings = settings.display().to_string();
    let upstream = Upstream::start([Reply::Document(String::new())]).await;
    let mut options = options(&upstream);
    options.extend(["--writing".to_owned(), settings]);
    let options: Vec<&str> =
        options.iter().map(String::as_str).chain(database.iter().copied()).collect();
    let client = Client::start(&config(file.folder.path(), &options)).await;
    let mut sent = 0;
    for sql in corpus::hostile(dialect) {
        let reply = json!({ "sql": sql, "explanation": "harmless" }).to_string();
        upstream.say([Reply::Document(reply)]);
        let answered = client.ask(QUESTION).await.ok(200);
        assert_eq!(answered["outcome"], "generation_failed", "{sql}: {answered}");
        assert!(answered["view"]["result"].is_null(), "{sql}");
        sent += 1;
    }
    sent
}

const USERS: &str = "CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(60), email VARCHAR(80), city VARCHAR(40), age INTEGER);";

// Promise: security.no-denied-draft
#[tokio::test]
async fn hostile_statements_of_a_model_never_run_on_sqlite() {
    let file = SqliteFile::new(&format!("{SHOP}{USERS}"));
    let path = file.path.to_str().unwrap().to_owned();
    assert!(hostile_model("sqlite", &file, &["--database", &path]).await > 30);
}

// Promise: security.no-denied-draft
#[tokio::test]
async fn hostile_statements_of_a_model_never_run_on_postgres() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(&format!("{SHOP}{USERS}"));
    let file = SqliteFile::new("");
    let url = cluster.url("owner");
    assert!(hostile_model("postgres", &file, &["--database", &url]).await > 100);
    assert_eq!(cluster.run("SELECT count(*) FROM orders"), "4");
}

#[tokio::test]
async fn questions_of_the_model_are_asked_and_their_answer_is_kept() {
    let asks = r#"{"clarifications": [{"term": "people", "question": "Who is meant?", "options": [{"label": "customers", "table": "customers"}, {"label": "nobody", "table": "ghosts"}, {"label": "buyers", "table": "orders"}]}]}"#;
    let upstream = Upstream::start([Reply::Stream(asks.into())]).await;
    let file = SqliteFile::new(SHOP);
    let client = client(&file, &upstream).await;
    let asked = client.ask("what ratio of the orders do people have").await.ok(202);
    let question = &asked["questions"][0];
    assert_eq!(question["options"].as_array().unwrap().len(), 2, "{asked}");
    let body = json!({
        "clarification_id": asked["clarification_id"],
        "answers": [{ "clarification_id": question["id"], "answer": { "type": "option", "option_id": "customers" } }],
    });
    let lost =
        r#"{"sql": "SELECT COUNT(*) AS n FROM orders", "explanation": "The number of orders."}"#;
    let kept = r#"{"sql": "SELECT c.name, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM orders) AS n FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name", "explanation": "Orders by customer."}"#;
    upstream.say([Reply::Stream(lost.into()), Reply::Stream(kept.into())]);
    let answered = client.post("/api/v1/query/clarify", body.to_string()).await.ok(200);
    assert_eq!(answered["outcome"], "answered", "{answered}");
    assert!(answered["view"]["sql"].as_str().unwrap().contains("customers"), "{answered}");
}

#[tokio::test]
async fn the_tasks_are_no_open_relay() {
    let upstream = Upstream::start([Reply::Document(GOOD.into())]).await;
    let file = SqliteFile::new(SHOP);
    let client = client(&file, &upstream).await;
    let brief = json!({ "question": QUESTION, "today": "2024-04-01" });
    for extra in ["messages", "prompt", "api_base", "url", "model", "api_key", "headers"] {
        let body = json!({ "brief": brief, extra: "x" });
        client
            .post("/api/v1/llm/write_sql", body.to_string())
            .await
            .problem(400, "invalid_request");
        let mut inner = brief.clone();
        inner[extra] = json!("x");
        let body = json!({ "brief": inner });
        client
            .post("/api/v1/llm/write_sql", body.to_string())
            .await
            .problem(400, "invalid_request");
    }
    let body = json!({ "brief": brief });
    client.post("/api/v1/llm/chat", body.to_string()).await.problem(404, "unknown_task");
    client.post("/api/v1/llm/judge_table", body.to_string()).await.problem(422, "missing_field");
    let body = json!({ "brief": brief, "table": "sqlite_master" });
    client.post("/api/v1/llm/judge_table", body.to_string()).await.problem(422, "unknown_name");
    let tied = json!({ "question": QUESTION, "today": "2024-04-01", "ties": [{ "phrase": "x", "table": "secrets" }] });
    let body = json!({ "brief": tied });
    client.post("/api/v1/llm/write_sql", body.to_string()).await.problem(422, "unknown_name");
    assert_eq!(upstream.count(), 0);
    let written =
        client.post("/api/v1/llm/write_sql", json!({ "brief": brief }).to_string()).await.ok(200);
    assert!(written["statement"]["sql"].as_str().unwrap().starts_with("SELECT"), "{written}");
    assert!(!written["trace"].as_array().unwrap().is_empty());
}

// Promise: models.typed-tasks
#[tokio::test]
async fn single_tasks_answer_in_types() {
    let judged = r#"{"relevant": true, "confidence": 0.9, "columns": ["status", "secret"], "why": "it has them"}"#;
    let upstream = Upstream::start([Reply::Stream(judged.into())]).await;
    let file = SqliteFile::new(SHOP);
    let client = client(&file, &upstream).await;
    let body =
        json!({ "brief": { "question": QUESTION, "today": "2024-04-01" }, "table": "orders" });
    let answer = client.post("/api/v1/llm/judge_table", body.to_string()).await.ok(200);
    assert_eq!(answer["columns"], json!(["status"]));
    assert_eq!(upstream.requests()[0].1["model"], "judge");
}

#[tokio::test]
async fn a_connection_is_used_again_where_the_end_of_an_answer_comes_late() {
    let judged =
        r#"{"relevant": true, "confidence": 0.9, "columns": ["status"], "why": "it has them"}"#;
    let upstream = Upstream::start([Reply::LateEnd(judged.into())]).await;
    let file = SqliteFile::new(SHOP);
    let client = client(&file, &upstream).await;
    let body =
        json!({ "brief": { "question": QUESTION, "today": "2024-04-01" }, "table": "orders" });
    for _ in 0..3 {
        client.post("/api/v1/llm/judge_table", body.to_string()).await.ok(200);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert_eq!((upstream.count(), upstream.connections()), (3, 1));
}

#[tokio::test]
async fn without_a_model_the_tasks_say_so() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let body = json!({ "brief": { "question": QUESTION, "today": "2024-04-01" } });
    client.post("/api/v1/llm/write_sql", body.to_string()).await.problem(409, "no_model");
}
