//! MCP with a client of the official library, on standard input and output and over HTTP.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationCapability, ErrorData, Implementation,
    ProtocolVersion,
};
use rmcp::service::{RequestContext, RoleClient, RunningService, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt};
use serde_json::{Value, json};

use crate::support::serving::command;
use crate::support::{SHOP, Serving, SqliteFile, corpus};

/// How a simulated person handles a form.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Person {
    /// Chooses the title that contains these words.
    Chooses(&'static str),
    /// Closes the form.
    Declines,
    /// Uses a client without support for forms.
    HasNoForms,
}

/// An MCP client.
#[derive(Clone, Debug)]
struct Asker {
    person: Person,
    /// Forms that were shown.
    forms: Arc<Mutex<Vec<Value>>>,
}

impl Asker {
    fn new(person: Person) -> Self {
        Self { person, forms: Arc::default() }
    }
}

impl ClientHandler for Asker {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        if self.person != Person::HasNoForms {
            capabilities.elicitation = Some(ElicitationCapability::default());
        }
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let form = serde_json::to_value(&request).unwrap();
        self.forms.lock().unwrap().push(form.clone());
        let Person::Chooses(words) = self.person else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        let titles = form["requestedSchema"]["properties"]["choice_1"]["enum"].as_array().unwrap();
        let title = titles.iter().find(|title| title.as_str().unwrap().contains(words)).unwrap();
        let content = json!({ "choice_1": title });
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
    }
}

type Client = RunningService<RoleClient, Asker>;

/// Lifecycle with a handshake, as most clients use it.
fn with_handshake() -> ClientLifecycleMode {
    ClientLifecycleMode::Initialize
}

/// The lifecycle without sessions.
fn without_sessions() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

/// The program as a child process that serves standard input and output.
async fn child(shop: &SqliteFile, person: Person, lifecycle: ClientLifecycleMode) -> Client {
    let store = shop.folder.path().join("store.sqlite");
    let database = shop.path.to_str().unwrap();
    let options = ["mcp", "--database", database, "--store", store.to_str().unwrap()];
    let command = tokio::process::Command::from(command(&options));
    let (transport, _) = TokioChildProcess::builder(command).stderr(Stdio::null()).spawn().unwrap();
    Asker::new(person).serve_with_lifecycle(transport, lifecycle).await.unwrap()
}

fn serving(shop: &SqliteFile, more: &[&str]) -> Serving {
    let database = shop.path.to_str().unwrap();
    Serving::start(shop.folder.path(), &[&["--database", database], more].concat())
}

async fn remote(
    address: &str,
    key: Option<&str>,
    person: Person,
    lifecycle: ClientLifecycleMode,
) -> Result<Client, String> {
    // The client library needs a provider of cryptography even without TLS.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let uri = format!("http://{address}/mcp");
    let mut config = StreamableHttpClientTransportConfig::with_uri(uri);
    if let Some(key) = key {
        config = config.auth_header(key);
    }
    let transport = StreamableHttpClientTransport::from_config(config);
    let client = Asker::new(person).serve_with_lifecycle(transport, lifecycle).await;
    client.map_err(|error| error.to_string())
}

async fn call(client: &Client, tool: &'static str, arguments: Value) -> CallToolResult {
    tried(client, tool, arguments).await.unwrap()
}

async fn tried(
    client: &Client,
    tool: &'static str,
    arguments: Value,
) -> Result<CallToolResult, ServiceError> {
    let arguments = arguments.as_object().unwrap().clone();
    client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await
}

async fn ask(client: &Client, question: &str) -> CallToolResult {
    call(client, "ask", json!({ "question": question, "today": "2024-04-01" })).await
}

fn text(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|part| Some(part.as_text()?.text.clone())).collect()
}

fn json(result: &CallToolResult) -> &Value {
    result.structured_content.as_ref().unwrap()
}

#[track_caller]
fn assert_answered(result: &CallToolResult, rows: &Value) {
    assert_eq!(result.is_error, Some(false), "{}", text(result));
    assert_eq!(json(result)["outcome"], "answered", "{}", text(result));
    assert_eq!(&json(result)["view"]["result"]["rows"], rows, "{}", text(result));
}

