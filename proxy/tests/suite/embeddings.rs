//! Tables that are found by embeddings, over a real socket, and how a failing endpoint is told.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::support::{Client, Reply, SqliteFile, Upstream};

const SCHEMA: &str = "CREATE TABLE adverts (id INTEGER PRIMARY KEY, wording VARCHAR(40));
     CREATE TABLE bills (id INTEGER PRIMARY KEY, total INTEGER);
     CREATE TABLE riders (id INTEGER PRIMARY KEY, town VARCHAR(40));
     INSERT INTO riders VALUES (1, 'Secretville');";
const PACK: &str = "
[[areas]]
name = 'fleet'
title = 'Fleet'
[[tables]]
name = 'riders'
area = 'fleet'
";
const QUESTION: &str = "how are the couriers spread out";
const DRAFT: &str = r#"{"sql": "SELECT town FROM riders", "explanation": "x"}"#;

/// How the endpoint for embeddings responds.
#[derive(Clone, Copy, Debug)]
enum Mood {
    Well,
    Status(u16),
    Slow,
    Text,
    TooFew,
    Lengths,
    Huge,
}

/// A running endpoint for embeddings, which ends with the runtime of the test.
struct Endpoint {
    url: String,
    shared: Arc<Shared>,
}

struct Shared {
    mood: Mutex<Mood>,
    requests: Mutex<Vec<Value>>,
}

impl Endpoint {
    async fn start() -> Self {
        let shared = Arc::new(Shared { mood: Mutex::new(Mood::Well), requests: Mutex::default() });
        let app =
            Router::new().route("/v1/embeddings", post(embed)).with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, shared }
    }

    fn feel(&self, mood: Mood) {
        *self.shared.mood.lock().unwrap() = mood;
    }

    fn requests(&self) -> Vec<Value> {
        self.shared.requests.lock().unwrap().clone()
    }
}

async fn embed(State(shared): State<Arc<Shared>>, Json(body): Json<Value>) -> Response {
    let mood = *shared.mood.lock().unwrap();
    shared.requests.lock().unwrap().push(body.clone());
    let vector = |text: &Value| {
        let text = text.as_str().unwrap();
        let near = ["riders", "couriers"].iter().any(|word| text.contains(word));
        if near { json!([1.0, 0.1]) } else { json!([0.2, 1.0]) }
    };
    let texts = body["input"].as_array().unwrap();
    let mut data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({ "index": index, "embedding": vector(text) }))
        .collect();
    match mood {
        Mood::Well => {}
        Mood::Status(status) => return StatusCode::from_u16(status).unwrap().into_response(),
        Mood::Slow => tokio::time::sleep(Duration::from_secs(5)).await,
        Mood::Text => return "vectors, I think".into_response(),
        Mood::TooFew => data.clear(),
        Mood::Lengths => data[0]["embedding"] = json!([1.0]),
        Mood::Huge => return vec![b' '; 17 << 20].into_response(),
    }
    Json(json!({ "data": data })).into_response()
}

/// Time that an endpoint gets which is expected to respond, in milliseconds: enough on a busy machine.
const PATIENT: &str = "20000";
/// Time that an endpoint gets which is expected to be too slow.
const SHORT: &str = "400";

async fn start(endpoint: &Endpoint, tables: u8) -> (Client, Upstream, SqliteFile) {
    start_within(endpoint, tables, PATIENT).await
}

async fn start_within(
    endpoint: &Endpoint,
    tables: u8,
    milliseconds: &str,
) -> (Client, Upstream, SqliteFile) {
    let upstream = Upstream::start([Reply::Document(DRAFT.into())]).await;
    let file = SqliteFile::new(SCHEMA);
    let pack = file.file("pack.toml", PACK);
    let writing = file.file("writing.toml", &format!("drafts = [1, 1, 1]\ntables = {tables}\n"));
    let (url, pack, writing) =
        (upstream.url(), pack.display().to_string(), writing.display().to_string());
    let options = [
        ["--llm-url", &url],
        ["--llm-model", "writer"],
        ["--pack", &pack],
        ["--writing", &writing],
        ["--embedding-url", &endpoint.url],
        ["--embedding-model", "nearness"],
        ["--embedding-milliseconds", milliseconds],
    ];
    (Client::start(&file.config(&options.concat())).await, upstream, file)
}

/// Tables that the model was shown for a question, and the trace.
async fn shown(client: &Client, upstream: &Upstream, flags: Value) -> (Vec<String>, String) {
    let body = json!({ "brief": { "question": QUESTION, "today": "2024-04-01" }, "flags": flags });
    let written = client.post("/api/v1/llm/write_sql", body.to_string()).await.ok(200);
    let (_, request) = upstream.requests().pop().unwrap();
    let user = request["messages"][1]["content"].as_str().unwrap().to_owned();
    let data = &user[user.find('{').unwrap()..=user.rfind('}').unwrap()];
    let data: Value = serde_json::from_str(data).unwrap();
    let name = |table: &Value| table["table"].as_str().unwrap().to_owned();
    (data["tables"].as_array().unwrap().iter().map(name).collect(), written["trace"].to_string())
}

