//! Requests of pages of other origins over sockets: which are accepted, and who may read the response.

use crate::support::{Heard, SHOP, Serving, SqliteFile};

const LISTED: &str = "https://chat.example";

fn program(shop: &SqliteFile) -> Serving {
    let database = shop.path.to_str().unwrap();
    let options = [
        "--database",
        database,
        "--allow-origin",
        LISTED,
        "--allow-origin",
        "http://localhost:3000",
    ];
    Serving::start(shop.folder.path(), &options)
}

#[test]
fn only_listed_origins_may_read_answers() {
    let shop = SqliteFile::new(SHOP);
    let program = program(&shop);
    for (origin, expected) in [
        (LISTED, true),
        ("http://localhost:3000", true),
        ("https://CHAT.example", false),
        ("http://chat.example", false),
        ("https://chat.example:8443", false),
        ("https://chat.example.evil", false),
        ("https://evil-chat.example", false),
        ("https://evil.example", false),
        ("null", false),
        ("*", false),
    ] {
        let sent = format!("Origin: {origin}");
        let simple = program.call("GET", "/api/v1/health", &[&sent], "");
        let asked = [
            sent.as_str(),
            "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: content-type",
        ];
        let preflight = program.call("OPTIONS", "/api/v1/query", &asked, "");
        for heard in [&simple, &preflight] {
            let allowed = heard.header("access-control-allow-origin");
            assert_eq!(allowed, expected.then_some(origin), "{origin}: {heard:?}");
            let credentials = heard.header("access-control-allow-credentials");
            assert_eq!(credentials, expected.then_some("true"), "{origin}: {heard:?}");
            let vary = heard.header("vary").unwrap_or_default().to_lowercase();
            assert!(vary.contains("origin"), "{origin}: {heard:?}");
        }
        assert_eq!(simple.status, 200);
    }
}

#[test]
fn without_a_list_nobody_elsewhere_may_read_answers() {
    let shop = SqliteFile::new(SHOP);
    let program = Serving::start(shop.folder.path(), &["--database", shop.path.to_str().unwrap()]);
    let heard = program.call("GET", "/api/v1/health", &["Origin: https://chat.example"], "");
    assert!(!heard.text.to_lowercase().contains("access-control"), "{heard:?}");
    let asked = ["Origin: https://chat.example", "Access-Control-Request-Method: POST"];
    let preflight = program.call("OPTIONS", "/api/v1/query", &asked, "");
    assert_eq!(preflight.status, 405);
}

#[test]
fn writing_requests_of_other_sites_are_refused() {
    let shop = SqliteFile::new(SHOP);
    let program = program(&shop);
    let own = format!("http://{}", program.address);
    let json = "Content-Type: application/json";
    let send = |kind: &str, headers: &[&str]| -> Heard {
        let body = "{\"question\": \"how many customers\"}";
        program.call("POST", "/api/v1/query", &[&[kind], headers].concat(), body)
    };
    let origin = |origin: &str| format!("Origin: {origin}");
    let (own, listed, other) = (origin(&own), origin(LISTED), origin("https://evil.example"));
    let (same, cross, sibling) =
        ("Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site");
    for (headers, expected) in [
        (&[][..], 200),
        (&[own.as_str(), same], 200),
        (&[&own], 200),
        (&[&listed, cross], 200),
        (&[&other, cross], 403),
        (&[&other], 403),
        (&[&other, same], 403),
        (&[sibling], 403),
        (&[cross], 403),
        (&["Origin: null"], 403),
        (&["Origin: null", cross], 403),
        (&[&own, "Host: evil.example"], 403),
    ] {
        let heard = send(json, headers);
        assert_eq!(heard.status, expected, "{headers:?}: {heard:?}");
    }
    // A form on another site cannot send JSON without a preflight.
    for kind in ["Content-Type: text/plain", "Content-Type: application/x-www-form-urlencoded"] {
        assert_eq!(send(kind, &[]).status, 415);
    }
}
