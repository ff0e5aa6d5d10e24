//! Clients that hold connections, bodies, slots or results. In each test, a signed-in caller is served meanwhile.

use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use axum::Router;
use axum::response::sse::{Event, Sse};
use axum::routing::get;
use futures_util::stream::{self, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wherefore_proxy::connections::{Connections, room_for};
use wherefore_proxy::hosts::AllowedHosts;
use wherefore_proxy::router::guard;
use wherefore_proxy::server::serve;

use crate::support::flood::{Guarded, MANY, head, rest};
use crate::support::{Client, Cluster, SHOP, SqliteFile};

const FORM: &str = "Content-Type: application/x-www-form-urlencoded";
const JSON: &str = "Content-Type: application/json";
/// A view whose rows take seconds to write and more room than sockets have.
const BIG: &str = "CREATE VIEW big AS \
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) \
     SELECT i AS id, printf('%.10000c', 'x') AS filler FROM n";
const BIG_POSTGRES: &str = "CREATE VIEW big AS \
     SELECT g AS id, repeat('x', 10000) AS filler FROM generate_series(1, 1000000) AS g";
/// Less than the default of 10 s, so that the tests end sooner.
const STALLED: [&str; 2] = ["--stalled-seconds", "2"];
const EXPORT: &str = "SELECT id, filler FROM big";

fn shop() -> (SqliteFile, String) {
    let shop = SqliteFile::new(SHOP);
    let database = shop.path.to_str().unwrap().to_owned();
    (shop, database)
}

// Promise: security.slow-bodies
#[test]
fn half_bodies_take_no_slot_and_are_refused_within_seconds() {
    let (shop, database) = shop();
    let guarded = Guarded::start(shop.folder.path(), &database, &[]);
    let (ann, ben) = (guarded.sign_in("ann"), guarded.sign_in("ben"));
    let sign_in = head("/sign-in", &[FORM], 100) + "key=wf_half";
    let execute = head("/api/v1/sql/execute", &[JSON, &ann], 100) + "{\"sql\": \"SEL";
    let mcp = head("/mcp", &[JSON, &ann, "Accept: application/json, text/event-stream"], 100);
    let mut held = guarded.flood(MANY, &sign_in);
    guarded.assert_serves(&ben);
    held.extend(guarded.flood(MANY, &execute));
    guarded.assert_serves(&ben);
    held.push(guarded.send(&mcp));
    let signed_out = guarded.send(&head("/api/v1/sql/execute", &[JSON], 100));
    assert!(rest(signed_out).starts_with("HTTP/1.1 401 "), "without waiting for the body");
    for stream in [held.remove(0), held.remove(MANY), held.pop().unwrap()] {
        let text = rest(stream);
        assert!(text.starts_with("HTTP/1.1 408 "), "{text}");
        assert!(text.contains("\"code\":\"body_too_slow\""), "{text}");
        assert!(text.to_lowercase().contains("connection: close"), "{text}");
    }
    guarded.assert_serves(&ben);
}

#[test]
fn half_heads_are_closed_within_seconds() {
    let (shop, database) = shop();
    let guarded = Guarded::start(shop.folder.path(), &database, &[]);
    let ben = guarded.sign_in("ben");
    let held = guarded.flood(MANY, "GET /api/v1/health HTTP/1.1\r\nHost: local");
    guarded.assert_serves(&ben);
    for stream in held {
        assert_eq!(rest(stream), "", "closed before the 30 s in which the client gives up");
    }
    let metric = "wherefore_client_connections_dropped_total{reason=\"slow_head\"}";
    guarded.wait_for(&ben, metric, MANY as u64);
}

// Promise: security.body-size
#[test]
fn bodies_are_bounded_in_size_and_expected_ones_are_asked_for() {
    let (shop, database) = shop();
    let guarded = Guarded::start(shop.folder.path(), &database, &[]);
    let ann = guarded.sign_in("ann");
    for large in [head("/sign-in", &[FORM], 5_000), head("/api/v1/query", &[JSON, &ann], 300_000)] {
        let text = rest(guarded.send(&large));
        assert!(text.starts_with("HTTP/1.1 413 "), "without waiting for the body: {text}");
        assert!(text.contains("\"code\":\"body_too_large\""), "{text}");
    }
    let body = "{\"sql\": \"SELECT 1 AS one\"}";
    let expecting = ["Expect: 100-continue", "Connection: close", JSON, &ann];
    let mut stream = guarded.send(&head("/api/v1/sql/execute", &expecting, body.len()));
    let mut told = [0; 25];
    stream.read_exact(&mut told).unwrap();
    assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).unwrap();
    let text = rest(stream);
    assert!(text.starts_with("HTTP/1.1 200 "), "{text}");
    let signed_out = ["Expect: 100-continue", JSON];
    let text = rest(guarded.send(&head("/api/v1/sql/execute", &signed_out, 100)));
    assert!(text.starts_with("HTTP/1.1 401 "), "no body is asked for: {text}");
}

