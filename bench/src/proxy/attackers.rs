//! Clients that hold what a proxy has, or take as much of it as they can.

use std::time::Duration;

use anyhow::Result;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Time after which an attacker that reads nothing tries again.
const UNREAD: Duration = Duration::from_secs(3);
/// Pause after a connection that failed.
const PAUSE: Duration = Duration::from_millis(20);
const JSON: &str = "Content-Type: application/json";
const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

/// An attack by connections that each repeat the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attack {
    pub(super) name: &'static str,
    pub(super) connections: usize,
    /// Number of users that the connections are signed in as; 0 without sign-in.
    pub(super) users: usize,
    request: fn(key: &str) -> String,
    then: Then,
}

/// What a connection does after its request was sent.
#[derive(Clone, Copy, Debug)]
enum Then {
    /// It waits until the connection is closed.
    Wait,
    /// It reads nothing, and closes the connection after a while.
    ReadNothing,
    /// It closes the connection.
    Close,
}

/// All attacks.
pub(super) const ATTACKS: [Attack; 8] = [
    Attack {
        name: "half sign-ins",
        connections: 1_100,
        users: 0,
        request: |_| post("/sign-in", FORM, "", "key=wf_half", 100),
        then: Then::Wait,
    },
    Attack {
        name: "half statements of a user",
        connections: 1_100,
        users: 1,
        request: |key| post("/api/v1/sql/execute", JSON, key, "{\"sql\": \"SEL", 100),
        then: Then::Wait,
    },
    Attack {
        name: "half heads",
        connections: 2_000,
        users: 0,
        request: |_| "GET /api/v1/health HTTP/1.1\r\nHost: local".to_owned(),
        then: Then::Wait,
    },
    Attack {
        name: "kept connections of a user",
        connections: 5_000,
        users: 1,
        request: |key| format!("GET /api/v1/flags HTTP/1.1\r\nHost: localhost\r\n{key}\r\n\r\n"),
        then: Then::Wait,
    },
    Attack {
        name: "sign-ins with wrong keys",
        connections: 64,
        users: 0,
        request: |_| {
            let body = "key=wf_wrong";
            post("/sign-in", &format!("{FORM}\r\nConnection: close"), "", body, body.len())
        },
        then: Then::Wait,
    },
    Attack {
        name: "unread exports of four users",
        connections: 16,
        users: 4,
        request: |key| {
            let body = "{\"sql\": \"SELECT id, filler FROM big\"}";
            post(
                "/api/v1/sql/execute",
                &format!("{JSON}\r\nAccept: text/csv"),
                key,
                body,
                body.len(),
            )
        },
        then: Then::ReadNothing,
    },
    Attack {
        name: "unread public pages",
        connections: 1_100,
        users: 0,
        // Twenty responses at once are more than the sockets hold.
        request: |_| "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20),
        then: Then::ReadNothing,
    },
    Attack {
        name: "connections that open and close",
        connections: 16,
        users: 0,
        request: |_| String::new(),
        then: Then::Close,
    },
];

/// Head of a POST with a body of this length, and the part of the body that is sent.
fn post(path: &str, headers: &str, key: &str, body: &str, length: usize) -> String {
    let key = if key.is_empty() { String::new() } else { format!("{key}\r\n") };
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n{key}Content-Length: {length}\r\n\r\n{body}"
    )
}

impl Attack {
    /// One connection after another, until the future is dropped.
    pub(super) async fn run(self, authority: String, key: String) {
        let request = (self.request)(&key);
        loop {
            if self.connect(&authority, &request).await.is_err() {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    async fn connect(self, authority: &str, request: &str) -> Result<()> {
        let mut stream = TcpStream::connect(authority).await?;
        // Closing must leave no port behind that cannot be used for a minute.
        stream.set_zero_linger()?;
        stream.write_all(request.as_bytes()).await?;
        match self.then {
            Then::Wait => {
                let mut buffer = [0; 1024];
                while stream.read(&mut buffer).await? > 0 {}
            }
            Then::ReadNothing => tokio::time::sleep(UNREAD).await,
            Then::Close => {}
        }
        Ok(())
    }
}