/// Checks for every client: list of tools, an unambiguous question, the catalog, and rejected statements.
async fn check_tools(client: &Client) {
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["ask", "answer", "correct", "catalog", "check"]);

    let answered = ask(client, "how many customers are in Brazil").await;
    assert_answered(&answered, &json!([[2]]));
    let told = text(&answered);
    let name = told.lines().nth(1).unwrap();
    assert!(name.starts_with("<data_") && name.len() > 30, "{told}");
    let (data, note) = told.split_once(&name.replace('<', "</")).unwrap();
    assert!(data.contains("| 2 |") && data.contains("'Brazil'"), "{told}");
    assert!(!note.contains("Brazil"), "{told}");

    let listed = call(client, "catalog", json!({ "words": "customer country" })).await;
    assert!(text(&listed).contains("- country text"), "{}", text(&listed));
    assert!(!json(&listed).to_string().contains("Brazil"), "no stored value is listed");

    let checked = call(client, "check", json!({ "sql": "select count(*) from customers" })).await;
    assert_eq!(checked.is_error, Some(false), "{}", text(&checked));
    let sql = json(&checked)["sql"].as_str().unwrap();
    assert!(sql.to_lowercase().contains("customers"), "{sql}");

    let unknown = tried(client, "drop_tables", json!({})).await.unwrap_err();
    assert!(unknown.to_string().contains("drop_tables"), "{unknown}");
    let extra = tried(client, "ask", json!({ "question": "x", "sql": "y" })).await.unwrap_err();
    assert!(extra.to_string().contains("unknown field"), "{extra}");
    let empty = ask(client, " ").await;
    assert_eq!(empty.is_error, Some(true));
    assert_eq!(json(&empty)["code"], "question_empty", "{}", text(&empty));
}

/// Asks an ambiguous question, and checks how the form is handled.
async fn check_forms(client: &Client) {
    let result = ask(client, "show me recent orders").await;
    let forms = client.service().forms.lock().unwrap().clone();
    match client.service().person {
        Person::Chooses(_) => {
            assert_eq!(forms.len(), 1, "{forms:?}");
            let titles = forms[0]["requestedSchema"]["properties"]["choice_1"]["enum"].as_array();
            assert_eq!(titles.unwrap().last().unwrap(), "Use your best guess");
            assert_eq!(result.is_error, Some(false), "{}", text(&result));
            assert_eq!(json(&result)["outcome"], "answered", "{}", text(&result));
            let sql = json(&result)["view"]["sql"].as_str().unwrap();
            assert!(sql.contains("2024-01-03"), "90 days before the first of April: {sql}");
        }
        Person::Declines => {
            assert_eq!(forms.len(), 1, "{forms:?}");
            assert!(text(&result).contains("declined"), "{}", text(&result));
            check_answer(client, &result).await;
        }
        Person::HasNoForms => {
            assert!(forms.is_empty(), "{forms:?}");
            check_answer(client, &result).await;
        }
    }
}

/// Answers a waiting question by a call of `answer`.
async fn check_answer(client: &Client, asked: &CallToolResult) {
    assert_eq!(asked.is_error, Some(false));
    assert_eq!(json(asked)["outcome"], "needs_clarification", "{}", text(asked));
    // The text contains the complete call, which is used verbatim.
    let told = text(asked);
    let line = told.lines().find(|line| line.starts_with("{\"answers\"")).unwrap_or_else(|| {
        told.lines().find(|line| line.starts_with("{\"clarification_id\"")).unwrap()
    });
    let arguments: Value = serde_json::from_str(line).unwrap();
    let answered = call(client, "answer", arguments.clone()).await;
    assert_eq!(json(&answered)["outcome"], "answered", "{}", text(&answered));
    let again = call(client, "answer", arguments).await;
    assert_eq!(again.is_error, Some(true));
    assert_eq!(json(&again)["code"], "already_answered", "{}", text(&again));
}

#[tokio::test]
async fn tools_answer_on_standard_input() {
    let shop = SqliteFile::new(SHOP);
    check_tools(&child(&shop, Person::HasNoForms, with_handshake()).await).await;
    check_tools(&child(&shop, Person::HasNoForms, without_sessions()).await).await;
}

#[tokio::test]
async fn tools_answer_over_http() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    for lifecycle in [with_handshake(), without_sessions()] {
        let client = remote(&program.address, None, Person::HasNoForms, lifecycle).await.unwrap();
        check_tools(&client).await;
    }
}

