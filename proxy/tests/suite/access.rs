//! Authentication: no access without credentials, and only to data of one's own tenant.

use std::collections::BTreeSet;
use std::path::Path;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::future::join_all;
use serde_json::json;
use wherefore_proxy::access::keys::{digest, new_key};
use wherefore_proxy::config::{LimitOptions, Tenant};
use wherefore_proxy::hosts::AllowedHosts;
use wherefore_proxy::router::router;
use wherefore_proxy::store::NewKey;

use crate::support::client::Answer;
use crate::support::serving::run;
use crate::support::{Client, SHOP, Serving, SqliteFile, config, fill};

/// Public paths.
const PUBLIC: [&str; 5] =
    ["/api/v1/health", "/api/v1/openapi.json", "/api/v1/ready", "/sign-in", "/sign-in.css"];

async fn client(shop: &SqliteFile) -> Client {
    Client::start(&shop.config(&["--auth", "keys"])).await
}

/// Makes a key for a user of a tenant.
async fn key_of(
    client: &Client,
    tenant: &str,
    user: &str,
    expires_at: Option<i64>,
) -> (String, String) {
    let key = new_key().unwrap();
    let kept = NewKey {
        hash: digest(&key).to_vec(),
        tenant: tenant.to_owned(),
        user: Some(user.to_owned()),
        name: String::new(),
        expires_at,
    };
    let id = client.state.store.add_key(kept).await.unwrap();
    (key, id)
}

/// Client of a proxy with these tenants and their databases.
async fn of_tenants(folder: &SqliteFile, tenants: &[(&str, &Path)]) -> Client {
    let mut options = config(folder.folder.path(), &["--auth", "keys"]);
    options.tenants = tenants
        .iter()
        .map(|(name, path)| Tenant {
            name: (*name).to_owned(),
            database: Some(path.to_str().unwrap().parse().unwrap()),
            database_env: None,
            database_file: None,
            catalog: None,
            pack: None,
            lessons: None,
        })
        .collect();
    options.limits = LimitOptions {
        questions_per_minute: Some(0),
        running_queries: Some(0),
        ..LimitOptions::default()
    };
    Client::start(&options).await
}

async fn with(
    client: &Client,
    authorization: &str,
    method: &str,
    path: &str,
    body: &str,
) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::AUTHORIZATION, authorization)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_owned()))
        .unwrap();
    client.send(request).await
}

/// All paths of the router, from its debug output.
fn paths(router: &axum::Router) -> BTreeSet<String> {
    let shown = format!("{router:?}");
    let quoted = shown.split('"').skip(1).step_by(2);
    quoted.filter(|text| text.starts_with('/')).map(str::to_owned).collect()
}

