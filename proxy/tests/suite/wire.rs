//! Requests that a web framework does not judge by itself: their target, their method and their encoding.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::{Heard, SHOP, Serving, SqliteFile};

fn serving() -> (SqliteFile, Serving) {
    let shop = SqliteFile::new(SHOP);
    let database = shop.path.to_str().unwrap().to_owned();
    let program = Serving::start(shop.folder.path(), &["--database", &database]);
    (shop, program)
}

/// Sends a request line and header lines as they are, and reads until the connection is closed.
fn raw(program: &Serving, head: &[&str]) -> Heard {
    let mut stream = TcpStream::connect(&program.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let text = format!("{}\r\nConnection: close\r\n\r\n", head.join("\r\n"));
    stream.write_all(text.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    Heard { status: status.unwrap_or_else(|| panic!("no answer: {text}")), text }
}

#[track_caller]
fn assert_problem(heard: &Heard, status: u16, code: &str) {
    assert_eq!(heard.status, status, "{heard:?}");
    assert_eq!(heard.header("content-type"), Some("application/problem+json"), "{heard:?}");
    assert!(heard.text.contains(&format!("\"code\":\"{code}\"")), "{heard:?}");
    assert!(heard.header("x-request-id").is_some(), "{heard:?}");
}

// Promise: http.one-host
#[test]
fn a_request_names_its_host_once() {
    let (_shop, program) = serving();
    let address = &program.address;
    let host = format!("Host: {address}");
    let whole = format!("GET http://{address}/api/v1/health HTTP/1.1");
    for path in ["/api/v1/health", "/nothing", "/mcp"] {
        let get = format!("GET {path} HTTP/1.1");
        assert_problem(&raw(&program, &[&get]), 400, "invalid_host");
        assert_problem(&raw(&program, &[&get, &host, &host]), 400, "invalid_host");
        assert_problem(&raw(&program, &[&get, &host, "Host: evil.example"]), 400, "invalid_host");
        assert_problem(&raw(&program, &[&get, "Host:"]), 400, "invalid_host");
        assert_problem(&raw(&program, &[&get, "Host: local host"]), 400, "invalid_host");
    }
    assert_problem(&raw(&program, &[&whole, "Host: localhost"]), 400, "invalid_host");
    let other = "GET http://evil.example/api/v1/health HTTP/1.1";
    assert_problem(&raw(&program, &[other, &host]), 400, "invalid_host");
    let evil = ["GET http://evil.example/api/v1/health HTTP/1.1", "Host: evil.example"];
    assert_problem(&raw(&program, &evil), 403, "host_refused");
    assert_eq!(raw(&program, &[&whole, &host]).status, 200);
    let upper = ["GET http://LOCALHOST/api/v1/health HTTP/1.1", "Host: localhost"];
    assert_eq!(raw(&program, &upper).status, 200);
    let old = raw(&program, &["GET /api/v1/health HTTP/1.0"]);
    assert_eq!(old.status, 200, "HTTP/1.0 has no Host: {old:?}");
}

// Promise: http.odd-methods
#[test]
fn methods_that_nothing_supports_are_problem_documents() {
    let (_shop, program) = serving();
    let host = format!("Host: {}", program.address);
    for (path, status, code) in [
        ("/api/v1/health", 405, "method_not_allowed"),
        ("/api/v1/query", 405, "method_not_allowed"),
        ("/mcp", 405, "method_not_allowed"),
        ("/nothing", 404, "unknown_route"),
        ("/", 404, "unknown_route"),
    ] {
        let heard = raw(&program, &[&format!("TRACE {path} HTTP/1.1"), &host, "X-Secret: s3"]);
        assert_problem(&heard, status, code);
        assert!(!heard.text.contains("s3"), "{heard:?}");
    }
    assert_problem(&raw(&program, &["OPTIONS * HTTP/1.1", &host]), 404, "unknown_route");
    let health = raw(&program, &["PATCH /api/v1/health HTTP/1.1", &host]);
    assert_problem(&health, 405, "method_not_allowed");
    assert_eq!(health.header("allow"), Some("GET,HEAD"), "{health:?}");
    let mcp = raw(&program, &["PUT /mcp HTTP/1.1", &host]);
    assert_problem(&mcp, 405, "method_not_allowed");
    assert!(mcp.header("allow").is_some_and(|allow| allow.contains("POST")), "{mcp:?}");
}

// Promise: http.encodings
#[test]
fn a_body_in_an_unknown_encoding_is_refused_as_such() {
    let (_shop, program) = serving();
    let body = "{\"sql\": \"SELECT id FROM orders\"}";
    let json = "Content-Type: application/json";
    for encoding in ["gzip", "br", "zstd", "gzip, identity", "made-up"] {
        let encoding = format!("Content-Encoding: {encoding}");
        for path in ["/api/v1/sql/check", "/mcp"] {
            let heard = program.call("POST", path, &[json, &encoding], body);
            assert_problem(&heard, 415, "unsupported_encoding");
            assert_eq!(heard.header("accept-encoding"), Some("identity"), "{heard:?}");
        }
    }
    let identity = [json, "Content-Encoding: Identity"];
    assert_eq!(program.call("POST", "/api/v1/sql/check", &identity, body).status, 200);
}