#[tokio::test]
async fn what_is_vague_is_asked_by_a_form_on_standard_input() {
    let shop = SqliteFile::new(SHOP);
    for person in [Person::Chooses("90"), Person::Declines, Person::HasNoForms] {
        for lifecycle in [with_handshake(), without_sessions()] {
            check_forms(&child(&shop, person, lifecycle).await).await;
        }
    }
}

#[tokio::test]
async fn what_is_vague_is_asked_by_a_form_over_http_without_a_session() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    for person in [Person::Chooses("90"), Person::Declines, Person::HasNoForms] {
        let client = remote(&program.address, None, person, without_sessions()).await.unwrap();
        check_forms(&client).await;
    }
}

#[tokio::test]
async fn a_client_of_an_older_protocol_over_http_is_told_how_to_answer() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let person = Person::Chooses("90");
    let client = remote(&program.address, None, person, with_handshake()).await.unwrap();
    check_answer(&client, &ask(&client, "show me recent orders").await).await;
}

// Promise: memory.correction-over-mcp
#[tokio::test]
async fn a_question_that_waits_can_be_corrected() {
    let shop = SqliteFile::new(SHOP);
    let client = child(&shop, Person::HasNoForms, with_handshake()).await;
    let asked = ask(&client, "show me recent orders").await;
    let id = &json(&asked)["clarification_id"];
    let correction = json!({ "clarification_id": id, "correction": "not orders, customers" });
    let corrected = call(&client, "correct", correction).await;
    let json = json(&corrected);
    let sql = json["view"]["sql"].as_str().unwrap_or_default();
    assert!(sql.contains("FROM customers"), "{}", text(&corrected));
    let malformed = json!({ "clarification_id": id, "correction": { "type": "sql" } });
    let refused = tried(&client, "correct", malformed).await.unwrap_err();
    assert!(refused.to_string().contains("correction"), "{refused}");
}

// Promise: memory.correction-of-answer-over-mcp
#[tokio::test]
async fn an_answered_question_can_be_corrected() {
    let shop = SqliteFile::new(SHOP);
    let client = child(&shop, Person::HasNoForms, with_handshake()).await;
    let first = ask(&client, "how many customers are there").await;
    let answered = json(&first);
    let arguments = json!({ "id": answered["id"], "correction": "use orders instead" });
    let corrected = call(&client, "correct", arguments).await;
    let sql = json(&corrected)["view"]["sql"].as_str().unwrap_or_default().to_owned();
    assert!(sql.contains("FROM orders"), "{}", text(&corrected));
    let arguments = json!({ "question": "no, I meant customers", "thread": answered["thread_id"] });
    let in_words = call(&client, "ask", arguments).await;
    let sql = json(&in_words)["view"]["sql"].as_str().unwrap_or_default().to_owned();
    assert!(sql.contains("FROM customers"), "{}", text(&in_words));
    let neither = json!({ "correction": "use orders" });
    let refused = tried(&client, "correct", neither).await.unwrap_err();
    assert!(refused.to_string().contains("exactly one"), "{refused}");
}

#[tokio::test]
async fn a_dear_question_runs_once_its_estimate_is_accepted() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &["--confirm-estimated-rows", "2"]);
    let client =
        remote(&program.address, None, Person::HasNoForms, without_sessions()).await.unwrap();
    let first = ask(&client, "how many orders").await;
    assert_eq!(first.is_error, Some(true), "{}", text(&first));
    assert_eq!(json(&first)["code"], "estimate_not_accepted", "{}", text(&first));
    assert_eq!(json(&first)["estimated_rows"], 4, "{}", text(&first));
    let arguments = json!({ "question": "how many orders", "accept_estimate": true });
    assert_answered(&call(&client, "ask", arguments).await, &json!([[4]]));
}

#[tokio::test]
async fn a_dear_answer_or_correction_runs_once_its_estimate_is_accepted() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &["--confirm-estimated-rows", "2"]);
    let client =
        remote(&program.address, None, Person::HasNoForms, without_sessions()).await.unwrap();
    let asked = ask(&client, "how many recent orders").await;
    let question = &json(&asked)["questions"][0];
    let answer = json!({ "type": "option", "option_id": question["options"][0]["id"] });
    let answers = json!([{ "clarification_id": question["id"], "answer": answer }]);
    let arguments =
        json!({ "clarification_id": json(&asked)["clarification_id"], "answers": answers });
    runs_once_accepted(&client, "answer", arguments).await;
    let arguments = json!({ "question": "how many customers are there", "accept_estimate": true });
    let answered = call(&client, "ask", arguments).await;
    let arguments = json!({ "id": json(&answered)["id"], "correction": "use orders instead" });
    runs_once_accepted(&client, "correct", arguments).await;
}

