//! Unfinished work of the language model: completions are not requested again.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Reply, SHOP, Serving, SqliteFile, Upstream};

const JUDGED: &str =
    r#"{"relevant": true, "confidence": 0.8, "columns": ["id"], "why": "it is needed"}"#;
const CHOSEN: &str = r#"{"tables": ["orders"], "joined": true, "why": "one is enough"}"#;
const NEEDS: &str =
    r#"{"joins": [], "filters": [], "aggregation": ["share by status"], "ordering": []}"#;
const WRITTEN: &str = r#"{"sql": "SELECT status, COUNT(*) * 100.0 / (SELECT COUNT(*) FROM orders) AS share FROM orders GROUP BY status", "explanation": "The share of the orders of each status."}"#;
/// Number of judgements before the proxy is killed.
const BEFORE: usize = 3;

/// A shop with more tables than fit into a small context.
fn wide_shop() -> String {
    let more = (0..12).map(|number| {
        let columns: Vec<String> =
            (0..30).map(|column| format!("measured_value_{column} TEXT")).collect();
        format!("CREATE TABLE station_{number} (id INTEGER PRIMARY KEY, {});", columns.join(", "))
    });
    format!("{SHOP}\n{}", more.collect::<String>())
}

/// Number of requests of a task so far.
fn asked(upstream: &Upstream, task: &str) -> usize {
    let requests = upstream.requests();
    let of_task = |body: &&(_, Value)| body.1["response_format"]["json_schema"]["name"] == task;
    requests.iter().filter(of_task).count()
}

/// Number of pending calls of the stored work, if any.
fn waiting(store: &std::path::Path) -> Option<usize> {
    let connection = rusqlite::Connection::open(store).unwrap();
    let state =
        connection.query_row("SELECT state FROM writings", (), |row| row.get::<_, String>(0));
    let state: Value = serde_json::from_str(&state.ok()?).unwrap();
    state["pending"].as_object().map(serde_json::Map::len)
}

// Promise: models.resumed
#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_has_said_is_not_asked_again_after_a_crash() {
    let judged = || Reply::Document(JUDGED.to_owned());
    let upstream = Upstream::start((0..BEFORE).map(|_| judged()).chain([Reply::Hang])).await;
    let file = SqliteFile::new(&wide_shop());
    let (url, folder) = (upstream.url(), file.folder.path().to_owned());
    let options: Vec<String> = [
        ["--database", file.path.to_str().unwrap()],
        ["--llm-url", &url],
        ["--llm-model", "small"],
        ["--llm-context-tokens", "3000"],
    ]
    .concat()
    .into_iter()
    .map(str::to_owned)
    .collect();
    let start = move || {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        Serving::start(&folder, &options)
    };
    let question = json!({
        "question": "what ratio of the orders does each status have",
        "today": "2024-04-01",
    });

    let first = start();
    let (http, body) = (first.http(), question.clone());
    let broken = tokio::task::spawn_blocking(move || http.try_post("query", &body).is_none());
    let store = file.folder.path().join("store.sqlite");
    let begun = Instant::now();
    let unanswered = loop {
        assert!(begun.elapsed() < Duration::from_secs(20), "it is not kept");
        tokio::time::sleep(Duration::from_millis(10)).await;
        let (judges, hanging) = (asked(&upstream, "judge_table"), upstream.hanging());
        if judges == hanging + BEFORE && hanging > 0 && waiting(&store) == Some(hanging) {
            break hanging;
        }
    };
    first.kill();
    assert!(broken.await.unwrap());

    let rest = (0..unanswered).map(|_| JUDGED).chain([CHOSEN, NEEDS, WRITTEN]);
    upstream.say(rest.map(|text| Reply::Document(text.to_owned())));
    let second = start();
    let http = second.http();
    let answered =
        tokio::task::spawn_blocking(move || http.post("query", &question)).await.unwrap();
    let answered = answered.expect(200);
    assert_eq!(answered["outcome"], "answered", "{answered}");
    assert_eq!(asked(&upstream, "judge_table"), BEFORE + 2 * unanswered);
    assert_eq!(waiting(&store), None, "work that has ended is forgotten");
}
