//! Valid and invalid requests to every route, except those for statements.

use serde_json::{Value, json};

use super::client::{Ask, Client, Group};
use super::routes_sql as sql;
use super::sample::TODAY;
use crate::Failure;

const PERSON: &str = "person-of-the-recording";
const OTHER: &str = "another-person-of-the-recording";

/// Sends every group of requests; returns the recorded replies of each.
pub fn visit(client: &Client<'_>) -> Result<Vec<(&'static str, Value)>, Failure> {
    let groups = [
        reading(),
        values(),
        sql::checking(),
        sql::executing(),
        sql::taking_away(),
        asking(),
        going_on(),
        remembering(),
        looking_back(),
        writing(),
        straying(),
    ];
    let mut visited = Vec::new();
    for (name, asks) in groups {
        let mut client = client.again();
        for ask in &asks {
            client.send(ask)?;
        }
        visited.push((name, client.said()));
    }
    Ok(visited)
}

fn reading() -> Group {
    let paths =
        ["health", "ready", "openapi.json", "catalog", "figures?from=2000-01-01&to=2000-01-31"];
    let mut asks: Vec<Ask> = paths.map(Ask::get).into();
    asks.push(Ask::get("catalog").header("if-none-match", "\"other\""));
    asks.push(Ask::get("figures?from=yesterday"));
    asks.push(Ask::get("figures?to=2026-13-01"));
    asks.push(Ask::get("figures?until=2026-01-01"));
    ("reading", asks)
}

fn values() -> Group {
    let paths = [
        "values?table=orders&column=status",
        "values?table=orders&column=status&search=ship",
        "values?table=customers&column=name&search=casa",
        "values?table=cities&column=name&search=%C3%B6",
        "values?table=cities&column=name&search=nowhere",
        "values?table=customers&column=email",
        "values?table=customers&column=nothing",
        "values?table=nothing&column=name",
        "values?table=orders&column=total_amount&search=1",
        "values?table=orders",
        "values?table=orders&column=status&limit=3",
    ];
    let mut asks: Vec<Ask> = paths.map(Ask::get).into();
    let long = "x".repeat(1_000);
    asks.push(Ask::get(&format!("values?table=orders&column=status&search={long}")));
    ("values", asks)
}

fn asking() -> Group {
    let id = "recorded-asking-0001";
    let question = |text: &str| json!({ "question": text, "today": TODAY });
    let with = |name: &str, value: Value| {
        let mut body = question("how many customers are in Germany");
        body[name] = value;
        Ask::post("query", &body)
    };
    let asks = vec![
        with("id", json!(id)),
        with("id", json!(id)),
        Ask::post("query", &json!({ "question": "how many orders", "today": TODAY, "id": id })),
        with("id", json!("short")),
        with("id", json!("no spaces are allowed")),
        with("today", json!("tomorrow")),
        with("today", json!("2026-02-30")),
        with("thread_id", json!("thr_unknown")),
        with("person", json!("short")),
        with("person", json!(PERSON)),
        with("skip_clarification", json!(true)),
        with("skip_clarification", json!("yes")),
        with("flags", json!({})),
        with("flags", json!({ "unheard_of": true })),
        with("context", json!({ "said": 1 })),
        with("sql", json!("SELECT 1")),
        Ask::post("query", &question("")),
        Ask::post("query", &question("   ")),
        Ask::post("query", &question("how many \u{7} orders")),
        Ask::post("query", &question(&"long ".repeat(2_000))),
        Ask::post("query", &question(&"x".repeat(300_000))),
        Ask::post("query", &json!({ "today": TODAY })),
        Ask::post("query", &json!([])),
        Ask::post("query", &json!("how many orders")),
        Ask::new("POST", "query").text("{\"question\":").header("content-type", "application/json"),
        Ask::new("POST", "query")
            .text("question=x")
            .header("content-type", "application/x-www-form-urlencoded"),
        Ask::new("POST", "query").text("{\"question\": \"x\"}"),
        Ask::new("POST", "query").header("content-type", "application/json"),
        Ask::get("query"),
    ];
    ("asking", asks)
}

