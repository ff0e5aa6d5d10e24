//! The program as a process, with requests over a socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use super::Http;

/// The program, stopped when dropped.
pub struct Serving {
    child: Child,
    /// Host and port.
    pub address: String,
    log: PathBuf,
}

/// A raw HTTP response.
#[derive(Debug)]
pub struct Heard {
    pub status: u16,
    pub text: String,
}

impl Heard {
    /// Value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let head = self.text.split("\r\n\r\n").next().unwrap_or_default();
        let mut lines = head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// A command of the program, without environment variables of the developer.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore-proxy"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WHEREFORE_")) {
        command.env_remove(name);
    }
    command.env_remove("RUST_LOG").args(arguments);
    command
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Output {
    command(arguments).stdin(Stdio::null()).output().unwrap()
}

impl Serving {
    /// Starts the program with these options on a free port; its log and, unless the options name one, its store are
    /// in the folder.
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::of(&mut command(arguments), folder, arguments)
    }

    /// Starts the program with an environment variable.
    pub fn start_with(variable: (&str, &str), folder: &Path, arguments: &[&str]) -> Self {
        Self::of(command(arguments).env(variable.0, variable.1), folder, arguments)
    }

    /// Starts the program with a limit of the shell, such as `-f 100` for the size of files in blocks.
    pub fn start_limited(limit: &str, folder: &Path, arguments: &[&str]) -> Self {
        let program = command(arguments);
        let mut shell = Command::new("sh");
        let limited = format!("trap '' XFSZ; ulimit {limit}; exec \"$0\" \"$@\"");
        shell.args(["-c", &limited]).arg(program.get_program()).args(program.get_args());
        Self::of(shell.env("RUST_LOG", "off"), folder, arguments)
    }

    fn of(command: &mut Command, folder: &Path, arguments: &[&str]) -> Self {
        let log = folder.join("log");
        if !arguments.contains(&"--store") {
            command.arg("--store").arg(folder.join("store.sqlite"));
        }
        let mut child = command
            .args(["--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told = std::fs::read_to_string(&log).unwrap_or_default();
        let address = line.trim().strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("{line}{told}")).to_owned();
        Self { child, address, log }
    }

    /// An HTTP client that keeps working when the program is killed.
    pub fn http(&self) -> Http {
        Http::new(&self.address)
    }

    /// Kills the program.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// A memory figure of the process in bytes, such as `VmHWM`, its peak.
    pub fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }

    /// The log so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// Sends SIGTERM, and returns the exit status and the time until the exit.
    pub fn stop(&mut self) -> (ExitStatus, Duration) {
        let start = Instant::now();
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        (self.child.wait().unwrap(), start.elapsed())
    }

    /// Sends a request with header lines on a new connection.
    pub fn call(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Heard {
        call(&self.address, method, path, headers, body)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request to an address, which is also the `Host` unless a header sets it.
pub fn call(address: &str, method: &str, path: &str, headers: &[&str], body: &str) -> Heard {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut head = vec![format!("{method} {path} HTTP/1.1"), "Connection: close".to_owned()];
    if !headers.iter().any(|header| header.to_lowercase().starts_with("host:")) {
        head.push(format!("Host: {address}"));
    }
    if !body.is_empty() {
        head.push(format!("Content-Length: {}", body.len()));
    }
    head.extend(headers.iter().map(|header| (*header).to_owned()));
    stream.write_all(format!("{}\r\n\r\n{body}", head.join("\r\n")).as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    Heard { status: status.unwrap_or_else(|| panic!("no answer: {text}")), text }
}