/// Asserts that a call runs only once its estimate is accepted.
async fn runs_once_accepted(client: &Client, tool: &'static str, mut arguments: Value) {
    let refused = call(client, tool, arguments.clone()).await;
    assert_eq!(json(&refused)["code"], "estimate_not_accepted", "{}", text(&refused));
    arguments["accept_estimate"] = json!(true);
    let answered = call(client, tool, arguments).await;
    assert_eq!(json(&answered)["outcome"], "answered", "{}", text(&answered));
}

#[tokio::test]
async fn a_question_goes_on_in_its_thread() {
    let shop = SqliteFile::new(SHOP);
    let client = child(&shop, Person::HasNoForms, with_handshake()).await;
    let first = ask(&client, "how many customers are in Brazil").await;
    let thread = &json(&first)["thread_id"];
    let arguments = json!({ "question": "and in Norway?", "thread": thread });
    let second = call(&client, "ask", arguments).await;
    let sql = json(&second)["view"]["sql"].as_str().unwrap_or_default();
    assert!(sql.contains("'Norway'") && sql.to_lowercase().contains("count"), "{}", text(&second));
    assert_eq!(&json(&second)["thread_id"], thread);
    let unknown = json!({ "question": "and in Norway?", "thread": "thr_0" });
    let unknown = call(&client, "ask", unknown).await;
    assert_eq!(json(&unknown)["code"], "unknown_thread", "{}", text(&unknown));
}

#[tokio::test]
async fn hostile_statements_are_refused() {
    let shop = SqliteFile::new(SHOP);
    let client = child(&shop, Person::HasNoForms, with_handshake()).await;
    let statements = corpus::hostile("sqlite");
    assert!(statements.len() > 20);
    for sql in statements {
        let checked = call(&client, "check", json!({ "sql": sql })).await;
        assert_eq!(checked.is_error, Some(true), "{sql}");
        assert_eq!(json(&checked)["code"], "statement_refused", "{sql}");
    }
}

/// Creates an API key with the program.
fn key(folder: &Path, config: &Path, tenant: &str) -> String {
    let store = folder.join("store.sqlite");
    let made = crate::support::serving::run(&[
        "key",
        "add",
        "--tenant",
        tenant,
        "--user",
        "ann",
        "--store",
        store.to_str().unwrap(),
        "--config",
        config.to_str().unwrap(),
    ]);
    let told = String::from_utf8(made.stdout).unwrap();
    let mut words = told.split_whitespace();
    words.find(|word| word.starts_with("wf_")).unwrap_or_else(|| panic!("{told}")).to_owned()
}

#[tokio::test]
async fn keys_are_asked_for_and_tenants_do_not_cross() {
    let shop = SqliteFile::new(SHOP);
    let other = SqliteFile::new(&SHOP.replace("Brazil", "Chile"));
    let path = |file: &SqliteFile| file.path.to_str().unwrap().to_owned();
    let config = shop.file(
        "w.toml",
        &format!(
            "auth = \"keys\"\n[[tenants]]\nname = \"a\"\ndatabase = {:?}\n[[tenants]]\nname = \"b\"\ndatabase = {:?}\n",
            path(&shop),
            path(&other)
        ),
    );
    let folder = shop.folder.path();
    let program = Serving::start(folder, &["--config", config.to_str().unwrap()]);
    let nobody = remote(&program.address, None, Person::HasNoForms, without_sessions()).await;
    assert!(nobody.is_err());
    let heard = post(&program, &[], &request("tools/list", &json!({})));
    assert_eq!(heard.status, 401, "{heard:?}");

    let [a, b] = ["a", "b"].map(|tenant| key(folder, &config, tenant));
    let (a, b) = tokio::join!(
        remote(&program.address, Some(&a), Person::HasNoForms, without_sessions()),
        remote(&program.address, Some(&b), Person::HasNoForms, without_sessions()),
    );
    let (a, b) = (a.unwrap(), b.unwrap());
    let (of_a, of_b) = tokio::join!(
        ask(&a, "how many customers are in Brazil"),
        ask(&b, "how many customers are in Chile")
    );
    assert_answered(&of_a, &json!([[2]]));
    assert_answered(&of_b, &json!([[2]]));
    let strange = ask(&b, "how many customers are in Brazil").await;
    assert_ne!(json(&strange)["view"]["result"]["rows"], json!([[2]]), "{}", text(&strange));

    let asked = ask(&a, "show me recent orders").await;
    let waits = &json(&asked)["clarification_id"];
    let question = &json(&asked)["questions"][0]["id"];
    let answers = json!([{ "clarification_id": question, "answer": { "type": "best_guess" } }]);
    let arguments = json!({ "clarification_id": waits, "answers": answers });
    let stolen = call(&b, "answer", arguments.clone()).await;
    assert_eq!(json(&stolen)["code"], "unknown_clarification", "{}", text(&stolen));
    let own = call(&a, "answer", arguments).await;
    assert_eq!(json(&own)["outcome"], "answered", "{}", text(&own));
    let thread = json!({ "question": "and in Norway?", "thread": json(&of_a)["thread_id"] });
    let stolen = call(&b, "ask", thread).await;
    assert_eq!(json(&stolen)["code"], "unknown_thread", "{}", text(&stolen));
}

