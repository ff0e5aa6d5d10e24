//! Real model servers behind the proxy: llama.cpp's server with random weights, and LiteLLM in front of it.
//!
//! `cargo xtask test --suite model-servers` installs them and runs this test. The model's answers mean nothing; what
//! is checked is that the proxy understands the server.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use wherefore_tests::proxy::Proxy;
use wherefore_tests::recordings::sample::Sample;
use wherefore_tests::workspace::root;

/// Question that is not composed, so that the model is asked.
const QUESTION: &str = "what ratio of the orders does each status have";
/// Time within which a server starts.
const START: Duration = Duration::from_mins(2);
/// Key of LiteLLM; it refuses short ones.
const KEY: &str = "sk-0123456789abcdefghijklmnopqrstuvwxyz";

/// A server as a child process, which ends with this value.
struct Server {
    process: Child,
    port: u16,
    folder: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// Folder of the Python environment that xtask installed.
fn environment() -> PathBuf {
    std::env::var_os("WHEREFORE_MODEL_SERVERS").expect("run by cargo xtask test --suite").into()
}

fn python(script: &str) -> Command {
    let mut command = Command::new(environment().join("bin/python"));
    command.arg(root().join("tests/model-servers").join(script));
    command
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Server {
    /// llama.cpp's server with this many tokens of context for each request.
    fn llama(context: u32) -> Self {
        let folder = TempDir::with_prefix("wherefore-llama-").unwrap();
        let model = folder.path().join("random.gguf");
        assert!(python("random_model.py").arg(&model).status().unwrap().success());
        let port = free_port();
        let mut process = python("llama_server.py")
            .arg(&model)
            .args([port.to_string(), context.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let listens = lines.map_while(Result::ok).any(|line| line == "listening");
        let log = fs::read_to_string(folder.path().join("log")).unwrap();
        assert!(listens, "llama.cpp's server ended: {log}");
        Self { process, port, folder }
    }

    /// LiteLLM in front of a server.
    fn lite_llm(behind: &Self) -> Self {
        let folder = TempDir::with_prefix("wherefore-litellm-").unwrap();
        let config = folder.path().join("config.yaml");
        let model = json!({
            "model_name": "random",
            "litellm_params": {
                "model": "openai/random",
                "api_base": behind.url(),
                "api_key": "none",
            },
        });
        let text = json!({ "model_list": [model], "litellm_settings": { "num_retries": 0 } });
        fs::write(&config, text.to_string()).unwrap();
        let port = free_port();
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let process = Command::new(environment().join("bin/litellm"))
            .arg("--config")
            .arg(&config)
            .args(["--host", "127.0.0.1", "--telemetry", "False", "--port", &port.to_string()])
            .env("LITELLM_MASTER_KEY", KEY)
            .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let server = Self { process, port, folder };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < START, "LiteLLM does not start: {}", server.log());
            std::thread::sleep(Duration::from_millis(200));
        }
        server
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

/// Options of a proxy that serves the sample with the model of a server.
fn options(sample: &Sample, server: &Server, model: &str, key: &Path) -> Vec<String> {
    fs::write(key, KEY).unwrap();
    let url = server.url();
    let own = ["--llm-url", &url, "--llm-model", model, "--llm-total-seconds", "150"];
    let mut options = sample.options();
    options.extend(own.map(str::to_owned));
    options.extend(["--llm-first-byte-seconds", "120"].map(str::to_owned));
    options.extend(["--llm-key-file".to_owned(), key.display().to_string()]);
    options
}

/// The reply to the question.
fn ask(proxy: &Proxy) -> Value {
    let body = json!({ "question": QUESTION, "today": "2026-11-20" });
    let reply = proxy.post("query", &body).unwrap();
    assert!([200, 202].contains(&reply.status), "{}", reply.body);
    reply.body
}

/// Entries of the trace about failed calls.
fn failed_calls(reply: &Value) -> Vec<String> {
    let entries = reply["trace"]["model"].as_array().unwrap().iter();
    let calls = entries.filter(|entry| entry["stage"] == "calling the model");
    calls.map(|entry| entry["detail"].as_str().unwrap().to_owned()).collect()
}

/// What `wherefore-proxy check` prints.
fn check(options: &[String]) -> String {
    let folder = TempDir::with_prefix("wherefore-check-").unwrap();
    let proxy = std::env::var_os("WHEREFORE_PROXY").expect("run by cargo xtask test --suite");
    let output = Command::new(proxy)
        .arg("check")
        .args(options)
        .arg("--store")
        .arg(folder.path().join("store"))
        .output()
        .unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

#[test]
fn a_server_with_room_writes_by_the_schema() {
    let (sample, llama) = (Sample::new().unwrap(), Server::llama(65_536));
    let options = options(&sample, &llama, "random", &llama.folder.path().join("key"));
    let told = check(&options);
    assert!(told.contains("random responds within"), "{told}");
    assert!(!told.contains("JSON schemas are not supported"), "{told}");
    let proxy = Proxy::start(&options).unwrap();
    assert_eq!(failed_calls(&ask(&proxy)), Vec::<String>::new(), "{}", llama.log());
}

// Promise: models.long-prompt
#[test]
fn a_small_context_makes_prompts_smaller_on_llama_cpp_and_behind_lite_llm() {
    let (sample, llama) = (Sample::new().unwrap(), Server::llama(8_192));
    let lite = Server::lite_llm(&llama);
    for server in [&llama, &lite] {
        let key = llama.folder.path().join("key");
        let proxy = Proxy::start(&options(&sample, server, "random", &key)).unwrap();
        let first = ask(&proxy);
        let failed = failed_calls(&first);
        let size = "exceeds the available context size (8192 tokens)";
        let too_long =
            |reply: &Value| failed_calls(reply).iter().filter(|call| call.contains(size)).count();
        // Random weights also write invalid UTF-8, which the server reports as an error.
        assert_eq!(too_long(&first), 1, "{failed:?}");
        assert!(!first.to_string().contains(KEY));
        assert_eq!(too_long(&ask(&proxy)), 0, "the size that fits is remembered");
    }
}

#[test]
fn a_model_that_does_not_exist_is_named_by_the_check() {
    let (sample, llama) = (Sample::new().unwrap(), Server::llama(8_192));
    let lite = Server::lite_llm(&llama);
    let options = options(&sample, &lite, "other", &lite.folder.path().join("key"));
    let told = check(&options);
    assert!(told.contains("the server has no model other; it has random"), "{told}");
}
