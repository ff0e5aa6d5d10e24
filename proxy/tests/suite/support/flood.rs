//! Clients that hold connections to a running program without finishing what they began.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use super::serving::run;
use super::{Heard, Serving};

/// Number of connections of an attack: more than the program serves requests at a time.
pub const MANY: usize = 1_100;

/// A program with API keys, and users with keys.
pub struct Guarded {
    pub program: Serving,
    options: Vec<String>,
}

impl Guarded {
    /// Starts the program on a database, with a store in this folder.
    pub fn start(folder: &Path, database: &str, more: &[&str]) -> Self {
        Self::of(folder, database, |options| Serving::start(folder, &[options, more].concat()))
    }

    /// Starts the program with a limit of the shell.
    pub fn start_limited(limit: &str, folder: &Path, database: &str) -> Self {
        Self::of(folder, database, |options| Serving::start_limited(limit, folder, options))
    }

    fn of(folder: &Path, database: &str, start: impl FnOnce(&[&str]) -> Serving) -> Self {
        let store = folder.join("store.sqlite");
        let options =
            ["--database", database, "--auth", "keys", "--store", store.to_str().unwrap()];
        Self { program: start(&options), options: options.map(str::to_owned).to_vec() }
    }

    /// Header line that authenticates a new user.
    pub fn sign_in(&self, user: &str) -> String {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        let added = run(&[&["key", "add", "--user", user], &options[..]].concat());
        let shown = String::from_utf8(added.stdout).unwrap();
        format!("Authorization: Bearer {}", shown.lines().next().unwrap())
    }

    /// A connection with these bytes sent.
    pub fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.program.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// Many connections with these bytes sent.
    pub fn flood(&self, count: usize, text: &str) -> Vec<TcpStream> {
        (0..count).map(|_| self.send(text)).collect()
    }

    /// Asserts that a signed-in user is served, on new connections.
    #[track_caller]
    pub fn assert_serves(&self, who: &str) {
        for _ in 0..20 {
            let heard = self.program.call("GET", "/api/v1/catalog", &[who], "");
            assert_eq!(heard.status, 200, "{}", heard.text);
            let heard = self.execute(who, "application/json", "SELECT 1 AS one");
            assert_eq!(heard.status, 200, "{}", heard.text);
        }
    }

    /// Result of a statement.
    pub fn execute(&self, who: &str, form: &str, sql: &str) -> Heard {
        let (accept, body) = (format!("Accept: {form}"), format!("{{\"sql\": \"{sql}\"}}"));
        let headers = [who, "Content-Type: application/json", &accept];
        self.program.call("POST", "/api/v1/sql/execute", &headers, &body)
    }

    /// Waits until a metric has at least this value.
    #[track_caller]
    pub fn wait_for(&self, who: &str, metric: &str, least: u64) {
        let mut text = String::new();
        for _ in 0..150 {
            text = self.program.call("GET", "/api/v1/metrics", &[who], "").text;
            let line = text.lines().find_map(|line| line.strip_prefix(metric));
            if line
                .and_then(|value| value.trim().parse().ok())
                .is_some_and(|value: u64| value >= least)
            {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("{metric} is not {least}:\n{text}");
    }
}

/// Rest of what a connection sends, until it is closed.
pub fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection that is reset has sent what arrived before.
    if let Err(error) = stream.read_to_end(&mut bytes) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Head of a POST with a body of this length.
pub fn head(path: &str, headers: &[&str], length: usize) -> String {
    let own = [format!("POST {path} HTTP/1.1"), "Host: localhost".to_owned()];
    let headers = headers.iter().map(|header| (*header).to_owned());
    let lines: Vec<String> = own.into_iter().chain(headers).collect();
    format!("{}\r\nContent-Length: {length}\r\n\r\n", lines.join("\r\n"))
}
