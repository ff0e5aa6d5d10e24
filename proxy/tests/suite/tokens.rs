//! JSON Web Tokens: which are accepted and which are not.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::tokens::token;
use crate::support::{Client, SHOP, SqliteFile};

const KEYS: &str = include_str!("data/keys.json");

async fn client(shop: &SqliteFile) -> (Client, std::path::PathBuf) {
    let jwks = shop.file("keys.json", KEYS);
    let options = [
        "--auth",
        "jwt",
        "--jwks",
        jwks.to_str().unwrap(),
        "--jwt-issuer",
        "https://id.example",
        "--jwt-audience",
        "wherefore",
    ];
    (Client::start(&shop.config(&options)).await, jwks)
}

async fn catalog(client: &Client, token: &str) -> Answer {
    let request =
        Request::get("/api/v1/catalog").header(header::AUTHORIZATION, format!("Bearer {token}"));
    client.send(request.body(Body::empty()).unwrap()).await
}

fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

fn claims() -> Value {
    json!({ "sub": "ann", "iss": "https://id.example", "aud": "wherefore", "exp": now() + 300 })
}

/// The claims with one of them changed, or removed by `null`.
fn but(claim: &str, value: Value) -> Value {
    let mut claims = claims();
    if value.is_null() {
        claims.as_object_mut().unwrap().remove(claim);
    } else {
        claims[claim] = value;
    }
    claims
}

#[tokio::test]
async fn tokens_of_the_issuer_are_taken() {
    let shop = SqliteFile::new(SHOP);
    let (client, _) = client(&shop).await;
    for (algorithm, id) in [("RS256", "rsa"), ("ES256", "ec"), ("EdDSA", "ed")] {
        let header = json!({ "alg": algorithm, "kid": id, "typ": "JWT" });
        catalog(&client, &token(&header, &claims(), algorithm)).await.ok(200);
        let several = but("aud", json!(["other", "wherefore"]));
        catalog(&client, &token(&header, &several, algorithm)).await.ok(200);
        let of_tenant = but("tenant", json!("default"));
        catalog(&client, &token(&header, &of_tenant, algorithm)).await.ok(200);
        let of_other = but("tenant", json!("elsewhere"));
        catalog(&client, &token(&header, &of_other, algorithm))
            .await
            .problem(403, "unknown_tenant");
    }
}

#[tokio::test]
async fn tokens_with_anything_wrong_are_refused() {
    let shop = SqliteFile::new(SHOP);
    let (client, _) = client(&shop).await;
    let header = json!({ "alg": "ES256", "kid": "ec" });
    let good = token(&header, &claims(), "ES256");
    let mut wrong = vec![
        ("expired", token(&header, &but("exp", json!(now() - 120)), "ES256")),
        ("no expiry", token(&header, &but("exp", Value::Null), "ES256")),
        ("expiry as text", token(&header, &but("exp", json!("tomorrow")), "ES256")),
        ("not yet", token(&header, &but("nbf", json!(now() + 120)), "ES256")),
        ("not before as text", token(&header, &but("nbf", json!("yesterday")), "ES256")),
        ("other audience", token(&header, &but("aud", json!("other")), "ES256")),
        ("no audience", token(&header, &but("aud", Value::Null), "ES256")),
        ("other issuer", token(&header, &but("iss", json!("https://evil.example")), "ES256")),
        ("no issuer", token(&header, &but("iss", Value::Null), "ES256")),
        ("no user", token(&header, &but("sub", Value::Null), "ES256")),
        ("empty user", token(&header, &but("sub", json!("")), "ES256")),
        ("user as number", token(&header, &but("sub", json!(1)), "ES256")),
        ("line break in the user", token(&header, &but("sub", json!("a\nb")), "ES256")),
        ("tenant as list", token(&header, &but("tenant", json!(["default"])), "ES256")),
        ("unknown key", token(&json!({ "alg": "ES256", "kid": "other" }), &claims(), "ES256")),
        ("no key named", token(&json!({ "alg": "ES256" }), &claims(), "ES256")),
        (
            "key of another algorithm",
            token(&json!({ "alg": "ES256", "kid": "rsa" }), &claims(), "ES256"),
        ),
        (
            "signed by another key",
            token(&json!({ "alg": "RS256", "kid": "rsa" }), &claims(), "ES256"),
        ),
        (
            "key for encryption",
            token(&json!({ "alg": "ES256", "kid": "for-secrets" }), &claims(), "ES256"),
        ),
        ("shared secret", token(&json!({ "alg": "HS256", "kid": "shared" }), &claims(), "HS256")),
        (
            "public key as a secret",
            token(&json!({ "alg": "HS256", "kid": "rsa" }), &claims(), "HS256"),
        ),
        ("unsigned", token(&json!({ "alg": "none", "kid": "ec" }), &claims(), "none")),
        ("unsigned, without a key", token(&json!({ "alg": "none" }), &claims(), "none")),
        (
            "critical header",
            token(&json!({ "alg": "ES256", "kid": "ec", "crit": ["b64"] }), &claims(), "ES256"),
        ),
        ("no signature", format!("{}.", good.rsplit_once('.').unwrap().0)),
        ("other claims", {
            let other = token(&header, &but("sub", json!("ben")), "ES256");
            let parts: Vec<&str> = good.split('.').collect();
            format!("{}.{}.{}", parts[0], other.split('.').nth(1).unwrap(), parts[2])
        }),
        ("no token", "a.b.c".to_owned()),
    ];
    wrong.push(("too long", token(&header, &but("padding", json!("x".repeat(9_000))), "ES256")));
    for (reason, token) in wrong {
        let answer = catalog(&client, &token).await;
        assert_eq!(answer.status, 401, "{reason}");
        answer.problem(401, "not_signed_in");
    }
    catalog(&client, &good).await.ok(200);
}

#[tokio::test]
async fn the_key_set_is_read_again_when_it_changes() {
    let shop = SqliteFile::new(SHOP);
    let (client, jwks) = client(&shop).await;
    let of = |id: &str, algorithm: &str| {
        token(&json!({ "alg": algorithm, "kid": id }), &claims(), algorithm)
    };
    catalog(&client, &of("ec", "ES256")).await.ok(200);
    let mut set: Value = serde_json::from_str(KEYS).unwrap();
    set["keys"].as_array_mut().unwrap().retain(|key| key["kid"] == "ed");
    std::fs::write(&jwks, set.to_string()).unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    catalog(&client, &of("ec", "ES256")).await.problem(401, "not_signed_in");
    catalog(&client, &of("ed", "EdDSA")).await.ok(200);
    // If there is only one key, tokens need no key id.
    let header = json!({ "alg": "EdDSA" });
    catalog(&client, &token(&header, &claims(), "EdDSA")).await.ok(200);
    std::fs::write(&jwks, "{").unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    catalog(&client, &of("ed", "EdDSA")).await.ok(200);
    assert_eq!(client.get("/api/v1/ready").await.status, 503, "it is told that the keys are old");
}
