//! Proxies with rights of each caller.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};
use tempfile::TempDir;
use wherefore_proxy::config::Config;
use wherefore_proxy::startup::start;

use super::client::Answer;
use super::tokens::token;
use super::{Client, Cluster, config};

const KEYS: &str = include_str!("../data/keys.json");

/// A proxy that gives each caller the rights of its token.
pub struct Restricted {
    pub client: Client,
    _folder: TempDir,
}

/// Options of a proxy on a database, with these rights.
pub fn configured(folder: &TempDir, url: &str, rights: &str, more: &[&str]) -> Config {
    let jwks = folder.path().join("keys.json");
    std::fs::write(&jwks, KEYS).unwrap();
    let mut options = vec!["--database", url, "--auth", "jwt", "--jwks", jwks.to_str().unwrap()];
    options.extend(["--jwt-issuer", "https://id.example", "--jwt-audience", "wherefore"]);
    options.extend(more);
    let mut config = config(folder.path(), &options);
    config.rights = Some(toml::from_str(rights).unwrap());
    config
}

impl Restricted {
    /// A proxy whose files are in a folder.
    pub fn new(client: Client, folder: TempDir) -> Self {
        Self { client, _folder: folder }
    }

    pub async fn start(cluster: &Cluster, rights: &str, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = configured(&folder, &cluster.url("asker"), rights, more);
        Self::new(Client::start(&config).await, folder)
    }

    pub async fn send(&self, bearer: &str, method: &str, path: &str, body: &Value) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/v1/{path}"))
            .header(header::AUTHORIZATION, format!("Bearer {bearer}"))
            .header(header::CONTENT_TYPE, "application/json");
        let body = if body.is_null() { Body::empty() } else { body.to_string().into() };
        self.client.send(request.body(body).unwrap()).await
    }

    pub async fn get(&self, bearer: &str, path: &str) -> Answer {
        self.send(bearer, "GET", path, &Value::Null).await
    }

    pub async fn execute(&self, bearer: &str, sql: &str) -> Answer {
        self.send(bearer, "POST", "sql/execute", &json!({ "sql": sql })).await
    }

    pub async fn ask(&self, bearer: &str, question: &str) -> Answer {
        let body = json!({ "question": question, "today": "2024-04-01" });
        self.send(bearer, "POST", "query", &body).await
    }
}

/// A token of one user with these claims besides the required ones.
pub fn bearer(more: &Value) -> String {
    let expires = jiff::Timestamp::now().as_second() + 300;
    let mut claims = json!({
        "sub": "ann", "iss": "https://id.example", "aud": "wherefore", "exp": expires,
    });
    claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    token(&json!({ "alg": "ES256", "kid": "ec" }), &claims, "ES256")
}

/// A token with a region.
pub fn of_region(region: &str) -> String {
    bearer(&json!({ "region": region }))
}

/// Rows of an answer whose status is 200.
pub fn rows(answer: &Answer) -> Vec<Value> {
    let json = answer.ok(200);
    let result = if json["rows"].is_array() { &json } else { &json["view"]["result"] };
    result["rows"].as_array().unwrap_or_else(|| panic!("{json}")).clone()
}

/// Reason why a proxy with these options does not start.
pub async fn refusal(config: &Config) -> String {
    match start(config).await {
        Ok(_) => panic!("it started"),
        Err(error) => error.to_string(),
    }
}
