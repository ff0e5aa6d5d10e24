//! The proxy as a process of its own, spoken to over HTTP.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A running proxy; dropping it kills it.
pub struct Process {
    child: Child,
    address: String,
    agent: ureq::Agent,
}

impl Process {
    /// Starts the proxy on a free port.
    pub fn start(arguments: &[&str]) -> Self {
        Self::of(Command::new(env!("CARGO_BIN_EXE_wherefore-proxy")).args(arguments))
    }

    /// Starts the proxy where no file may grow beyond this many blocks of the shell.
    pub fn start_limited(blocks: u32, arguments: &[&str]) -> Self {
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        Self::of(
            Command::new("sh")
                .args(["-c", &limited, env!("CARGO_BIN_EXE_wherefore-proxy")])
                .args(arguments),
        )
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command
            .args(["--listen", "127.0.0.1:0"])
            .env("RUST_LOG", "off")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").map(str::to_owned);
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build();
        let address = address.unwrap_or_else(|| panic!("it did not start: {line}"));
        Self { child, address, agent: agent.into() }
    }

    /// A client that goes on where the process is killed.
    pub fn client(&self) -> ProcessClient {
        ProcessClient { address: self.address.clone(), agent: self.agent.clone() }
    }

    /// Ends it as a crash would.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a proxy is asked through.
#[derive(Clone)]
pub struct ProcessClient {
    address: String,
    agent: ureq::Agent,
}

impl ProcessClient {
    /// Status and body of a resource; none where the whole of it did not arrive.
    pub fn get(&self, path: &str) -> Option<(u16, Value)> {
        read(self.agent.get(self.url(path)).call().ok()?)
    }

    /// Status and body of what is posted; none where the whole of it did not arrive.
    pub fn post(&self, path: &str, body: &Value) -> Option<(u16, Value)> {
        let request = self.agent.post(self.url(path)).content_type("application/json");
        read(request.send(body.to_string()).ok()?)
    }

    fn url(&self, path: &str) -> String {
        format!("{}/api/v1/{path}", self.address)
    }
}

fn read(reply: ureq::http::Response<ureq::Body>) -> Option<(u16, Value)> {
    let status = reply.status().as_u16();
    let text = reply.into_body().read_to_string().ok()?;
    Some((status, serde_json::from_str(&text).ok()?))
}