fn request(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

fn post(program: &Serving, headers: &[&str], body: &str) -> crate::support::Heard {
    let all = [
        &["Content-Type: application/json", "Accept: application/json, text/event-stream"],
        headers,
    ];
    program.call("POST", "/mcp", &all.concat(), body)
}

#[test]
fn what_is_no_call_is_refused() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let list = request("tools/list", &json!({}));
    let listed = post(&program, &[], &list);
    assert_eq!(listed.status, 200, "{listed:?}");
    assert!(listed.header("x-request-id").is_some(), "{listed:?}");

    for (headers, body, status) in [
        (vec![], "{ not json".to_owned(), 400..=499),
        (vec![], "[]".to_owned(), 400..=499),
        (
            vec![],
            json!({ "jsonrpc": "1.0", "id": 1, "method": "tools/list" }).to_string(),
            400..=499,
        ),
        (vec!["MCP-Protocol-Version: 1999-01-01"], list.clone(), 400..=400),
        (vec![], request("tools/list", &json!({ "cursor": "x".repeat(300 * 1024) })), 413..=413),
        (vec!["Origin: http://evil.example"], list.clone(), 403..=403),
        (vec!["Sec-Fetch-Site: cross-site"], list.clone(), 403..=403),
        (vec!["Host: evil.example", "Origin: http://evil.example"], list.clone(), 403..=403),
    ] {
        let heard = post(&program, &headers, &body);
        let start: String = body.chars().take(60).collect();
        assert!(status.contains(&heard.status), "{headers:?} {start}: {heard:?}");
    }
    let form = ["Content-Type: text/plain", "Accept: application/json, text/event-stream"];
    assert_eq!(program.call("POST", "/mcp", &form, &list).status, 415);
    assert_eq!(program.call("GET", "/mcp", &["Accept: text/event-stream"], "").status, 405);
    assert_eq!(program.call("DELETE", "/mcp", &[], "").status, 405);
    let unknown = post(&program, &[], &request("resources/read", &json!({ "uri": "file:///" })));
    assert!(unknown.text.contains("-32601"), "{unknown:?}");
    assert_eq!(post(&program, &[], &list).status, 200, "it goes on");
}