#[tokio::test]
async fn every_route_but_the_public_ones_wants_credentials() {
    let shop = SqliteFile::new(SHOP);
    let client = client(&shop).await;
    let known = paths(&router(client.state.clone(), AllowedHosts::new(&[]), None));
    for path in ["/api/v1/query", "/api/v1/catalog", "/api/v1/metrics", "/api/v1/memory/{person}"] {
        assert!(known.contains(path), "{path} is missing in {known:?}");
    }
    let public: BTreeSet<String> = PUBLIC.map(str::to_owned).into();
    assert!(public.is_subset(&known), "{known:?}");
    let unknown = ["/", "/api/v1/nothing", "/index.html", "/api/v1/health/", "/sign-in/x"];
    for path in known.difference(&public).map(String::as_str).chain(unknown) {
        for method in ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"] {
            let request = Request::builder().method(method).uri(path.replace(['{', '}'], ""));
            let answer = client.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method} {path}");
            if method != "HEAD" {
                answer.problem(401, "not_signed_in");
                assert_eq!(answer.headers[header::WWW_AUTHENTICATE], "Bearer");
            }
        }
    }
    for path in PUBLIC {
        assert_eq!(client.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn readiness_names_its_parts_to_those_who_signed_in() {
    let shop = SqliteFile::new(SHOP);
    let client = client(&shop).await;
    let outside = client.get("/api/v1/ready").await.ok(200);
    assert_eq!(outside, json!({ "status": "ok" }));
    let (key, _) = key_of(&client, "default", "ann", None).await;
    let inside = with(&client, &format!("Bearer {key}"), "GET", "/api/v1/ready", "").await.ok(200);
    let names: Vec<&str> = inside["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["database", "store", "model", "sign_in", "catalog"]);
}

#[tokio::test]
async fn only_a_key_in_force_opens() {
    let shop = SqliteFile::new(SHOP);
    let client = client(&shop).await;
    let (key, id) = key_of(&client, "default", "ann", None).await;
    let (expired, _) = key_of(&client, "default", "ann", Some(1)).await;
    let catalog = async |authorization: &str| {
        with(&client, authorization, "GET", "/api/v1/catalog", "").await
    };
    catalog(&format!("Bearer {key}")).await.ok(200);
    catalog(&format!("bearer {key}")).await.ok(200);
    let unknown = new_key().unwrap();
    let (upper, basic) = (format!("Bearer {}", key.to_uppercase()), format!("Basic {key}"));
    let longer = format!("Bearer {key}x");
    for wrong in [
        "Bearer",
        "Bearer ",
        &key,
        &upper,
        &basic,
        &longer,
        &format!("Bearer {unknown}"),
        &format!("Bearer {expired}"),
        &format!("Bearer {id}"),
        "Bearer ' OR 1=1 --",
    ] {
        catalog(wrong).await.problem(401, "not_signed_in");
    }
    assert!(client.state.store.revoke_key(&id).await.unwrap());
    catalog(&format!("Bearer {key}")).await.problem(401, "not_signed_in");
}

#[tokio::test]
async fn a_key_opens_the_data_of_its_tenant_alone() {
    let shop = SqliteFile::new(SHOP);
    let other = shop.folder.path().join("other.sqlite");
    fill(
        &other,
        "CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO planets VALUES (1, 'Mars');",
    );
    let client = of_tenants(&shop, &[("shop", &shop.path), ("sky", &other)]).await;
    let (shop_key, _) = key_of(&client, "shop", "ann", None).await;
    let (sky_key, _) = key_of(&client, "sky", "ann", None).await;
    let (lost_key, _) = key_of(&client, "sea", "ann", None).await;
    let ask = async |key: &str, sql: &str| {
        let body = json!({ "sql": sql }).to_string();
        with(&client, &format!("Bearer {key}"), "POST", "/api/v1/sql/execute", &body).await
    };
    ask(&shop_key, "SELECT id FROM customers").await.ok(200);
    ask(&sky_key, "SELECT id FROM planets").await.ok(200);
    ask(&shop_key, "SELECT id FROM planets").await.problem(422, "statement_refused");
    ask(&sky_key, "SELECT id FROM customers").await.problem(422, "statement_refused");
    ask(&lost_key, "SELECT id FROM planets").await.problem(403, "unknown_tenant");
    let catalog = with(&client, &format!("Bearer {sky_key}"), "GET", "/api/v1/catalog", "").await;
    assert!(!catalog.text.contains("customers") && catalog.text.contains("planets"));
    // A clarification of one tenant cannot be answered by another, even with its id.
    let body = json!({ "question": "show me recent orders", "today": "2024-04-01" }).to_string();
    let asked =
        with(&client, &format!("Bearer {shop_key}"), "POST", "/api/v1/query", &body).await.ok(202);
    let answer =
        json!({ "clarification_id": asked["clarification_id"], "answers": [] }).to_string();
    let path = "/api/v1/query/clarify";
    with(&client, &format!("Bearer {sky_key}"), "POST", path, &answer)
        .await
        .problem(404, "unknown_clarification");
    with(&client, &format!("Bearer {shop_key}"), "POST", path, &answer)
        .await
        .problem(422, "no_answers");
}

#[tokio::test]
async fn a_user_asks_within_the_limits() {
    let shop = SqliteFile::new(SHOP);
    let client =
        Client::start(&shop.config(&["--auth", "keys", "--questions-per-minute", "2"])).await;
    let (ann, _) = key_of(&client, "default", "ann", None).await;
    let (ben, _) = key_of(&client, "default", "ben", None).await;
    let ask = async |key: &str| {
        let body = json!({ "question": "how many customers", "today": "2024-04-01" }).to_string();
        with(&client, &format!("Bearer {key}"), "POST", "/api/v1/query", &body).await
    };
    ask(&ann).await.ok(200);
    ask(&ann).await.ok(200);
    let refused = ask(&ann).await;
    refused.problem(429, "too_many_questions");
    let wait: u64 = refused.headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((1..=31).contains(&wait), "{wait}");
    ask(&ben).await.ok(200);
}

// Promise: security.tenants
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tenants_at_once_never_see_each_other() {
    let folder = SqliteFile::new("");
    let names = ["north", "south"];
    let paths = names.map(|name| {
        let path = folder.folder.path().join(format!("{name}.sqlite"));
        fill(
            &path,
            &format!(
                "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
                 INSERT INTO people VALUES (1, 'secret of {name}');"
            ),
        );
        path
    });
    let client = of_tenants(&folder, &[("north", &paths[0]), ("south", &paths[1])]).await;
    let keys = [
        key_of(&client, "north", "ann", None).await.0,
        key_of(&client, "south", "ann", None).await.0,
    ];
    let question = json!({ "question": "list people", "today": "2024-04-01" }).to_string();
    let statement = json!({ "sql": "SELECT name FROM people" }).to_string();
    let requests = (0..200).map(|count| {
        let (client, own) = (client.clone(), count % 2);
        let (question, statement) = (question.clone(), statement.clone());
        let authorization = format!("Bearer {}", keys[own]);
        tokio::spawn(async move {
            let (method, path, body) = match count / 2 % 4 {
                0 => ("POST", "/api/v1/sql/execute", statement),
                1 => {
                    ("GET", "/api/v1/values?table=people&column=name&search=secret", String::new())
                }
                2 => ("GET", "/api/v1/catalog", String::new()),
                _ => ("POST", "/api/v1/query", question),
            };
            let answer = with(&client, &authorization, method, path, &body).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text);
            let (own, other) = (names[own], names[1 - own]);
            assert!(answer.text.contains(&format!("secret of {own}")), "{path}: {}", answer.text);
            assert!(
                !answer.text.contains(&format!("secret of {other}")),
                "{path}: {}",
                answer.text
            );
        })
    });
    for request in join_all(requests).await {
        request.unwrap();
    }
}

// Promise: memory.personal
#[tokio::test]
async fn a_user_has_a_memory_that_no_other_reaches() {
    let shop = SqliteFile::new(SHOP);
    let client = client(&shop).await;
    let (ann, _) = key_of(&client, "default", "ann", None).await;
    let (ben, _) = key_of(&client, "default", "ben", None).await;
    let memory = json!({ "version": 1, "patterns": [{
        "id": "m_0000000000000001", "scope": "person", "ambiguity": "vague_term", "phrase": "recent",
        "answer": { "type": "option", "option_id": "90_days" }, "meaning": "last 90 days",
        "context": ["order", "recent"], "frequency": 1, "fixed": true, "last_used": "2024-01-01",
    }] });
    let path = "/api/v1/memory/me";
    with(&client, &format!("Bearer {ann}"), "PUT", path, &memory.to_string()).await.ok(200);
    let of = async |key: &str| {
        let answer = with(&client, &format!("Bearer {key}"), "GET", path, "").await.ok(200);
        answer["patterns"].as_array().unwrap().len()
    };
    assert_eq!((of(&ann).await, of(&ben).await), (1, 0));
    with(&client, &format!("Bearer {ben}"), "DELETE", path, "").await;
    assert_eq!(of(&ann).await, 1);
    for other in
        ["/api/v1/memory/default-ann-ann-ann", "/api/v1/history?person=default-ann-ann-ann"]
    {
        let answer = with(&client, &format!("Bearer {ben}"), "GET", other, "").await;
        answer.problem(403, "other_person");
    }
}

// Promise: security.guessed-keys
#[test]
fn keys_that_are_guessed_have_to_pause() {
    let shop = SqliteFile::new(SHOP);
    let (store, database) = (shop.folder.path().join("store.sqlite"), shop.path.to_str().unwrap());
    let store = store.to_str().unwrap();
    let added = run(&["key", "add", "--user", "ann", "--store", store]);
    let key = String::from_utf8(added.stdout).unwrap().lines().next().unwrap().to_owned();
    let options = ["--database", database, "--store", store, "--auth", "keys"];
    let program = Serving::start(shop.folder.path(), &options);
    let get = |path: &str, key: &str| {
        program.call("GET", path, &[&format!("Authorization: Bearer {key}")], "")
    };
    let told: Vec<u16> =
        (0..15).map(|_| get("/api/v1/catalog", &new_key().unwrap()).status).collect();
    assert_eq!(told[..10], [401; 10], "{told:?}");
    assert_eq!(told[10..], [429; 5], "{told:?}");
    // Whether a key is valid also shows in what `ready` lists.
    for path in ["/api/v1/catalog", "/api/v1/ready", "/mcp"] {
        let paused = get(path, &new_key().unwrap());
        assert_eq!(paused.status, 429, "{path}: {paused:?}");
        assert!(paused.text.contains("too_many_sign_ins"), "{paused:?}");
        let wait = paused.header("retry-after").and_then(|wait| wait.parse::<u64>().ok());
        assert!(wait.is_some_and(|wait| (1..=60).contains(&wait)), "{paused:?}");
    }
    assert_eq!(get("/api/v1/catalog", &key).status, 200, "a valid key opens all the same");
    assert_eq!(get("/api/v1/health", &new_key().unwrap()).status, 200);
    assert_eq!(program.call("GET", "/api/v1/catalog", &[], "").status, 401, "no key is no guess");
}