fn going_on() -> Group {
    let unknown = format!("clf_{}", "0".repeat(32));
    let best =
        json!({ "clarification_id": "q_0000000000000000", "answer": { "type": "best_guess" } });
    let person = json!({ "id": "recorded-asking-0001", "person": PERSON });
    let asks = vec![
        Ask::post("query/clarify", &json!({ "clarification_id": unknown, "answers": [best] })),
        Ask::post("query/clarify", &json!({ "clarification_id": unknown, "answers": [] })),
        Ask::post(
            "query/clarify",
            &json!({ "clarification_id": unknown, "answers": [{ "type": "x" }] }),
        ),
        Ask::post(
            "query/clarify",
            &json!({ "clarification_id": unknown, "answers": [], "everyone": true }),
        ),
        Ask::post("query/clarify", &json!({ "answers": [] })),
        Ask::post(
            "query/correct",
            &json!({ "clarification_id": unknown, "correction": { "type": "text", "text": "x" } }),
        ),
        Ask::post("query/correct", &json!({ "clarification_id": unknown, "correction": "x" })),
        Ask::post("query/change", &json!({ "id": "q_unknown", "answer": best })),
        Ask::post("query/change", &json!({ "answer": best })),
        Ask::post("query/change", &json!({ "id": "a", "clarification_id": "b", "answer": best })),
        Ask::post("query/mark", &json!({ "id": "q_unknown", "about": "x", "mark": "helpful" })),
        Ask::post("query/mark", &json!({ "id": "q_unknown", "about": "x", "mark": "lovely" })),
        Ask::post("query/mark", &json!({ "about": "x", "mark": "helpful" })),
        Ask::post("query/cancel", &json!({ "id": "recorded-asking-0001" })),
        Ask::post("query/cancel", &json!({ "id": "recorded-asking-none" })),
        Ask::post("query/cancel", &person),
        Ask::post("query/cancel", &json!({})),
        Ask::get("query/recorded-asking-0001"),
        Ask::get("query/recorded-asking-0001?person=short"),
        Ask::get(&format!("query/recorded-asking-0001?person={PERSON}")),
        Ask::get("query/recorded-asking-none"),
        Ask::get("query/recorded-asking-0001/events").header("last-event-id", "2"),
        Ask::get("query/recorded-asking-0001/events").header("last-event-id", "100"),
        Ask::get("query/recorded-asking-none/events"),
    ];
    ("going on", asks)
}

fn remembering() -> Group {
    let path = format!("memory/{OTHER}");
    let pattern = json!({
        "id": "own", "scope": "person", "ambiguity": "vague_term", "phrase": "recent",
        "answer": { "type": "option", "option_id": "90_days" }, "meaning": "last 90 days",
        "context": [], "frequency": 3, "fixed": true, "last_used": TODAY,
    });
    let put = |path: &str, body: &Value| Ask::new("PUT", path).json(body);
    let asks = vec![
        Ask::get(&path),
        put(&path, &json!({ "version": 1, "patterns": [pattern] })),
        put(&path, &json!({ "patterns": [pattern] })),
        Ask::get(&path),
        Ask::post(
            "query",
            &json!({ "question": "show me recent orders", "today": TODAY, "person": OTHER }),
        ),
        put(&path, &json!({ "version": 99, "patterns": [] })),
        put(&path, &json!({ "version": 1, "patterns": [{}] })),
        put(&path, &json!([])),
        Ask::new("DELETE", &format!("{path}/unknown")),
        Ask::new("DELETE", &format!("{path}/own")),
        Ask::new("DELETE", &path),
        Ask::get(&path),
        Ask::get("memory"),
        put("memory", &json!({ "version": 1, "patterns": [] })),
        Ask::new("DELETE", "memory"),
        Ask::get("memory/everyone"),
        Ask::get("memory/short"),
        Ask::new("POST", &path).json(&json!({})),
    ];
    ("remembering", asks)
}

fn looking_back() -> Group {
    let of = |text: &str| {
        Ask::post("query", &json!({ "question": text, "today": TODAY, "person": OTHER }))
    };
    let list = format!("history?person={OTHER}");
    let asks = vec![
        Ask::get("history?person=nobody-of-the-recording"),
        Ask::new("DELETE", &list),
        of("how many orders per status"),
        Ask::get(&list),
        of("show me big orders"),
        Ask::get(&format!("{list}&limit=1")),
        Ask::get(&format!("{list}&limit=0")),
        Ask::get(&format!("{list}&limit=x")),
        Ask::get(&format!("{list}&before=x")),
        Ask::get(&format!("{list}&page=2")),
        Ask::get(&format!("history/q_unknown?person={OTHER}")),
        Ask::new("DELETE", &format!("history/q_unknown?person={OTHER}")),
        Ask::new("DELETE", &list),
        Ask::get(&list),
    ];
    ("looking back", asks)
}

fn writing() -> Group {
    let brief =
        json!({ "question": "what ratio of the orders does each status have", "today": TODAY });
    let mut asks = Vec::new();
    for task in
        ["write_sql", "extract_parameters", "find_ambiguities", "judge_table", "needs", "chat"]
    {
        asks.push(Ask::post(&format!("llm/{task}"), &json!({ "brief": brief })));
    }
    asks.push(Ask::post("llm/judge_table", &json!({ "brief": brief, "table": "orders" })));
    asks.push(Ask::post("llm/write_sql", &json!({ "brief": brief, "prompt": "x" })));
    asks.push(Ask::post("llm/write_sql", &json!({})));
    ("writing", asks)
}

fn straying() -> Group {
    let asks = vec![
        Ask::get("nothing"),
        Ask::get("/"),
        Ask::get("/nothing"),
        Ask::get("/api/v2/health"),
        Ask::get("query/a/b/c"),
        Ask::new("DELETE", "catalog"),
        Ask::new("PUT", "query").json(&json!({})),
        Ask::new("POST", "health").json(&json!({})),
        Ask::new("OPTIONS", "query"),
        Ask::get("health").header("host", "evil.example"),
        Ask::post("query", &json!({ "question": "x" })).header("origin", "http://evil.example"),
        Ask::post("query", &json!({ "question": "x" })).header("sec-fetch-site", "cross-site"),
        Ask::post("query", &json!({ "question": "x" })).header("content-type", "text/plain"),
        Ask::get("metrics"),
    ];
    ("straying", asks)
}