// Promise: models.embeddings
#[tokio::test]
async fn a_table_that_no_word_names_is_found_by_embeddings_and_its_area_is_told() {
    let endpoint = Endpoint::start().await;
    let (client, upstream, _file) = start(&endpoint, 1).await;
    let (tables, trace) = shown(&client, &upstream, json!({})).await;
    assert_eq!(tables, ["riders"], "{trace}");
    assert!(trace.contains("ranked by nearness; best: riders (1.00)"), "{trace}");
    assert!(trace.contains("areas: fleet (similarity, 1.00)"), "{trace}");
    let sent = json!(endpoint.requests()).to_string();
    assert!(sent.contains("riders") && !sent.contains("Secretville"), "no stored values: {sent}");
    assert_eq!(endpoint.requests().len(), 2, "the tables, and the question");
    shown(&client, &upstream, json!({})).await;
    assert_eq!(endpoint.requests().len(), 3, "the tables are requested once");
    let (tables, trace) = shown(&client, &upstream, json!({ "embeddings": false })).await;
    assert_eq!((tables, endpoint.requests().len()), (vec!["adverts".to_owned()], 3), "{trace}");
}

// Promise: models.embeddings
#[tokio::test]
async fn words_and_embeddings_are_weighed_together() {
    let endpoint = Endpoint::start().await;
    let (client, upstream, _file) = start(&endpoint, 2).await;
    let question = "how are the couriers spread out over bills";
    let flags = json!({ "area_router": false });
    let brief = json!({ "question": question, "today": "2024-04-01" });
    let body = json!({ "brief": brief, "flags": flags });
    client.post("/api/v1/llm/write_sql", body.to_string()).await.ok(200);
    let (_, request) = upstream.requests().pop().unwrap();
    let prompt = request["messages"][1]["content"].as_str().unwrap();
    for (table, is_shown) in [("riders", true), ("bills", true), ("adverts", false)] {
        let named = prompt.contains(&format!(r#""table":"{table}""#));
        assert_eq!(named, is_shown, "{table}: {prompt}");
    }
}

// Promise: models.embeddings-fail
#[tokio::test]
async fn without_embeddings_tables_are_ranked_by_words_and_the_trace_says_why() {
    for (mood, reason) in [
        (Mood::Status(500), "it responds with status 500"),
        (Mood::Status(401), "it responds with status 401"),
        (Mood::Slow, "it took longer than 400 ms"),
        (Mood::Text, "no form that can be used"),
        (Mood::TooFew, "no form that can be used"),
        (Mood::Huge, "larger than"),
    ] {
        let endpoint = Endpoint::start().await;
        let slow = matches!(mood, Mood::Slow);
        let within = if slow { SHORT } else { PATIENT };
        let (client, upstream, _file) = start_within(&endpoint, 1, within).await;
        endpoint.feel(mood);
        let (tables, trace) = shown(&client, &upstream, json!({})).await;
        assert_eq!(tables, ["adverts"], "{mood:?}: {trace}");
        let told = trace.contains("ranked by words alone") && trace.contains(reason);
        assert!(told, "{mood:?}: {trace}");
        endpoint.feel(Mood::Well);
        let (tables, trace) = shown(&client, &upstream, json!({})).await;
        assert!(slow || tables == ["riders"], "{mood:?}: it is asked again: {trace}");
    }
}

#[tokio::test]
async fn vectors_of_another_length_are_left_out() {
    let endpoint = Endpoint::start().await;
    let (client, upstream, _file) = start(&endpoint, 1).await;
    endpoint.feel(Mood::Lengths);
    let (tables, trace) = shown(&client, &upstream, json!({})).await;
    assert_eq!(tables.len(), 1, "{trace}");
}

#[tokio::test]
async fn an_endpoint_without_a_model_or_in_a_private_network_is_refused_at_the_start() {
    let file = SqliteFile::new(SCHEMA);
    for (options, reason) in [
        (vec!["--embedding-url", "http://127.0.0.1:1/v1"], "--embedding-url needs"),
        (vec!["--embedding-model", "nearness"], "--embedding-model needs"),
        (
            vec!["--embedding-url", "http://10.0.0.1/v1", "--embedding-model", "nearness"],
            "--llm-private",
        ),
    ] {
        let config = file.config(&options);
        let refused = wherefore_proxy::startup::start(&config).await.err().unwrap().to_string();
        assert!(refused.contains(reason), "{refused}");
    }
}
