//! Log, metrics, concurrency limits and shutdown.

use std::convert::Infallible;
use std::io::Read;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use axum::response::sse::{Event, Sse};
use axum::routing::get;
use futures_util::stream::{self, StreamExt};
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tower::ServiceExt;
use wherefore_proxy::connections::Connections;
use wherefore_proxy::hosts::AllowedHosts;
use wherefore_proxy::router::guard;
use wherefore_proxy::server::serve;
use wherefore_proxy::state::AppState;

use crate::support::serving::run;
use crate::support::{Client, SHOP, Serving, SqliteFile};

/// A route whose response never ends by itself, like an event stream.
fn events(state: &AppState) -> Router {
    let endless = || async {
        let first = stream::once(async { Ok::<_, Infallible>(Event::default().data("hello")) });
        Sse::new(first.chain(stream::pending()))
    };
    let routes = Router::new().route("/events", get(endless));
    guard(routes, state, AllowedHosts::new(&[]))
}

async fn state(options: &[&str]) -> (SqliteFile, AppState) {
    let shop = SqliteFile::new(SHOP);
    let client = Client::start(&shop.config(options)).await;
    (shop, client.state)
}

#[tokio::test]
async fn fifty_event_streams_end_within_a_second() {
    let (_shop, state) = state(&[]).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, told) = tokio::sync::oneshot::channel::<()>();
    let told = async move {
        let _ = told.await;
    };
    let connections = Connections::new(100, Duration::from_secs(10), state.metrics.clone());
    let stopping = state.stopping.clone();
    let served = tokio::spawn(serve(listener, events(&state), connections, stopping, told));
    let mut readers = Vec::new();
    for _ in 0..50 {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        let mut begun = vec![0; 4096];
        let mut text = String::new();
        while !text.contains("hello") {
            let count = stream.read(&mut begun).await.unwrap();
            text += &String::from_utf8_lossy(&begun[..count]);
        }
        readers.push(tokio::spawn(async move {
            let mut rest = String::new();
            stream.read_to_string(&mut rest).await.unwrap();
            rest
        }));
    }
    let start = Instant::now();
    stop.send(()).unwrap();
    served.await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(8), "it took {:?}", start.elapsed());
    for reader in readers {
        let rest = reader.await.unwrap();
        assert!(rest.contains("event: server_closing"), "{rest}");
    }
    assert!(tokio::net::TcpStream::connect(address).await.is_err(), "no request is taken any more");
}

#[test]
fn idle_connections_do_not_keep_the_program() {
    let shop = SqliteFile::new(SHOP);
    let mut program =
        Serving::start(shop.folder.path(), &["--database", shop.path.to_str().unwrap()]);
    let mut connections: Vec<_> =
        (0..50).map(|_| std::net::TcpStream::connect(&program.address).unwrap()).collect();
    for connection in &mut connections {
        std::io::Write::write_all(
            connection,
            b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        )
        .unwrap();
        let mut some = [0; 64];
        assert!(connection.read(&mut some).unwrap() > 0);
    }
    let (status, time) = program.stop();
    assert!(status.success());
    assert!(time < Duration::from_secs(8), "it took {time:?}");
}

#[test]
fn half_requests_do_not_keep_the_program() {
    let shop = SqliteFile::new(SHOP);
    let mut program =
        Serving::start(shop.folder.path(), &["--database", shop.path.to_str().unwrap()]);
    let body = "POST /api/v1/sql/check HTTP/1.1\r\nHost: localhost\r\n\
                Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let held = ["GET /api/v1/health HTTP/1.1\r\nHost: lo", body].map(|half| {
        let mut connection = std::net::TcpStream::connect(&program.address).unwrap();
        std::io::Write::write_all(&mut connection, half.as_bytes()).unwrap();
        connection
    });
    // Requests of later connections are answered once the halves have arrived.
    for _ in 0..10 {
        assert_eq!(program.call("GET", "/api/v1/health", &[], "").status, 200);
    }
    assert!(program.stop().0.success());
    assert!(!program.log().contains("aborted at shutdown"), "{}", program.log());
    drop(held);
}

