//! Statements that PostgreSQL cannot interrupt, and statements that exceed what the server allows one statement.

use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Request, header};
use futures_util::future::join_all;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use wherefore_proxy::access::keys::{digest, new_key};
use wherefore_proxy::connections::{Connection, Peer};
use wherefore_proxy::store::NewKey;

use crate::support::client::Answer;
use crate::support::{Client, Cluster, SHOP, SqliteFile, config};

/// How long a state may take to come about.
const PATIENCE: Duration = Duration::from_mins(1);

/// A cluster whose view `held` blocks where no interrupt is checked: it reads a pipe that nobody writes.
struct Held {
    client: Client,
    cluster: Cluster,
    pipe: PathBuf,
    _file: SqliteFile,
}

impl Held {
    async fn start(connections: &str) -> Option<Self> {
        Self::start_with(&["--auth", "keys", "--connections", connections]).await
    }

    async fn start_with(more: &[&str]) -> Option<Self> {
        let cluster = Cluster::start()?;
        cluster.run(SHOP);
        cluster.run("CREATE VIEW held AS SELECT 1::bigint AS n");
        let file = SqliteFile::new("");
        let folder = file.folder.path();
        std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").args(["-m", "666"]).arg(&pipe).status().unwrap().success());
        let url = cluster.url("asker");
        let common = ["--database", url.as_str(), "--statement-seconds", "1"];
        let options = config(folder, &[&common[..], more].concat());
        let client = Client::start(&options).await;
        // After the catalog was read, which would be held as well.
        cluster.run(&format!(
            "CREATE FUNCTION wait() RETURNS bigint LANGUAGE sql SECURITY DEFINER \
             AS $$ SELECT length(pg_read_file('{}'))::bigint $$; \
             CREATE OR REPLACE VIEW held AS SELECT wait() AS n",
            pipe.display()
        ));
        Some(Self { client, cluster, pipe, _file: file })
    }

    async fn key(&self, user: &str) -> String {
        let key = new_key().unwrap();
        let kept = NewKey {
            hash: digest(&key).to_vec(),
            tenant: "default".to_owned(),
            user: Some(user.to_owned()),
            name: String::new(),
            expires_at: None,
        };
        self.client.state.store.add_key(kept).await.unwrap();
        key
    }

    async fn execute(&self, key: &str, sql: &str) -> Answer {
        self.client.send(execute(key, sql)).await
    }

    /// Searches the values of the view, which blocks as well.
    async fn search(&self, key: &str, text: &str) -> Answer {
        let path = format!("/api/v1/values?table=held&column=n&search={text}");
        let request = Request::get(path).header(header::AUTHORIZATION, format!("Bearer {key}"));
        self.client.send(request.body(Body::empty()).unwrap()).await
    }

    /// Asks a question, always with the same idempotency key.
    async fn ask(&self, key: &str) -> Answer {
        let question = json!({
            "question": "how many customers", "today": "2024-04-01", "id": "question-0123456789",
        });
        let request = Request::post("/api/v1/query")
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(question.to_string()))
            .unwrap();
        self.client.send(request).await
    }

    /// Repeats a statement until it gets this status.
    async fn until(&self, key: &str, status: u16) -> Answer {
        let begun = Instant::now();
        loop {
            let answer = self.execute(key, "SELECT 1 AS one").await;
            if answer.status == status {
                return answer;
            }
            assert!(begun.elapsed() < PATIENCE, "{} {}", answer.status, answer.text);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Number of backends that run the view.
    fn backends(&self) -> u32 {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'asker' \
                   AND state = 'active' AND query LIKE '%held%'";
        self.cluster.run(sql).parse().unwrap()
    }

    /// Lets every backend that reads the pipe continue.
    fn release(&self) {
        drop(std::fs::OpenOptions::new().write(true).open(&self.pipe).unwrap());
    }
}

const HELD: &str = "SELECT n FROM held";

fn execute(key: &str, sql: &str) -> Request<Body> {
    Request::post("/api/v1/sql/execute")
        .header(header::AUTHORIZATION, format!("Bearer {key}"))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(json!({ "sql": sql }).to_string()))
        .unwrap()
}

