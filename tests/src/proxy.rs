//! Runs the real proxy as a process and calls its HTTP API.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Failure, workspace};

/// Unit of CPU time in `/proc` on Linux.
const TICK: Duration = Duration::from_millis(10);

/// A running proxy; dropping it stops the process and deletes its store.
#[derive(Debug)]
pub struct Proxy {
    server: Child,
    address: String,
    agent: ureq::Agent,
    folder: TempDir,
}

/// An HTTP response.
#[derive(Clone, Debug)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// JSON body; null if it is not JSON.
    pub body: Value,
}

impl Proxy {
    /// Starts the proxy on a free port with an empty store.
    pub fn start<A: AsRef<OsStr>>(arguments: &[A]) -> Result<Self, Failure> {
        Self::started(Command::new(binary()?), arguments, None)
    }

    /// Starts the proxy like [`Self::start`], and ends it with an error if it does not listen in time.
    pub fn start_within<A: AsRef<OsStr>>(
        arguments: &[A],
        limit: Duration,
    ) -> Result<Self, Failure> {
        Self::started(Command::new(binary()?), arguments, Some(limit))
    }

    /// Starts the proxy like [`Self::start`], pinned to the first CPU.
    pub fn start_on_one_processor<A: AsRef<OsStr>>(arguments: &[A]) -> Result<Self, Failure> {
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", "0"]).arg(binary()?);
        Self::started(command, arguments, None)
    }

    fn started<A: AsRef<OsStr>>(
        mut command: Command,
        arguments: &[A],
        limit: Option<Duration>,
    ) -> Result<Self, Failure> {
        let folder = TempDir::with_prefix("wherefore-proxy-")?;
        let log = folder.path().join("log");
        let mut server = command
            .args(arguments)
            .args(["--listen", "127.0.0.1:0", "--store"])
            .arg(folder.path().join("store.sqlite"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?)
            .spawn()?;
        let stdout = server.stdout.take().ok_or("the proxy has no output")?;
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
            let address =
                lines.find_map(|line| line.strip_prefix("listening on ").map(str::to_owned));
            // Nobody waits for it after the limit.
            let _ = sender.send(address);
        });
        let limit = limit.unwrap_or(Duration::MAX);
        let Ok(address) = receiver.recv_timeout(limit) else {
            server.kill()?;
            server.wait()?;
            let (seconds, log) = (limit.as_secs(), fs::read_to_string(&log)?);
            return Err(format!("the proxy did not listen within {seconds} s:\n{log}").into());
        };
        let Some(address) = address else {
            let status = server.wait()?;
            let log = fs::read_to_string(&log).unwrap_or_default();
            return Err(format!("the proxy ended before it listened ({status}):\n{log}").into());
        };
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        Ok(Self { server, address, agent, folder })
    }

    /// What the proxy has logged.
    pub fn log(&self) -> Result<String, Failure> {
        Ok(fs::read_to_string(self.folder.path().join("log"))?)
    }

    /// GETs a path below `/api/v1/`.
    pub fn get(&self, path: &str) -> Result<Reply, Failure> {
        let reply = self.agent.get(self.url(path)).call()?;
        read(reply)
    }

    /// POSTs JSON to a path below `/api/v1/`.
    pub fn post(&self, path: &str, body: &Value) -> Result<Reply, Failure> {
        let reply = self.agent.post(self.url(path)).send_json(body)?;
        read(reply)
    }

    /// Calls a tool over the Model Context Protocol, as a client without forms; returns the JSON-RPC response.
    pub fn call_tool(&self, name: &str, arguments: &Value) -> Result<Value, Failure> {
        let params = json!({ "name": name, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let request = self.agent.post(format!("{}/mcp", self.address));
        let reply = request
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-06-18")
            .send_json(call)?;
        Ok(read(reply)?.body)
    }

    /// POSTs JSON with `form` as the `Accept` header, reads the whole response and returns its size in bytes.
    pub fn drain(&self, path: &str, form: &str, body: &Value) -> Result<u64, Failure> {
        self.copy(path, form, body, &mut io::sink())
    }

    /// POSTs JSON with `form` as the `Accept` header, writes the whole response and returns its size in bytes.
    pub fn copy(
        &self,
        path: &str,
        form: &str,
        body: &Value,
        output: &mut impl io::Write,
    ) -> Result<u64, Failure> {
        let request = self.agent.post(self.url(path)).header("accept", form);
        let mut reply = request.send_json(body)?;
        if reply.status() != 200 {
            return Err(
                format!("the proxy replied {}: {}", reply.status(), read(reply)?.body).into()
            );
        }
        Ok(io::copy(&mut reply.body_mut().as_reader(), output)?)
    }

    /// Peak resident memory of the process, in bytes.
    pub fn most_memory(&self) -> Result<u64, Failure> {
        most_memory(self.server.id())
    }

    /// Sum of the peak resident memory of the processes that the proxy started, in bytes.
    pub fn most_memory_of_children(&self) -> Result<u64, Failure> {
        let mut sum = 0;
        for task in fs::read_dir(format!("/proc/{}/task", self.server.id()))? {
            let children = fs::read_to_string(task?.path().join("children"))?;
            for child in children.split_whitespace() {
                sum += most_memory(child.parse()?)?;
            }
        }
        Ok(sum)
    }

    /// CPU time of the process so far.
    pub fn worked(&self) -> Result<Duration, Failure> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.server.id()))?;
        // The program name in parentheses may contain spaces.
        let (_, fields) = text.rsplit_once(')').ok_or("the process has no figures")?;
        let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
        Ok(TICK * u32::try_from(ticks.sum::<Result<u64, _>>()?)?)
    }

    /// Path of the store, an SQLite file.
    pub fn store(&self) -> PathBuf {
        self.folder.path().join("store.sqlite")
    }

    /// Address, `http://HOST:PORT`.
    pub fn origin(&self) -> &str {
        &self.address
    }

    /// Listening address, `HOST:PORT`.
    pub fn authority(&self) -> &str {
        self.address.trim_start_matches("http://")
    }

    fn url(&self, path: &str) -> String {
        format!("{}/api/v1/{path}", self.address)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read(reply: ureq::http::Response<ureq::Body>) -> Result<Reply, Failure> {
    let status = reply.status().as_u16();
    let text = reply.into_body().with_config().limit(64 << 20).read_to_string()?;
    Ok(Reply { status, body: serde_json::from_str(&text).unwrap_or_default() })
}

/// A command that runs the proxy's executable, for subcommands other than serving.
pub fn command() -> Result<Command, Failure> {
    Ok(Command::new(binary()?))
}

fn most_memory(process: u32) -> Result<u64, Failure> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()).unwrap_or_default();
    Ok(kilobytes.parse::<u64>()? * 1024)
}

/// Path of the proxy's executable: `WHEREFORE_PROXY`, or else one that is built now, so that it is never outdated.
fn binary() -> Result<PathBuf, Failure> {
    if let Some(path) = std::env::var_os("WHEREFORE_PROXY") {
        return Ok(path.into());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--package", "wherefore-proxy"])
        .current_dir(workspace::root())
        .status()?;
    if !status.success() {
        return Err("the proxy does not build".into());
    }
    // The running test is target/debug/deps/NAME.
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(|deps| deps.parent()).ok_or("no build folder")?;
    Ok(folder.join("wherefore-proxy"))
}
