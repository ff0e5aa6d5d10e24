//! Description of the HTTP API as an `OpenAPI` document, generated from `routes.toml` and `schemas.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::body::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

const ROUTES: &str = include_str!("routes.toml");
const SCHEMAS: &str = include_str!("schemas.toml");

/// Fields by name, each as `type: description`.
type Fields = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    /// Named sets of problems, each as `status code`.
    problems: BTreeMap<String, Vec<String>>,
    routes: Vec<Route>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Route {
    path: String,
    method: String,
    summary: String,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    query: Fields,
    #[serde(default)]
    headers: Fields,
    answers: BTreeMap<String, String>,
    #[serde(default)]
    sets: Vec<String>,
    #[serde(default)]
    problems: Vec<String>,
}

/// The document as JSON text with a trailing newline; empty if its sources cannot be parsed, which a test rules out.
pub fn document() -> Bytes {
    static TEXT: LazyLock<Bytes> =
        LazyLock::new(|| match made().and_then(|made| Ok(serde_json::to_string_pretty(&made)?)) {
            Ok(text) => (text + "\n").into(),
            Err(error) => {
                tracing::error!(%error, "openapi.json is not made");
                Bytes::new()
            }
        });
    TEXT.clone()
}

fn made() -> Result<Value, Box<dyn std::error::Error>> {
    let Described { problems, routes } = toml::from_str(ROUTES)?;
    let schemas: BTreeMap<String, Fields> = toml::from_str(SCHEMAS)?;
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for route in &routes {
        let path = format!("/api/v1{}", route.path);
        paths.entry(path).or_default().insert(route.method.clone(), operation(route, &problems));
    }
    let schemas: BTreeMap<String, Value> =
        schemas.into_iter().map(|(name, fields)| (name, object(&fields))).collect();
    Ok(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Wherefore",
            "description": "Ask a database in plain words; it asks back instead of guessing.",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "paths": paths,
        "components": { "schemas": schemas },
    }))
}

fn operation(route: &Route, sets: &BTreeMap<String, Vec<String>>) -> Value {
    let in_path = route.path.split('/').filter_map(|part| {
        let name = part.strip_prefix('{')?.strip_suffix('}')?;
        Some(
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }),
        )
    });
    let parameter = |place: &'static str| {
        move |(name, told): (&String, &String)| {
            let (schema, required, sentence) = read(told);
            json!({
                "name": name, "in": place, "required": required, "schema": schema,
                "description": sentence,
            })
        }
    };
    let in_query = route.query.iter().map(parameter("query"));
    let parameters: Vec<Value> =
        in_path.chain(in_query).chain(route.headers.iter().map(parameter("header"))).collect();
    let mut responses: BTreeMap<String, Value> =
        route.answers.iter().map(|(status, content)| (status.clone(), answer(content))).collect();
    for (status, codes) in problems(route, sets) {
        let description = format!("A problem: {}.", codes.join(", "));
        let schema = json!({ "$ref": "#/components/schemas/Problem" });
        let problem = json!({ "description": description, "content": { "application/problem+json": { "schema": schema } } });
        // A status that already has a response keeps it, and gains the problem document as another content type.
        let told = responses.entry(status).or_insert_with(|| problem.clone());
        told["content"]["application/problem+json"] =
            problem["content"]["application/problem+json"].clone();
        told["description"] = json!(description);
    }
    let mut operation =
        json!({ "summary": route.summary, "parameters": parameters, "responses": responses });
    if let Some(body) = &route.body {
        operation["requestBody"] = json!({
            "required": true,
            "content": { "application/json": { "schema": reference(body) } },
        });
    }
    operation
}

/// Codes by status: of the route, of its sets, and of all routes.
fn problems(route: &Route, sets: &BTreeMap<String, Vec<String>>) -> BTreeMap<String, Vec<String>> {
    let named = route.sets.iter().map(String::as_str).chain(["always"]);
    let of_sets = named.filter_map(|name| sets.get(name)).flatten();
    let mut codes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (status, code) in
        route.problems.iter().chain(of_sets).filter_map(|problem| problem.split_once(' '))
    {
        codes.entry(status.to_owned()).or_default().push(code.to_owned());
    }
    for codes in codes.values_mut() {
        codes.sort();
        codes.dedup();
    }
    codes
}

/// A response with a schema, with a content type, or without content.
fn answer(content: &str) -> Value {
    match content {
        "" => json!({ "description": "Done." }),
        kind if kind.contains('/') => json!({
            "description": "As text.",
            "content": { kind: { "schema": { "type": "string" } } },
        }),
        name => json!({
            "description": name,
            "content": { "application/json": { "schema": reference(name) } },
        }),
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn object(fields: &Fields) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, told) in fields {
        let (mut schema, always, sentence) = read(told);
        schema["description"] = json!(sentence);
        properties.insert(name.clone(), schema);
        if always {
            required.push(name);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

/// Schema of a field, whether it is required, and its description.
fn read(told: &str) -> (Value, bool, &str) {
    let (kind, sentence) = told.split_once(": ").unwrap_or((told, ""));
    let (kind, always) = kind.strip_suffix('?').map_or((kind, true), |kind| (kind, false));
    let (kind, is_list) = kind.strip_suffix("[]").map_or((kind, false), |kind| (kind, true));
    let nullable = !always && !is_list;
    let single = match kind.strip_prefix('#') {
        Some(name) if nullable => json!({ "anyOf": [reference(name), { "type": "null" }] }),
        Some(name) => reference(name),
        None if kind == "any" => json!({}),
        None if nullable => json!({ "type": [kind, "null"] }),
        None => json!({ "type": kind }),
    };
    let schema = if is_list { json!({ "type": "array", "items": single }) } else { single };
    (schema, always, sentence)
}