// Promise: security.overdue-backends
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backend_that_outlives_its_statement_stops_the_statements_of_its_user() {
    let Some(held) = Held::start("2").await else { return };
    let (ann, ben) = (held.key("ann").await, held.key("ben").await);
    held.execute(&ann, HELD).await.problem(504, "statement_timeout");
    let refused = held.until(&ann, 429).await;
    let problem = refused.problem(429, "statement_overdue");
    assert_eq!(problem["retryable"], true);
    assert_eq!(refused.headers[header::RETRY_AFTER], "2");
    held.ask(&ann).await.problem(429, "statement_overdue");
    assert_eq!(held.backends(), 1);
    held.execute(&ben, "SELECT 1 AS one").await.ok(200);
    // The backend was told to terminate; it does so where it checks for interrupts.
    held.release();
    held.until(&ann, 200).await;
    assert_eq!(held.backends(), 0);
    held.ask(&ann).await.ok(200);
}

// Promise: security.backends-count
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_backends_run_than_there_may_be_connections() {
    let Some(held) = Held::start("2").await else { return };
    let users = join_all((0..6).map(|number| {
        let (held, name) = (&held, format!("user{number}"));
        async move { held.key(&name).await }
    }))
    .await;
    let answers = join_all(users.iter().map(|user| held.execute(user, HELD))).await;
    let with = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!(
        (with(504), with(503)),
        (2, 4),
        "{:?}",
        answers.iter().map(|it| &it.text).collect::<Vec<_>>()
    );
    assert_eq!(held.backends(), 2);
    // Connections whose statements were given up are not replaced while their backends go on.
    held.until(&users[5], 503).await.problem(503, "database_busy");
    assert_eq!(held.backends(), 2);
    held.release();
    held.until(&users[5], 200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_that_timed_out_count_for_their_user_while_they_go_on() {
    let Some(held) = Held::start("4").await else { return };
    let (ann, ben) = (held.key("ann").await, held.key("ben").await);
    for answer in join_all((0..3).map(|_| held.execute(&ann, HELD))).await {
        answer.problem(504, "statement_timeout");
    }
    held.execute(&ann, HELD).await.problem(429, "statement_overdue");
    held.execute(&ben, "SELECT 1 AS one").await.ok(200);
    assert_eq!(held.backends(), 3);
    held.release();
    held.until(&ann, 200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_that_nobody_waits_for_count_for_their_user_while_they_go_on() {
    let Some(held) = Held::start("4").await else { return };
    let (ann, ben) = (held.key("ann").await, held.key("ben").await);
    for number in 1..=4 {
        let client = held.client.clone();
        let request = execute(&ann, HELD);
        let asking = tokio::spawn(async move { client.send(request).await });
        while !asking.is_finished() && held.backends() < number {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        asking.abort();
    }
    held.execute(&ben, "SELECT 1 AS one").await.ok(200);
    assert!(held.backends() < 4);
    held.release();
    held.until(&ann, 200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_of_one_user_leave_a_connection_to_others() {
    let Some(held) = Held::start("4").await else { return };
    let (ann, ben) = (held.key("ann").await, held.key("ben").await);
    let searches = join_all((0..5).map(|number| {
        let (held, ann) = (&held, &ann);
        async move { held.search(ann, &format!("x{number}")).await }
    }));
    let others = async {
        while held.backends() < 3 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        held.execute(&ben, "SELECT 1 AS one").await
    };
    let (searches, other) = tokio::join!(searches, others);
    other.ok(200);
    let refused = searches.iter().filter(|answer| answer.text.contains("too_many_running"));
    assert_eq!(refused.count(), 1, "searches count as running queries");
    assert_eq!(held.backends(), 3);
    held.release();
    held.until(&ann, 200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_without_a_user_are_told_apart_by_their_address() {
    let Some(held) = Held::start_with(&["--connections", "3"]).await else { return };
    let from = |address: [u8; 4], sql: &str| {
        let mut request = execute("", sql);
        request.headers_mut().remove(header::AUTHORIZATION);
        let peer = Peer::new(IpAddr::from(address));
        request.extensions_mut().insert(Arc::new(Connection::new(peer)));
        held.client.send(request)
    };
    from([10, 0, 0, 1], HELD).await.problem(504, "statement_timeout");
    from([10, 0, 0, 1], "SELECT 1 AS one").await.problem(429, "statement_overdue");
    from([10, 0, 0, 2], "SELECT 1 AS one").await.ok(200);
    held.release();
}

/// Passes connections on to a server. After a notification, it passes on nothing more of those that are open, and
/// closes their connections to the server only.
async fn relay(server: SocketAddr) -> (SocketAddr, Arc<Notify>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, cut) = (listener.local_addr().unwrap(), Arc::new(Notify::new()));
    let cutting = Arc::clone(&cut);
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            let cut = Arc::clone(&cutting);
            tokio::spawn(async move {
                let mut far = TcpStream::connect(server).await.unwrap();
                tokio::select! {
                    _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
                    () = cut.notified() => {
                        drop(far);
                        std::future::pending::<()>().await;
                    }
                }
            });
        }
    });
    (address, cut)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_the_network_lost_is_replaced_once_its_backend_is_gone() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    cluster.run("CREATE VIEW slow AS SELECT 'x'::text AS t");
    let url = cluster.url("asker");
    let server = url.split(['@', '/']).nth(3).unwrap().to_owned();
    let (address, cut) = relay(server.parse().unwrap()).await;
    let url = url.replace(&server, &address.to_string());
    let file = SqliteFile::new("");
    let options = ["--database", &url, "--connections", "1", "--statement-seconds", "1"];
    let client = Client::start(&config(file.folder.path(), &options)).await;
    cluster.run("CREATE OR REPLACE VIEW slow AS SELECT pg_sleep(600)::text AS t");
    let asking = tokio::spawn({
        let client = client.clone();
        async move { client.execute("SELECT t FROM slow").await }
    });
    let active = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%FROM slow%' \
                  AND usename = 'asker'";
    while cluster.run(active) == "0" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    cut.notify_waiters();
    asking.await.unwrap().problem(504, "statement_timeout");
    let begun = Instant::now();
    loop {
        let answer = client.execute("SELECT 1 AS one").await;
        if answer.status == 200 {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{} {}", answer.status, answer.text);
    }
}

// Promise: security.server-limits
#[tokio::test]
async fn what_exceeds_a_limit_of_the_server_is_the_statement_s_own_failure() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    cluster.run(
        "CREATE VIEW large AS SELECT 'x'::text AS t; ALTER ROLE asker SET temp_file_limit = 100",
    );
    cluster.run("ALTER ROLE asker SET work_mem = '64kB'");
    let file = SqliteFile::new("");
    let url = cluster.url("asker");
    let client = Client::start(&config(file.folder.path(), &["--database", &url])).await;
    cluster
        .run("CREATE OR REPLACE VIEW large AS SELECT to_char(now(), repeat('x', 100000000)) AS t");
    let sorted = "SELECT count(*) FROM (SELECT a FROM generate_series(1, 100000) AS a \
                  ORDER BY a DESC OFFSET 1) AS sorted";
    for (sql, message) in [
        ("SELECT length(t) FROM large", "invalid memory alloc request size"),
        (sorted, "temporary file size exceeds temp_file_limit"),
    ] {
        let problem = client.execute(sql).await.problem(422, "statement_failed");
        assert!(problem["detail"].as_str().unwrap().contains(message), "{problem}");
        assert_eq!(problem["retryable"], false);
    }
    let problem = client
        .execute("SELECT 'é' AS e, 'many' + id AS n FROM orders")
        .await
        .problem(422, "statement_failed");
    let (sql, position) = (problem["sql"].as_str().unwrap(), problem["position"].as_u64().unwrap());
    assert!(sql[position as usize..].starts_with("'many'"), "{problem}");
}

#[tokio::test]
async fn a_text_that_is_too_long_for_sqlite_is_the_statement_s_own_failure() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let joined = |rows: u32| {
        format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) \
             SELECT length(group_concat(printf('%0999d', i))) AS t FROM n"
        )
    };
    client.execute(&joined(500)).await.ok(200);
    let problem = client.execute(&joined(2_000)).await.problem(422, "statement_failed");
    assert!(problem["detail"].as_str().unwrap().contains("too big"), "{problem}");
}