/// Request of a statement that passes the guard and runs until it is cancelled.
fn runaway() -> String {
    let joins = (1..24).fold(String::new(), |joins, index| {
        let before = index - 1;
        joins + &format!(" JOIN orders AS o{index} ON o{index}.id <> o{before}.id + 100")
    });
    format!("{{\"sql\": \"SELECT COUNT(*) AS n FROM orders AS o0{joins}\"}}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_runs_so_many_queries_at_a_time() {
    let shop = SqliteFile::new(SHOP);
    let options =
        shop.config(&["--running-queries", "1", "--statement-seconds", "2", "--cost-limit", "0"]);
    let client = Client::start(&options).await;
    let long = client.clone();
    let long = tokio::spawn(async move { long.post("/api/v1/sql/execute", runaway()).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    let refused = client.execute("SELECT id FROM orders").await;
    refused.problem(429, "too_many_running");
    assert_eq!(refused.headers[header::RETRY_AFTER], "1");
    let figures = client.get("/api/v1/metrics").await.text;
    assert!(figures.contains("wherefore_running_queries 1"), "{figures}");
    assert!(figures.contains("wherefore_database_connections_in_use 1"), "{figures}");
    long.await.unwrap().problem(504, "statement_timeout");
    client.execute("SELECT id FROM orders").await.ok(200);
}

#[test]
fn a_request_under_way_is_answered_before_the_program_ends() {
    let shop = SqliteFile::new(SHOP);
    let database = shop.path.to_str().unwrap();
    let options = ["--database", database, "--statement-seconds", "2", "--cost-limit", "0"];
    let mut program = Serving::start(shop.folder.path(), &options);
    let address = program.address.clone();
    let request = std::thread::spawn(move || {
        let json = ["Content-Type: application/json"];
        crate::support::call(&address, "POST", "/api/v1/sql/execute", &json, &runaway())
    });
    std::thread::sleep(Duration::from_millis(500));
    let (status, _) = program.stop();
    assert!(status.success());
    let heard = request.join().unwrap();
    assert_eq!(heard.status, 504, "{heard:?}");
}

#[tokio::test]
async fn beyond_its_bound_the_proxy_says_so_at_once() {
    let (_shop, state) = state(&["--requests-at-once", "2"]).await;
    let unread = async || Body::from_stream(stream::pending::<Result<String, Infallible>>());
    let health = get(async || "ok");
    let routes = Router::new().route("/unread", get(unread)).route("/api/v1/health", health);
    let routes = events(&state).merge(guard(routes, &state, AllowedHosts::new(&[])));
    let open = async |path: &str| {
        let request = Request::get(path).header(header::HOST, "localhost");
        routes.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    };
    let stream = open("/events").await;
    let (first, _second) = (open("/unread").await, open("/unread").await);
    let third = open("/unread").await;
    assert_eq!(third.status(), 503);
    assert_eq!(third.headers()[header::RETRY_AFTER], "1");
    let text = third.into_body().collect().await.unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&text).contains("\"code\":\"too_many_requests\""));
    assert_eq!(open("/api/v1/health").await.status(), 200);
    drop(first);
    assert_eq!(open("/unread").await.status(), 200, "a body that nobody reads occupies nothing");
    assert_eq!(stream.status(), 200, "a stream takes no place of a request");
}

#[tokio::test]
async fn figures_are_by_route_and_hold_nothing_that_callers_wrote() {
    let shop = SqliteFile::new(SHOP);
    let client = Client::start(&shop.config(&[])).await;
    client.ask("how many customers").await.ok(200);
    client.get("/api/v1/memory/canary-canary-canary").await.ok(200);
    client.get("/api/v1/canary").await.problem(404, "unknown_route");
    client.get("/canary?canary=canary").await.problem(404, "unknown_route");
    let odd = Request::builder().method("CANARY").uri("/api/v1/query").body(Body::empty()).unwrap();
    client.send(odd).await.problem(405, "method_not_allowed");
    let answer = client.get("/api/v1/metrics").await;
    assert_eq!(answer.status, 200);
    let text = answer.text;
    for line in [
        "wherefore_requests_total{method=\"POST\",route=\"/api/v1/query\",status=\"200\"} 1",
        "wherefore_requests_total{method=\"GET\",route=\"/api/v1/memory/{person}\",status=\"200\"} 1",
        "wherefore_requests_total{method=\"GET\",route=\"other\",status=\"404\"} 2",
        "wherefore_requests_total{method=\"other\",route=\"/api/v1/query\",status=\"405\"} 1",
        "wherefore_request_seconds_bucket{le=\"+Inf\",route=\"/api/v1/query\"} 2",
        "wherefore_running_queries 0",
        "wherefore_database_connections_in_use 0",
    ] {
        assert!(text.contains(line), "{line} is missing in:\n{text}");
    }
    assert!(!text.to_lowercase().contains("canary"), "{text}");
}

/// Markers of content that must not be logged.
const QUESTION: &str = "canaryquestion";
const VALUE: &str = "canaryvalue";
const PERSON: &str = "canaryperson-0123456789";
const HEADER: &str = "canaryheader";
const PASSWORD: &str = "canarypassword";

/// Sends requests with secrets of every kind, and returns the log.
fn log_of_secrets(format: &str) -> String {
    let shop = SqliteFile::new(SHOP);
    let folder = shop.folder.path();
    let database = shop.path.to_str().unwrap();
    let options = ["--database", database, "--auth", "keys", "--log-format", format];
    let mut program = Serving::start(folder, &options);
    let store = folder.join("store.sqlite");
    let added = run(&[
        "key",
        "add",
        "--user",
        "ann",
        "--database",
        database,
        "--store",
        store.to_str().unwrap(),
    ]);
    let shown = String::from_utf8(added.stdout).unwrap();
    let key = shown.lines().next().unwrap().to_owned();
    let bearer = format!("Authorization: Bearer {key}");
    let json = "Content-Type: application/json";
    let form = "Content-Type: application/x-www-form-urlencoded";
    let signed_in = program.call("POST", "/sign-in", &[form], &format!("key={key}"));
    let set = signed_in.header("set-cookie").unwrap().to_owned();
    let cookie = set.split(';').next().unwrap().split_once('=').unwrap().1.to_owned();
    let with_cookie = format!("Cookie: wherefore={cookie}; other={HEADER}");
    let mut answers = vec![signed_in];
    let question = format!(
        "{{\"question\": \"customers called '{QUESTION}' or \\\"{VALUE}\\\"\", \"person\": \"{PERSON}\"}}"
    );
    let sql = format!(
        "{{\"sql\": \"SELECT name FROM customers WHERE name = '{VALUE}' AND nothing = 1\"}}"
    );
    let memory = format!("/api/v1/memory/{PERSON}");
    let search = format!("/api/v1/values?table=customers&column=name&search={VALUE}");
    let wrong = format!("Authorization: Basic {PASSWORD}");
    let wrong_key = format!("key=wf_{PASSWORD}&x=\r\nforged line");
    let odd = format!("X-Odd: {HEADER}");
    for (method, path, headers, body) in [
        ("POST", "/api/v1/query", &[bearer.as_str(), json][..], question.as_str()),
        ("POST", "/api/v1/sql/execute", &[&bearer, json], &sql),
        (
            "POST",
            "/api/v1/sql/execute",
            &[&with_cookie, json],
            "{\"sql\": \"SELECT 'canaryvalue' AS x FROM customers\"}",
        ),
        ("GET", &memory, &[&bearer], ""),
        ("GET", &search, &[&bearer], ""),
        ("GET", "/api/v1/catalog", &[&wrong, &odd], ""),
        ("GET", "/canaryheader%0aforged%20line?canaryheader", &[&with_cookie], ""),
        ("POST", "/sign-in", &[form], &wrong_key),
        ("POST", "/sign-in?key=canarypassword", &[form, &odd], ""),
        ("POST", "/sign-out", &[&with_cookie], ""),
        ("GET", "/api/v1/metrics", &[&bearer], ""),
        ("CANARYHEADER", "/api/v1/query", &[&bearer], ""),
    ] {
        answers.push(program.call(method, path, headers, body));
    }
    let log = program.log();
    assert!(program.stop().0.success());
    assert!(log.contains("answered") && log.contains("req_"), "{log}");
    for secret in [&key, &cookie, QUESTION, VALUE, PERSON, HEADER, PASSWORD, "CANARY", "forged"] {
        assert!(!log.contains(secret), "{secret} is logged:\n{log}");
    }
    for answer in &answers[1..] {
        for secret in [&key, &cookie, PASSWORD] {
            assert!(!answer.text.contains(secret), "{secret} is answered: {answer:?}");
        }
    }
    log
}

#[test]
fn a_text_log_holds_no_secret() {
    let log = log_of_secrets("text");
    let requests: Vec<&str> = log.lines().filter(|line| line.contains("answered")).collect();
    assert!(requests.iter().all(|line| line.contains("id=req_")), "{log}");
}

#[test]
fn a_json_log_holds_no_secret_and_one_object_a_line() {
    let log = log_of_secrets("json");
    for line in log.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["message"] == "answered" {
            assert!(line["span"]["id"].as_str().unwrap().starts_with("req_"), "{line}");
            assert!(line["span"]["route"].is_string() && line["status"].is_u64(), "{line}");
        }
    }
}

#[test]
fn a_password_of_a_database_is_neither_logged_nor_shown() {
    let shop = SqliteFile::new(SHOP);
    let url = format!("postgres://ann:{PASSWORD}@127.0.0.1:1/shop?application_name={PASSWORD}");
    let store = shop.folder.path().join("store.sqlite");
    let options = ["--database", &url, "--store", store.to_str().unwrap()];
    for action in [&[][..], &["check"]] {
        let output = run(&[action, &options[..]].concat());
        let told = format!("{output:?}");
        assert!(!output.status.success() && !told.contains(PASSWORD), "{told}");
    }
    let help = crate::support::serving::command(&["--help"])
        .env("WHEREFORE_DATABASE", &url)
        .output()
        .unwrap();
    assert!(!format!("{help:?}").contains(PASSWORD));
}
