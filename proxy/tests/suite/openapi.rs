//! The `OpenAPI` document covers every route, matches requests and responses, and equals the committed one.

use std::collections::BTreeSet;
use std::path::Path;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Map, Value, json};
use wherefore_proxy::hosts::AllowedHosts;
use wherefore_proxy::openapi;
use wherefore_proxy::router::router;

use crate::support::{Client, SHOP, SqliteFile};

const METHODS: [&str; 5] = ["get", "post", "put", "delete", "patch"];

fn document() -> Value {
    serde_json::from_slice(&openapi::document(false)).unwrap()
}

async fn client() -> (SqliteFile, Client) {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&["--shared-memory"])).await;
    (file, client)
}

fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let of_path = |(path, item): (&String, &Value)| {
        let path = path.clone();
        let operations = item.as_object().unwrap().clone();
        operations.into_iter().map(move |(method, told)| (path.clone(), method, told))
    };
    paths.iter().flat_map(of_path).collect()
}

#[test]
fn the_document_in_the_repository_is_the_one_that_is_served() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let made = openapi::document(false);
    assert!(!made.is_empty(), "it is not made");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read(&path).unwrap_or_default();
    assert!(kept == made, "proxy/openapi.json is stale: UPDATE_EXPECT=1 rewrites it");
}

#[tokio::test]
async fn every_flag_of_a_trace_is_described() {
    let (_file, client) = client().await;
    let flags = client.ask("how many customers").await.ok(200)["trace"]["flags"].clone();
    let document = document();
    let schema = &document["components"]["schemas"]["QueryRequest"]["properties"]["flags"];
    let described = schema["anyOf"][0]["properties"].as_object().unwrap();
    let names = |flags: &Map<String, Value>| flags.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(described), names(flags.as_object().unwrap()));
}

/// Text of all source files in a folder.
fn sources(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| match path.extension() {
            None => sources(&path),
            Some(kind) if kind == "rs" => std::fs::read_to_string(&path).unwrap(),
            Some(_) => String::new(),
        })
        .collect()
}

#[test]
fn every_code_that_is_described_can_be_given() {
    let proxy = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = sources(&proxy.join("src"))
        + &["catalog", "engine", "sql"]
            .map(|folder| sources(&proxy.join("..").join(folder).join("src")))
            .concat();
    let mut unknown = BTreeSet::new();
    for (_, _, operation) in operations(&document()) {
        for told in operation["responses"].as_object().unwrap().values() {
            let codes =
                told["description"].as_str().and_then(|text| text.strip_prefix("A problem: "));
            let codes = codes.into_iter().flat_map(|codes| codes.trim_end_matches('.').split(", "));
            unknown.extend(
                codes.filter(|code| !sources.contains(&format!("\"{code}\""))).map(str::to_owned),
            );
        }
    }
    assert_eq!(unknown, BTreeSet::new(), "nothing gives these");
}