#[test]
fn a_refusal_reaches_a_client_that_sends_its_whole_body_first() {
    let (shop, database) = shop();
    let guarded = Guarded::start(shop.folder.path(), &database, &[]);
    let ann = guarded.sign_in("ann");
    let body = vec![b'x'; 300_000];
    for (path, headers, expected) in [
        ("/api/v1/query", &[JSON, &ann][..], 413),
        ("/api/v1/query", &[JSON], 401),
        ("/sign-in", &[FORM], 413),
        ("/api/v1/query", &[JSON, &ann, "Content-Encoding: gzip"], 415),
        ("/api/v1/query", &[JSON, &ann, "Sec-Fetch-Site: cross-site"], 403),
    ] {
        for _ in 0..5 {
            let mut stream = guarded.send("");
            // So small that the whole body is sent only if the server reads it.
            socket2::SockRef::from(&stream).set_send_buffer_size(16 * 1024).unwrap();
            let head = head(path, headers, body.len());
            stream.write_all(&[head.as_bytes(), &body].concat()).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap_or_else(|error| panic!("{expected}: {error}"));
            assert!(text.starts_with(&format!("HTTP/1.1 {expected} ")), "{text}");
        }
    }
    guarded.assert_serves(&ann);
}

#[test]
fn a_refusal_reaches_a_client_that_reads_while_it_sends_much() {
    let (shop, database) = shop();
    let guarded = Guarded::start(shop.folder.path(), &database, &[]);
    let ann = guarded.sign_in("ann");
    for _ in 0..5 {
        let mut stream = guarded.send(&head("/api/v1/query", &[JSON, &ann], 50_000_000));
        let mut sender = stream.try_clone().unwrap();
        let sending = std::thread::spawn(move || {
            // The server closes before it has read everything.
            let _ = sender.write_all(&vec![b'x'; 50_000_000]);
        });
        let mut text = String::new();
        let mut buffer = [0; 4_096];
        while !text.contains("\"code\":\"body_too_large\"") {
            let read = stream.read(&mut buffer).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert!(read > 0, "{text}");
            text += str::from_utf8(&buffer[..read]).unwrap();
        }
        assert!(text.starts_with("HTTP/1.1 413 "), "{text}");
        stream.shutdown(std::net::Shutdown::Both).unwrap();
        sending.join().unwrap();
    }
    guarded.assert_serves(&ann);
}

#[test]
fn requests_sent_in_advance_are_not_served_after_a_refusal() {
    let (shop, database) = shop();
    let guarded = Guarded::start(shop.folder.path(), &database, &[]);
    let wrong = format!("Authorization: Bearer wf_{}", "x".repeat(43));
    for headers in [String::new(), format!("{wrong}\r\n"), "Host: elsewhere\r\n".to_owned()] {
        let host = if headers.starts_with("Host") { "" } else { "Host: localhost\r\n" };
        let request = format!("GET /api/v1/catalog HTTP/1.1\r\n{host}{headers}\r\n");
        let text = rest(guarded.send(&request.repeat(5)));
        assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "{text}");
        assert!(text.to_lowercase().contains("connection: close"), "{text}");
    }
}

/// Status of a response, of which nothing else is read.
fn status(stream: &mut TcpStream) -> u16 {
    let mut line = [0; 12];
    stream.read_exact(&mut line).unwrap();
    str::from_utf8(&line[9..]).unwrap().parse().unwrap()
}

/// Four users whose exports are not read, and one who exports meanwhile.
fn unread_exports(guarded: &Guarded) {
    let users: Vec<String> =
        ["ann", "ben", "cem", "dan"].iter().map(|user| guarded.sign_in(user)).collect();
    let eve = guarded.sign_in("eve");
    let body = format!("{{\"sql\": \"{EXPORT}\"}}");
    let export = |who: &String| {
        guarded.send(
            &(head("/api/v1/sql/execute", &[JSON, "Accept: text/csv", who], body.len()) + &body),
        )
    };
    let held: Vec<_> = users.iter().map(export).collect();
    std::thread::sleep(Duration::from_millis(500));
    guarded.assert_serves(&eve);
    for _ in 0..3 {
        let heard = guarded.execute(&eve, "text/csv", "SELECT id FROM big LIMIT 2");
        assert_eq!(heard.status, 200, "{}", heard.text);
        let has = |row: &str| heard.text.lines().any(|line| line == row);
        assert!(has("1") && has("2"), "{}", heard.text);
    }
    let metric = "wherefore_client_connections_dropped_total{reason=\"stalled\"}";
    guarded.wait_for(&eve, metric, 4);
    drop(held);
}

