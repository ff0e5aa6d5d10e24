//! Description of the HTTP API as an `OpenAPI` document, generated from `routes.toml`, `schemas.toml` and `types.toml`.

mod fields;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::body::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use fields::{Fields, Types, reference};

const ROUTES: &str = include_str!("routes.toml");
const SCHEMAS: &str = include_str!("schemas.toml");
/// Name of the cookie of a sign-in on this machine.
const COOKIE: &str = "wherefore";

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
    /// Whether it needs no credentials.
    #[serde(default)]
    public: bool,
    #[serde(default)]
    body: Option<String>,
    /// Types of the parameters in the path that are not plain strings.
    #[serde(default)]
    segments: Fields,
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
///
/// It names the ways to sign in unless authentication is turned off.
pub fn document(is_open: bool) -> Bytes {
    static OPEN: LazyLock<Bytes> = LazyLock::new(|| text(true));
    static CLOSED: LazyLock<Bytes> = LazyLock::new(|| text(false));
    if is_open { OPEN.clone() } else { CLOSED.clone() }
}

fn text(is_open: bool) -> Bytes {
    match made(is_open).and_then(|made| Ok(serde_json::to_string_pretty(&made)?)) {
        Ok(text) => (text + "\n").into(),
        Err(error) => {
            tracing::error!(%error, "openapi.json is not made");
            Bytes::new()
        }
    }
}

fn made(is_open: bool) -> Result<Value, Box<dyn std::error::Error>> {
    let Described { problems, routes } = toml::from_str(ROUTES)?;
    let schemas: BTreeMap<String, Fields> = toml::from_str(SCHEMAS)?;
    let types = Types::read()?;
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for route in &routes {
        let path = format!("/api/v1{}", route.path);
        let mut operation = operation(route, &problems, &types);
        if route.public && !is_open {
            operation["security"] = json!([]);
        }
        paths.entry(path).or_default().insert(route.method.clone(), operation);
    }
    let mut schemas: BTreeMap<String, Value> =
        schemas.into_iter().map(|(name, fields)| (name, types.object(&fields))).collect();
    for body in routes.iter().filter_map(|route| route.body.as_ref()) {
        if let Some(schema) = schemas.get_mut(body) {
            // Unknown fields of requests are refused.
            schema["additionalProperties"] = json!(false);
        }
    }
    for (name, members) in &types.merged {
        let schema = schemas.get_mut(name).and_then(Value::as_object_mut);
        schema.ok_or_else(|| format!("there is no schema {name}"))?.extend(members.clone());
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Wherefore",
            "description": "Ask a database in plain words; it asks back instead of guessing.",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "paths": paths,
        "components": { "schemas": schemas },
    });
    if !is_open {
        document["components"]["securitySchemes"] = json!({
            "bearer": {
                "type": "http", "scheme": "bearer",
                "description": "An API key (`--auth keys`) or a token of an issuer (`--auth jwt`).",
            },
            "sign_in": {
                "type": "apiKey", "in": "cookie", "name": COOKIE,
                "description": "The sign-in of a browser with an API key (`--auth keys`); `__Host-wherefore` beyond localhost.",
            },
        });
        document["security"] = json!([{ "bearer": [] }, { "sign_in": [] }]);
    }
    Ok(document)
}

fn operation(route: &Route, sets: &BTreeMap<String, Vec<String>>, types: &Types) -> Value {
    let in_path = route.path.split('/').filter_map(|part| {
        let name = part.strip_prefix('{')?.strip_suffix('}')?;
        let told = route.segments.get(name).map_or("string", String::as_str);
        Some(types.parameter("path", name, told))
    });
    let parameters = |place: &'static str, fields: &Fields| -> Vec<Value> {
        fields.iter().map(|(name, told)| types.parameter(place, name, told)).collect()
    };
    let parameters: Vec<Value> = in_path
        .chain(parameters("query", &route.query))
        .chain(parameters("header", &route.headers))
        .collect();
    let mut responses: BTreeMap<String, Value> =
        route.answers.iter().map(|(status, content)| (status.clone(), answer(content))).collect();
    for (status, codes) in problems(route, sets) {
        let description = format!("A problem: {}.", codes.join(", "));
        let problem = json!({ "description": description, "content": { "application/problem+json": { "schema": reference("Problem") } } });
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
            "content": { "application/json": { "schema": types.body(body) } },
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

/// A response: alternatives separated by ` | `, each a schema or a content type. A stream of events has a schema for
/// each event after its content type. An empty text is a response without content.
fn answer(told: &str) -> Value {
    if told.is_empty() {
        return json!({ "description": "Done." });
    }
    let mut content = Map::new();
    for one in told.split(" | ") {
        let (kind, described) = match one.split_once(": ") {
            Some((kind, events)) => (kind, stream(events)),
            None if one.contains('/') => (one, json!({ "schema": { "type": "string" } })),
            None => ("application/json", json!({ "schema": reference(one) })),
        };
        content.insert(kind.to_owned(), described);
    }
    let description = if told.contains('/') { "In the accepted content type." } else { told };
    json!({ "description": description, "content": content })
}

/// A stream of server-sent events: the name of each event and the schema of its data, which is JSON. The schema is that
/// of one event.
fn stream(events: &str) -> Value {
    let event = |(name, schema): (&str, &str)| {
        let data = json!({
            "type": "string", "contentMediaType": "application/json",
            "contentSchema": reference(schema),
        });
        json!({
            "type": "object",
            "properties": { "event": { "type": "string", "enum": [name] }, "id": { "type": "string" }, "data": data },
            "required": ["event", "data"],
        })
    };
    let events = events.split(", ").filter_map(|event| event.split_once(' '));
    json!({ "schema": { "oneOf": events.map(event).collect::<Vec<_>>() } })
}
