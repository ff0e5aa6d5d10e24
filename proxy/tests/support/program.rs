//! The real program as a process, spoken to over a socket.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A running proxy that is killed when dropped.
pub struct Program {
    server: Child,
    address: String,
    agent: ureq::Agent,
}

/// Status and body of a reply.
pub struct Reply {
    pub status: u16,
    pub body: Value,
}

impl Program {
    /// The program with its store in this folder.
    pub fn start(folder: &Path, options: &[&str]) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_wherefore-proxy"))
            .args(["--listen", "127.0.0.1:0", "--store"])
            .arg(folder.join("program-store.sqlite"))
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}"));
        let address = address.to_owned();
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        Self { server, address, agent }
    }

    /// Posts JSON to a resource under `/api/v1/`.
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        let url = format!("{}/api/v1/{path}", self.address);
        let mut reply = self.agent.post(url).send_json(body).unwrap();
        let text = reply.body_mut().with_config().limit(64 << 20).read_to_string().unwrap();
        Reply {
            status: reply.status().as_u16(),
            body: serde_json::from_str(&text).unwrap_or_default(),
        }
    }

    /// Bytes that a statement's result has as an export in this form; where it broke off, those before that.
    pub fn export_bytes(&self, sql: &str, form: &str) -> u64 {
        let url = format!("{}/api/v1/sql/execute", self.address);
        let body = serde_json::json!({ "sql": sql });
        let mut reply = self.agent.post(url).header("accept", form).send_json(&body).unwrap();
        assert_eq!(reply.status().as_u16(), 200);
        let mut reader = reply.body_mut().as_reader();
        let (mut read, mut buffer) = (0, vec![0; 64 * 1024]);
        while let Ok(some @ 1..) = reader.read(&mut buffer) {
            read += some as u64;
        }
        read
    }

    /// A figure of the process, in bytes, such as `VmHWM`, the most memory it ever held.
    pub fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