#[test]
fn every_member_of_a_problem_is_described() {
    let source = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let used: BTreeSet<&str> = source
        .split(".with(\"")
        .skip(1)
        .filter_map(|rest| rest.split_once("\",").map(|(name, _)| name))
        .collect();
    assert!(used.contains("pointer") && used.contains("retryable"), "{used:?}");
    let document = document();
    let described = document["components"]["schemas"]["Problem"]["properties"].as_object().unwrap();
    let missing: Vec<_> = used.iter().filter(|name| !described.contains_key(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

// Promise: http.described-routes
#[tokio::test]
async fn every_route_is_described_and_every_description_has_a_route() {
    let (_file, client) = client().await;
    let document = document();
    let shown = format!("{:?}", router(client.state.clone(), AllowedHosts::new(&[]), None));
    let quoted = shown.split('"').skip(1).step_by(2);
    let is_route = |text: &&str| text.starts_with("/api/v1/") && !text.contains("fallback");
    let known: BTreeSet<&str> = quoted.filter(is_route).collect();
    let paths = document["paths"].as_object().unwrap();
    let described: BTreeSet<&str> = paths.keys().map(String::as_str).collect();
    assert_eq!(described, known);
    for path in known {
        for method in METHODS {
            let request = Request::builder().method(method.to_uppercase().as_str());
            let request = request.uri(path.replace(['{', '}'], "")).body(Body::empty()).unwrap();
            let taken = client.send(request).await.status != 405;
            assert_eq!(taken, paths[path].get(method).is_some(), "{method} {path}");
        }
    }
}

#[test]
fn every_reference_leads_to_a_schema_and_every_schema_is_used() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let text = document.to_string();
    let referred: BTreeSet<&str> = text
        .split("#/components/schemas/")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    let known: BTreeSet<&str> = schemas.keys().map(String::as_str).collect();
    let unused: Vec<_> = known.difference(&referred).collect();
    assert!(referred.is_subset(&known), "{referred:?}");
    assert!(unused.is_empty(), "{unused:?}");
    for (path, method, told) in operations(&document) {
        let statuses = told["responses"].as_object().unwrap();
        assert!(statuses.keys().all(|status| status.parse::<u16>().is_ok()), "{method} {path}");
    }
}

/// Known fields of a request, parsed from the error message about an unknown field.
fn listed(detail: &str) -> Option<BTreeSet<String>> {
    let (_, expected) = detail.split_once("unknown field `nothing_known`, expected ")?;
    let names = expected.split('`').skip(1).step_by(2);
    Some(names.map(str::to_owned).collect())
}

#[tokio::test]
async fn bodies_have_the_fields_that_are_read() {
    let (_file, client) = client().await;
    let document = document();
    let mut compared = 0;
    for (path, method, told) in operations(&document) {
        let body = &told["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let Some(name) = body.as_str().and_then(|name| name.rsplit('/').next()) else { continue };
        let request = Request::builder()
            .method(method.to_uppercase().as_str())
            .uri(path.replace(['{', '}'], ""))
            .header("content-type", "application/json")
            .body(Body::from("{\"nothing_known\": 1}"))
            .unwrap();
        let answer = client.send(request).await.json();
        if name == "Memory" {
            continue;
        }
        let detail = answer["detail"].as_str().unwrap();
        let read = listed(detail).unwrap_or_else(|| panic!("{method} {path}: {detail}"));
        let properties = document["components"]["schemas"][name]["properties"].as_object().unwrap();
        let described: BTreeSet<String> = properties.keys().cloned().collect();
        assert_eq!(described, read, "{name}");
        compared += 1;
    }
    assert_eq!(compared, 11);
}

/// Asserts recursively that a value has only described fields and all required ones.
fn check(document: &Value, name: &str, value: &Value) {
    let schema = &document["components"]["schemas"][name];
    let properties = schema["properties"].as_object().unwrap();
    let fields: &Map<String, Value> = value.as_object().unwrap();
    for field in schema["required"].as_array().unwrap() {
        assert!(fields.contains_key(field.as_str().unwrap()), "{name} has no {field}: {value}");
    }
    for (field, inner) in fields {
        let told = properties.get(field).unwrap_or_else(|| panic!("{name}.{field} is not told"));
        let reference = |schema: &Value| {
            let path = schema["$ref"].as_str().or_else(|| schema["anyOf"][0]["$ref"].as_str());
            path.and_then(|path| path.rsplit('/').next()).map(str::to_owned)
        };
        if let (Some(name), false) = (reference(told), inner.is_null()) {
            check(document, &name, inner);
        }
        if let (Some(name), Some(list)) = (reference(&told["items"]), inner.as_array()) {
            for one in list {
                check(document, &name, one);
            }
        }
    }
}

#[tokio::test]
async fn answers_have_the_fields_that_are_described() {
    let (_file, client) = client().await;
    let document = document();
    let asked = client.ask("show me recent orders").await.ok(202);
    check(&document, "NeedsClarification", &asked);
    let question = &asked["questions"][0];
    let body = json!({ "clarification_id": asked["clarification_id"], "answers": [{
        "clarification_id": question["id"],
        "answer": { "type": "option", "option_id": question["options"][0]["id"] },
    }] });
    let answered = client.post("/api/v1/query/clarify", body.to_string()).await.ok(200);
    check(&document, "Ended", &answered);
    let mut other = body.clone();
    other["answers"][0]["answer"] = json!({ "type": "best_guess" });
    let problem = client.post("/api/v1/query/clarify", other.to_string()).await;
    let mut problem = problem.problem(409, "already_answered");
    problem.as_object_mut().unwrap().remove("question");
    check(&document, "Problem", &problem);
    for (path, name) in [
        ("history", "HistoryPage"),
        ("figures", "Figures"),
        ("health", "Health"),
        ("ready", "Ready"),
        ("catalog", "Knowledge"),
        ("memory", "Memory"),
        ("values?table=customers&column=name", "Values"),
        ("openapi.json", "OpenApi"),
    ] {
        check(&document, name, &client.get(&format!("/api/v1/{path}")).await.ok(200));
    }
    let sql = json!({ "sql": "SELECT name FROM customers" }).to_string();
    check(&document, "Checked", &client.post("/api/v1/sql/check", sql.clone()).await.ok(200));
    check(&document, "ResultSet", &client.post("/api/v1/sql/execute", sql).await.ok(200));
}

// Promise: http.sign-in-described
#[test]
fn the_document_says_how_to_sign_in_where_that_is_needed() {
    let schemes = &document()["components"]["securitySchemes"];
    assert_eq!(schemes["bearer"]["scheme"], "bearer");
    assert_eq!(schemes["sign_in"]["in"], "cookie");
    let open: Value = serde_json::from_slice(&openapi::document(true)).unwrap();
    assert!(open["components"].get("securitySchemes").is_none());
}

// Promise: http.events-described
#[test]
fn each_event_of_a_stream_has_its_schema() {
    let document = document();
    let events = &document["paths"]["/api/v1/query/{id}/events"]["get"]["responses"]["200"];
    let schema = &events["content"]["text/event-stream"]["schema"];
    let named: Vec<&Value> = schema["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| &event["properties"]["data"]["contentSchema"]["$ref"])
        .collect();
    assert_eq!(named.len(), 3, "{schema}");
    assert!(named.iter().all(|name| name.is_string()), "{schema}");
}

#[test]
fn the_document_is_valid() {
    let text = String::from_utf8(openapi::document(false).to_vec()).unwrap();
    let read: utoipa::openapi::OpenApi = serde_json::from_str(&text).unwrap();
    assert!(read.paths.paths.len() > 20);
}