#[test]
fn what_is_no_call_on_standard_input_is_survived_and_nothing_else_is_written() {
    use std::io::{BufRead, BufReader, Write};
    let shop = SqliteFile::new(SHOP);
    let store = shop.folder.path().join("store.sqlite");
    let database = shop.path.to_str().unwrap();
    let options = ["mcp", "--database", database, "--store", store.to_str().unwrap()];
    let mut child = command(&options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let hello = json!({
        "protocolVersion": "1999-01-01",
        "capabilities": {},
        "clientInfo": { "name": "t", "version": "1" },
    });
    for line in [
        request("initialize", &hello),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string(),
        "{ not json".to_owned(),
        "x".repeat(300 * 1024),
        request("tools/list", &json!({})),
    ] {
        writeln!(input, "{line}").unwrap();
    }
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let first = next();
    let version = first["result"]["protocolVersion"].as_str();
    assert!(version.is_some_and(|version| version.starts_with("202")), "{first}");
    let mut listed = next();
    while listed["result"]["tools"].is_null() {
        assert!(listed["error"].is_object(), "{listed}");
        listed = next();
    }
    drop(input);
    assert!(lines.next().is_none());
    assert!(child.wait().unwrap().success());
}

/// Status of a reply, and the error in its JSON body.
fn fault(heard: &crate::support::Heard) -> (u16, Value, Value) {
    assert_eq!(heard.header("content-type"), Some("application/json"), "{heard:?}");
    let body = heard.text.split("\r\n\r\n").nth(1).unwrap();
    let body: Value =
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {heard:?}"));
    assert_eq!(body["jsonrpc"], "2.0", "{body}");
    assert!(body.get("id").is_some(), "{body}");
    assert!(body["error"]["message"].is_string(), "{body}");
    (heard.status, body["error"]["code"].clone(), body["id"].clone())
}

// Promise: http.json-rpc-errors
#[test]
fn what_is_no_request_of_json_rpc_gets_its_error() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let list = || json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let without = |name: &str| {
        let mut body = list();
        body.as_object_mut().unwrap().remove(name);
        body.to_string()
    };
    let with = |name: &str, value: Value| {
        let mut body = list();
        body[name] = value;
        body.to_string()
    };
    for (body, code, id) in [
        ("{ not json".to_owned(), -32700, Value::Null),
        (String::new(), -32700, Value::Null),
        ("\u{feff}{}".to_owned(), -32700, Value::Null),
        ("[]".to_owned(), -32600, Value::Null),
        (json!([list(), list()]).to_string(), -32600, Value::Null),
        ("7".to_owned(), -32600, Value::Null),
        ("null".to_owned(), -32600, Value::Null),
        (with("id", Value::Null), -32600, Value::Null),
        (with("id", json!(true)), -32600, Value::Null),
        (with("id", json!({})), -32600, Value::Null),
        (with("jsonrpc", json!("1.0")), -32600, json!(1)),
        (with("jsonrpc", json!(2)), -32600, json!(1)),
        (without("jsonrpc"), -32600, json!(1)),
        (without("method"), -32600, json!(1)),
        (with("method", json!(5)), -32600, json!(1)),
        (with("params", json!("x")), -32600, json!(1)),
    ] {
        let heard = post(&program, &[], &body);
        assert_eq!(fault(&heard), (400, json!(code), id), "{body}: {heard:?}");
    }
    let unknown = post(&program, &[], &with("method", json!("no/such")));
    assert!(unknown.text.contains("-32601"), "{unknown:?}");
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post(&program, &[], &told.to_string()).status, 202, "a notification has no id");
}

// Promise: http.form-of-one-call
#[test]
fn a_form_answers_only_the_call_that_asked_for_it() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let ask = |question: &str, more: Value| {
        let mut params = json!({
            "name": "ask",
            "arguments": { "question": question, "today": "2024-04-01" },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
            },
        });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let headers =
            ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: ask"];
        let heard = post(&program, &headers, &request("tools/call", &params));
        let body = heard.text.split("\r\n\r\n").nth(1).unwrap().to_owned();
        serde_json::from_str::<Value>(&body).unwrap_or_else(|error| panic!("{error}: {heard:?}"))
    };
    let asked = ask("show me recent orders", json!({}));
    let state = asked["result"]["requestState"].clone();
    assert!(state.is_string(), "{asked}");
    let form = &asked["result"]["inputRequests"]["clarifications"]["params"]["requestedSchema"];
    let title = form["properties"]["choice_1"]["enum"][0].clone();
    assert!(title.is_string(), "{asked}");
    let filled = json!({
        "clarifications": { "action": "accept", "content": { "choice_1": title } },
    });
    let repeated = |state: &Value| json!({ "requestState": state, "inputResponses": filled });
    let other = ask("how many customers are there", repeated(&state));
    assert_eq!(other["error"]["code"], -32602, "{other}");
    let bare = state.as_str().unwrap().split('.').next().unwrap();
    let forged = ask("how many customers are there", repeated(&json!(bare)));
    assert_eq!(forged["error"]["code"], -32602, "{forged}");
    let answered = ask("show me recent orders", repeated(&state));
    assert_eq!(answered["result"]["structuredContent"]["outcome"], "answered", "{answered}");
}