// Promise: security.unread-exports
#[test]
fn unread_exports_of_four_users_do_not_keep_a_fifth_from_sqlite() {
    let file = SqliteFile::new(BIG);
    let database = file.path.to_str().unwrap();
    unread_exports(&Guarded::start(file.folder.path(), database, &STALLED));
}

// Promise: security.unread-exports
#[test]
fn unread_exports_of_four_users_do_not_keep_a_fifth_from_postgres() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(BIG_POSTGRES);
    let folder = tempfile::tempdir().unwrap();
    unread_exports(&Guarded::start(folder.path(), &cluster.url("asker"), &STALLED));
    let active = "SELECT count(*) FROM pg_stat_activity \
         WHERE application_name = 'wherefore' AND state <> 'idle'";
    for _ in 0..100 {
        if cluster.run(active) == "0" {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("a statement without a reader still runs");
}

/// Reads a response as slowly as its export may be read, until it ends or `stop` is set. Returns its status if it ended.
fn read_slowly(mut stream: TcpStream, begun: &Sender<u16>, stop: &AtomicBool) -> Option<u16> {
    let status = status(&mut stream);
    begun.send(status).unwrap();
    let mut buffer = vec![0; 64 * 1024];
    while !stop.load(Ordering::Relaxed) {
        if stream.read(&mut buffer).unwrap() == 0 {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
}

#[test]
fn one_user_with_many_exports_leaves_connections_to_others() {
    let file = SqliteFile::new(BIG);
    let options = ["--running-queries", "0"];
    let guarded = Guarded::start(file.folder.path(), file.path.to_str().unwrap(), &options);
    let (ann, ben) = (guarded.sign_in("ann"), guarded.sign_in("ben"));
    let body = format!("{{\"sql\": \"{EXPORT}\"}}");
    let headers = [JSON, "Accept: text/csv", "Connection: close", &ann];
    let request = head("/api/v1/sql/execute", &headers, body.len()) + &body;
    let (stop, (begin, begun)) = (AtomicBool::new(false), channel());
    std::thread::scope(|scope| {
        let readers: Vec<_> = guarded
            .flood(8, &request)
            .into_iter()
            .map(|stream| {
                let (begin, stop) = (&begin, &stop);
                scope.spawn(move || read_slowly(stream, begin, stop))
            })
            .collect();
        // Two exports run, and the others of the same user wait until they are refused.
        let wait = Duration::from_secs(30);
        let statuses: Vec<u16> = (0..8).map(|_| begun.recv_timeout(wait).unwrap()).collect();
        let heard = guarded.execute(&ben, "text/csv", "SELECT id FROM big LIMIT 2");
        guarded.assert_serves(&ben);
        stop.store(true, Ordering::Relaxed);
        let ended: Vec<u16> =
            readers.into_iter().filter_map(|reader| reader.join().unwrap()).collect();
        assert_eq!(statuses, [200, 200, 503, 503, 503, 503, 503, 503]);
        assert_eq!(heard.status, 200, "{}", heard.text);
        assert_eq!(ended, [503; 6], "the exports of ann still ran");
    });
}

#[test]
fn unread_results_keep_their_slots() {
    let file = SqliteFile::new(BIG);
    let options =
        ["--requests-at-once", "8", "--running-queries", "0", "--stalled-seconds", "3600"];
    let guarded = Guarded::start(file.folder.path(), file.path.to_str().unwrap(), &options);
    let (ann, ben) = (guarded.sign_in("ann"), guarded.sign_in("ben"));
    let body = format!("{{\"sql\": \"{EXPORT}\"}}");
    let request = head("/api/v1/sql/execute", &[JSON, &ann], body.len()) + &body;
    let mut held = Vec::new();
    let mut statuses = Vec::new();
    for _ in 0..10 {
        let mut stream = guarded.send(&request);
        statuses.push(status(&mut stream));
        held.push(stream);
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 503, 503, 503, 503]);
    guarded.assert_serves(&ben);
    drop(held);
}

#[test]
fn an_export_that_is_aborted_does_not_look_complete_over_http_1_0() {
    let file = SqliteFile::new(BIG);
    let guarded = Guarded::start(file.folder.path(), file.path.to_str().unwrap(), &STALLED);
    let ann = guarded.sign_in("ann");
    let body = format!("{{\"sql\": \"{EXPORT}\"}}");
    let request =
        head("/api/v1/sql/execute", &[JSON, "Accept: text/csv", &ann], body.len()) + &body;
    let mut stream = guarded.send(&request.replace("HTTP/1.1", "HTTP/1.0"));
    let metric = "wherefore_client_connections_dropped_total{reason=\"stalled\"}";
    guarded.wait_for(&ann, metric, 1);
    let end = stream.read_to_end(&mut Vec::new());
    assert_eq!(end.unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);
}

// Promise: security.slow-readers
#[test]
fn a_slow_reader_gets_the_whole_export() {
    let file = SqliteFile::new(BIG);
    let options = ["--stalled-seconds", "1", "--export-row-limit", "200"];
    let guarded = Guarded::start(file.folder.path(), file.path.to_str().unwrap(), &options);
    let ann = guarded.sign_in("ann");
    let body = format!("{{\"sql\": \"{EXPORT}\"}}");
    let headers = [JSON, "Accept: text/csv", "Connection: close", &ann];
    let mut stream = guarded.send(&(head("/api/v1/sql/execute", &headers, body.len()) + &body));
    let (mut size, mut buffer) = (0, vec![0; 100_000]);
    loop {
        match stream.read(&mut buffer).unwrap() {
            0 => break,
            read => size += read,
        }
        std::thread::sleep(Duration::from_millis(150));
    }
    assert!(size > 2_000_000, "{size} bytes");
}

#[test]
fn idle_connections_beyond_the_bound_make_room_for_others() {
    let (shop, database) = shop();
    let options = ["--open-connections", "1000"];
    let guarded = Guarded::start(shop.folder.path(), &database, &options);
    let ben = guarded.sign_in("ben");
    let mut held = guarded.flood(1, "");
    for part in 0..3 {
        held.extend(guarded.flood(700, if part == 1 { "GET / HTTP/1.1\r\n" } else { "" }));
        guarded.assert_serves(&ben);
    }
    assert_eq!(rest(held.remove(0)), "", "the oldest is closed");
}

#[test]
fn a_program_with_few_file_descriptors_goes_on() {
    let (shop, database) = shop();
    let guarded = Guarded::start_limited("-n 200", shop.folder.path(), &database);
    let ben = guarded.sign_in("ben");
    let held = guarded.flood(800, "POST /sign-in HTTP/1.1\r\n");
    guarded.assert_serves(&ben);
    drop(held);
}

// Promise: security.kept-connections
#[test]
fn two_thousand_kept_connections_keep_nobody_out() {
    let (shop, database) = shop();
    let guarded = Guarded::start(shop.folder.path(), &database, &[]);
    let (ann, ben) = (guarded.sign_in("ann"), guarded.sign_in("ben"));
    let request = format!("GET /api/v1/catalog HTTP/1.1\r\nHost: localhost\r\n{ann}\r\n\r\n");
    let held = guarded.flood(2_000, &request);
    guarded.assert_serves(&ben);
    drop(held);
}

// Promise: security.sign-in-flood
#[test]
fn a_flood_of_sign_ins_takes_no_slot_of_who_is_signed_in() {
    let (shop, database) = shop();
    let guarded = Guarded::start(shop.folder.path(), &database, &["--requests-at-once", "4"]);
    let ben = guarded.sign_in("ben");
    let (stop, sent) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let body = "key=wf_wrong";
                    let request = head("/sign-in", &[FORM, "Connection: close"], body.len()) + body;
                    let text = rest(guarded.send(&request));
                    let status = text.split(' ').nth(1).unwrap_or_default();
                    assert!(["401", "429", "503"].contains(&status), "{text}");
                    sent.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..5 {
            guarded.assert_serves(&ben);
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(sent.load(Ordering::Relaxed) > 16);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_event_streams_take_no_slot_of_a_request() {
    assert!(room_for(10_000, 0) > 5_000, "the test needs file descriptors");
    let shop = SqliteFile::new(SHOP);
    let state = Client::start(&shop.config(&[])).await.state;
    let endless = || async {
        let first = stream::once(async { Ok::<_, Infallible>(Event::default().data("hello")) });
        Sse::new(first.chain(stream::pending()))
    };
    let routes = Router::new().route("/events", get(endless)).route("/short", get(async || "ok"));
    let routes = guard(routes, &state, AllowedHosts::new(&[]));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Connections::new(8_192, Duration::from_secs(10), state.metrics.clone());
    let stopping = state.stopping.clone();
    let served = serve(listener, routes, connections, stopping, std::future::pending());
    let served = tokio::spawn(served);
    let open = async |path: &str| {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        (stream, String::from_utf8(status.to_vec()).unwrap())
    };
    let mut held = Vec::new();
    for number in 0..2_000 {
        let (stream, status) = open("/events").await;
        assert_eq!(status, "HTTP/1.1 200", "stream {number}");
        held.push(stream);
    }
    assert_eq!(open("/short").await.1, "HTTP/1.1 200");
    served.abort();
}
