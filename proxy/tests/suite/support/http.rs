//! JSON to and from a running program over HTTP.

use std::io::Read;
use std::time::Duration;

use serde_json::Value;

/// HTTP client that keeps working when the program is killed.
#[derive(Clone)]
pub struct Http {
    address: String,
    agent: ureq::Agent,
}

/// Status and body of a reply.
pub struct Reply {
    pub status: u16,
    pub body: Value,
}

impl Http {
    /// A client of the program at this host and port.
    pub fn new(address: &str) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)))
            .build();
        Self { address: address.to_owned(), agent: agent.into() }
    }

    /// A resource; `None` if the response was incomplete.
    pub fn try_get(&self, path: &str) -> Option<Reply> {
        read(self.agent.get(self.url(path)).call().ok()?)
    }

    /// Response to a POST; `None` if it was incomplete.
    pub fn try_post(&self, path: &str, body: &Value) -> Option<Reply> {
        let request = self.agent.post(self.url(path)).content_type("application/json");
        read(request.send(body.to_string()).ok()?)
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Reply {
        self.try_get(path).expect("the proxy replies")
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.try_post(path, body).expect("the proxy replies")
    }

    /// Size in bytes of an export; if it broke off, of the part received.
    pub fn export_bytes(&self, sql: &str, form: &str) -> u64 {
        let body = serde_json::json!({ "sql": sql });
        let request = self.agent.post(self.url("sql/execute")).header("accept", form);
        let mut reply = request.send_json(&body).unwrap();
        assert_eq!(reply.status().as_u16(), 200);
        let mut reader = reply.body_mut().as_reader();
        let (mut read, mut buffer) = (0, vec![0; 64 * 1024]);
        while let Ok(some @ 1..) = reader.read(&mut buffer) {
            read += some as u64;
        }
        read
    }

    /// A complete export.
    pub fn export(&self, sql: &str, form: &str) -> Vec<u8> {
        let body = serde_json::json!({ "sql": sql });
        let request = self.agent.post(self.url("sql/execute")).header("accept", form);
        let mut reply = request.send_json(&body).unwrap();
        assert_eq!(reply.status().as_u16(), 200);
        reply.body_mut().with_config().limit(1 << 30).read_to_vec().unwrap()
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/api/v1/{path}", self.address)
    }
}

impl Reply {
    /// Asserts the status, and returns the body.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        self.body
    }
}

fn read(mut reply: ureq::http::Response<ureq::Body>) -> Option<Reply> {
    let status = reply.status().as_u16();
    let text = reply.body_mut().with_config().limit(64 << 20).read_to_string().ok()?;
    Some(Reply { status, body: serde_json::from_str(&text).ok()? })
}
